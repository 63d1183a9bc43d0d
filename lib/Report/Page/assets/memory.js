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

  /** How long the bin of a number is. */
  function timeOf(bin) {
    return Data.phases[Math.floor(bin / Data.numBins * Data.phases.length)][1];
  }

  function bins() {
    const result = [];
    for (let i = 0; i < Data.bins.length; i += 4) {
      const [live, before, hot, cold] = Data.bins.slice(i, i + 4);
      result.push({live, before, hot, cold});
    }
    return result;
  }

  /** Draws a part of the run from where the mouse goes down to where it goes
      up. A click chooses the whole again. */
  function chooseByMouse(svg, step) {
    const binAt = (event) => {
      const at = svg.getBoundingClientRect();
      const x = (event.clientX - at.left) / at.width * width;
      return Math.min(Math.max(Math.floor(x / step), 0), Data.numBins - 1) + 1;
    };
    const mark = shape("rect", {class: "part", y: 0, height: 2 * (height + gap)});
    svg.append(mark);
    const draw = (from, to) => {
      mark.setAttribute("x", (from - 1) * step);
      mark.setAttribute("width", from > to ? 0 : (to - from + 1) * step);
    };
    const drawChosen = () => draw(Data.part?.from ?? 1, Data.part?.to ?? 0);
    let start = 0, startX = 0;
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0)
        return;
      event.preventDefault();
      start = binAt(event);
      startX = event.clientX;
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      if (start)
        draw(Math.min(start, binAt(event)), Math.max(start, binAt(event)));
    });
    svg.addEventListener("pointerup", (event) => {
      if (start && Math.abs(event.clientX - startX) < 3)
        Time.chooseAll();
      else if (start)
        Time.choose(start, binAt(event));
      start = 0;
    });
    svg.addEventListener("pointercancel", () => {
      start = 0;
      drawChosen();
    });
    Data.onChange(drawChosen);
    drawChosen();
  }

  /** How much was touched in the part of the run that is chosen. */
  function tellPart(all) {
    const result = element("p", {id: "part-told", "aria-live": "polite"});
    const update = () => {
      result.hidden = !Data.part;
      if (!Data.part)
        return;
      const {from, to} = Data.part;
      const chosen = all.slice(from - 1, to).map((b, i) => [b, timeOf(from - 1 + i)]);
      const whole = chosen.reduce((sum, [, time]) => sum + time, 0) || 1;
      const mean = (field) => Text.bytes(chosen.reduce((sum, [b, time]) => sum + field(b) * time, 0) / whole);
      result.textContent = `In ${Time.describe(Data.part)}, ${mean((b) => b.live)} live; ${mean((b) => b.before)} ` +
        `of pages are touched without hints, and ${mean((b) => b.hot + b.cold)} with them.`;
    };
    Data.onChange(update);
    update();
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
    const whole = all.reduce((sum, b, i) => sum + timeOf(i), 0) || 1;
    const mean = (field) => all.reduce((sum, b, i) => sum + field(b) * timeOf(i), 0) / whole;
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
      const label = (what, size) => `window ${i + 1}: ${Text.bytes(size)} ${what}`;
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
    chooseByMouse(svg, step);
    const told = (when, without, with_) => element("p", {},
      `${when}, ${Text.bytes(without)} of pages are touched without hints, and ${Text.bytes(with_)} with them.`);
    return element("section", {id: "memory", class: "memory"}, element("h2", {}, "Memory"),
      ...(Data.phases.length > 1 ? Data.phases.map(([name], i) =>
        told(name ? `In the phase "${name}"` : "Before and between phases", inPhase(i, (b) => b.before), inPhase(i, (b) => b.hot + b.cold)))
        : [told("In the mean of the run", before, after)]),
      tellPart(all), svg,
      element("ul", {class: "legend"}, element("li", {class: "hot"}, "touched, ordinary pages"),
        element("li", {class: "cold"}, "touched, cold pages"), element("li", {class: "idle"}, "idle")),
      element("p", {class: "hint"}, "From the start of the run to its end, in equal parts of processor time. Pages are those that the model predicts. Drag across windows, or choose them above, to see in all views what is touched or idle then; a click shows the whole run again."));
  }

  return {create};
})();
