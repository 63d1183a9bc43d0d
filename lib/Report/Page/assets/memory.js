// The picture of memory: what lives in each part of the run, and which of it is
// on pages that are touched, without hints and with them.
const Memory = (() => {
  const {element} = Text;
  const width = 1000, height = 150, gap = 34;

  function shape(tag, attributes, text) {
    const result = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes))
      result.setAttribute(name, value);
    if (text !== undefined)
      result.textContent = text;
    return result;
  }

  function bins() {
    const result = [];
    for (let i = 0; i < Data.bins.length; i += 4) {
      const [live, before, hot, cold] = Data.bins.slice(i, i + 4);
      result.push({live, before, hot, cold});
    }
    return result;
  }

  function create() {
    if (!Data.bins.length)
      return null;
    const all = bins();
    const perPhase = all.length / Data.phases.length;
    const top = Math.max(...all.map((b) => Math.max(b.live, b.before, b.hot + b.cold)), 1);
    const svg = shape("svg", {viewBox: `0 0 ${width} ${2 * (height + gap)}`, role: "img",
                              "aria-label": "Memory before and after, by window"});
    const step = width / all.length;
    const bar = (row, i, from, size, kind, told) => {
      if (size <= 0)
        return;
      const base = gap + row * (height + gap) + height;
      const rect = shape("rect", {class: kind, x: i * step + 0.5, width: Math.max(step - 1, 0.5),
                                  y: base - (from + size) / top * height,
                                  height: size / top * height});
      rect.append(shape("title", {}, told));
      svg.append(rect);
    };
    const time = (i) => Data.phases[Math.floor(i / perPhase)][1];
    const whole = all.reduce((sum, b, i) => sum + time(i), 0) || 1;
    const mean = (field) => all.reduce((sum, b, i) => sum + field(b) * time(i), 0) / whole;
    const inPhase = (phase, field) =>
      all.slice(phase * perPhase, (phase + 1) * perPhase).reduce((sum, b) => sum + field(b), 0) / perPhase;
    const before = mean((b) => b.before), after = mean((b) => b.hot + b.cold),
          live = mean((b) => b.live);
    ["Without hints", "With hints"].forEach((title, row) => {
      const base = row * (height + gap);
      svg.append(shape("text", {class: "title", x: 0, y: base + 14}, title));
      svg.append(shape("text", {x: width, y: base + 14, "text-anchor": "end"},
        `${Text.bytes(row ? after : before)} touched, of ${Text.bytes(live)} that live`));
      svg.append(shape("line", {x1: 0, x2: width, y1: base + gap + height, y2: base + gap + height}));
    });
    all.forEach((b, i) => {
      const label = (what, size) => `window ${i % perPhase + 1}: ${Text.bytes(size)} ${what}`;
      bar(0, i, 0, b.before, "hot", label("touched", b.before));
      bar(0, i, b.before, b.live - b.before, "idle", label("idle", b.live - b.before));
      bar(1, i, 0, b.hot, "hot", label("touched on hot pages", b.hot));
      bar(1, i, b.hot, b.cold, "cold", label("touched on cold pages", b.cold));
      bar(1, i, b.hot + b.cold, b.live - b.hot - b.cold, "idle",
          label("idle", b.live - b.hot - b.cold));
    });
    if (Data.phases.length > 1)
      Data.phases.forEach(([name], i) => {
        const x = i * perPhase * step;
        svg.append(shape("line", {x1: x, x2: x, y1: gap - 6, y2: 2 * (height + gap)}));
        svg.append(shape("text", {x: x + 3, y: gap - 6}, name || "not named"));
      });
    const told = (when, without, with_) => element("p", {},
      `${when}, ${Text.bytes(without)} of pages are touched without hints, and ${Text.bytes(with_)} with them.`);
    return element("section", {id: "memory", class: "memory"}, element("h2", {}, "Memory"),
      ...(Data.phases.length > 1 ? Data.phases.map(([name], i) =>
        told(name ? `In the phase "${name}"` : "Before and between phases", inPhase(i, (b) => b.before), inPhase(i, (b) => b.hot + b.cold)))
        : [told("In the mean of the run", before, after)]),
      svg,
      element("ul", {class: "legend"}, element("li", {class: "hot"}, "touched, ordinary pages"),
        element("li", {class: "cold"}, "touched, cold pages"), element("li", {class: "idle"}, "idle")),
      element("p", {class: "hint"}, "From the start of the run to its end, in equal parts of processor time. Pages are those that the model predicts."));
  }

  return {create};
})();
