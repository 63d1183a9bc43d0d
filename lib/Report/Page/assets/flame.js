// The flame graph: an icicle of boxes, the widest call at the top. Each box is
// an element of its own, so that it has focus, a text and a position.
const Flame = (() => {
  const {element} = Text;
  const rowHeight = 20, leastWidth = 0.0008;
  let isRootFirst = Data.address.get("way") !== "allocation", zoomed = 0, sums = null, area = null, told = null, matched = null;
  let callers = null;

  const tree = () => (isRootFirst ? Data.fromRoot : Data.fromLeaf);

  /** For each node its value with all below it, and that by class. */
  function sumUp() {
    const {nodes} = tree(), {index} = Data.state.value;
    sums = nodes.map(() => ({all: 0, byClass: new Map(), contexts: 0}));
    const add = (to, kind, value) => to.byClass.set(kind, (to.byClass.get(kind) ?? 0) + value);
    // Children come after their parents.
    for (let i = nodes.length - 1; i >= 0; --i) {
      const sum = sums[i];
      for (const r of nodes[i].own)
        if (Data.isChosen(r)) {
          sum.all += r.values[index];
          sum.contexts += r.contexts;
          add(sum, Data.outcomes[r.outcome].kind, r.values[index]);
        }
      if (i === 0)
        break;
      const above = sums[nodes[i].parent];
      above.all += sum.all;
      above.contexts += sum.contexts;
      for (const [kind, value] of sum.byClass)
        add(above, kind, value);
    }
  }

  /** The parts of a node's own that were summed up. */
  function smaller(node) {
    const {index} = Data.state.value;
    const result = {all: 0, contexts: 0, byClass: new Map(), isSum: true};
    for (const r of node.own)
      if (r.isSum && Data.isChosen(r)) {
        result.all += r.values[index];
        result.contexts += r.contexts;
        const {kind} = Data.outcomes[r.outcome];
        result.byClass.set(kind, (result.byClass.get(kind) ?? 0) + r.values[index]);
      }
    return result;
  }

  function isFound(label) {
    const wanted = Data.state.search.toLowerCase();
    return wanted !== "" && `${label.name} ${label.place}`.toLowerCase().includes(wanted);
  }

  function tell(label, sum) {
    const {value} = Data.state;
    const parts = [...sum.byClass].filter(([, v]) => v > 0).sort((a, b) => b[1] - a[1])
      .map(([kind, v]) => `${Data.titles.get(kind).toLowerCase()} ${Text.percent(v, sum.all)}`);
    const values = Data.values.map(() => 0);
    values[value.index] = sum.all;
    const amount = value.isBytes ? Text.bytes(sum.all) : Text.count(sum.all);
    return `${label.name}${label.place ? `, ${label.place}` : ""}: ${amount}, ` +
           `${Text.percent(sum.all, sums[0].all)} of ${value.heading.toLowerCase()}, ` +
           `${Text.count(sum.contexts)} contexts: ${parts.join(", ")}`;
  }

  function box(label, sum, left, width, depth, node, isAbove) {
    const order = [...sum.byClass].sort((a, b) => b[1] - a[1]);
    const kind = order.length ? order[0][0] : "kept";
    const classes = ["box", kind];
    const style = {left: `${100 * left}%`, width: `${100 * width}%`, top: `${depth * rowHeight}px`};
    if (order.filter(([, v]) => v > 0).length > 1) {
      classes.push("mixed");
      let at = 0;
      const stops = order.map(([k, v]) => {
        const from = at;
        at += 100 * v / sum.all;
        return `var(--${k}) ${from.toFixed(1)}% ${at.toFixed(1)}%`;
      });
      style["--blend"] = `to right, ${stops.join(", ")}`;
    }
    if (isAbove)
      classes.push("above");
    if (sum.isSum)
      classes.push("sum");
    if (isFound(label))
      classes.push("found");
    const text = tell(label, sum);
    return element("button", {
      class: classes.join(" "), style, title: text,
      "data-node": node, "data-depth": depth,
      tabindex: depth === 0 ? 0 : -1,
      onclick: () => { if (!sum.isSum) zoom(node); },
      onfocus: () => { told.textContent = text; },
      onmouseenter: () => { told.textContent = text; },
    }, Text.shortName(label.name));
  }

  function draw() {
    const {nodes} = tree();
    const boxes = [];
    // Those above what is zoomed to fill the whole width.
    const above = [];
    for (let at = zoomed; at !== -1; at = nodes[at].parent)
      above.unshift(at);
    above.forEach((node, depth) =>
      boxes.push(box(tree().label(node), sums[node], 0, 1, depth, node, node !== zoomed)));
    const whole = sums[zoomed].all;
    const pending = whole > 0 ? [[zoomed, 0, 1]] : [];
    let deepest = above.length;
    while (pending.length) {
      const [parent, left] = pending.pop();
      let at = left;
      const depth = nodes[parent].depth + 1;
      const children = [...nodes[parent].children.values()].sort((a, b) => sums[b].all - sums[a].all || a - b);
      for (const child of children) {
        const width = sums[child].all / whole;
        if (width < leastWidth)
          continue;
        deepest = Math.max(deepest, depth + 1);
        boxes.push(box(tree().label(child), sums[child], at, width, depth, child, false));
        pending.push([child, at]);
        at += width;
      }
      const rest = smaller(nodes[parent]);
      const width = rest.all / whole;
      if (width >= leastWidth) {
        deepest = Math.max(deepest, depth + 1);
        boxes.push(box({name: `${Text.count(rest.contexts)} smaller contexts`, place: ""}, rest,
                       at, width, depth, parent, false));
      }
    }
    area.replaceChildren(element("div", {style: {height: `${deepest * rowHeight}px`}}), ...boxes);
    callers.hidden = zoomed === 0;
    area.classList.toggle("searching", Data.state.search !== "");
    matched.textContent = Data.state.search
      ? `${hasSums() ? "at least " : ""}${Text.percent(found(), sums[0].all)} goes through what was found` : "";
  }

  /** Whether contexts were summed up, of which the deepest calls are not known. */
  function hasSums() {
    return (isRootFirst ? Data.rootSums : Data.leafSums).some(Data.isChosen);
  }

  /** The value of what was found, each context once. */
  function found() {
    const {nodes} = tree();
    let result = 0;
    const pending = [0];
    while (pending.length) {
      const node = pending.pop();
      if (node && isFound(tree().label(node)))
        result += sums[node].all;
      else
        pending.push(...nodes[node].children.values());
    }
    return result;
  }

  function zoom(node) {
    zoomed = node;
    Data.address.set("zoom", node ? String(node) : "");
    draw();
    const target = area.querySelector(`.box[data-node="${node}"]:not(.sum)`);
    target.focus({preventScroll: true});
  }

  /** Shows who calls the function of a box, and what it calls. */
  function showCallers(node) {
    if (node > 0)
      Callers.show(tree().label(node).name);
  }

  /** Arrows go to the box above, below or beside. */
  function move(event) {
    const at = event.target;
    if (!at.classList?.contains("box"))
      return;
    if (event.key === "c" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      showCallers(Number(at.dataset.node));
      return;
    }
    if (event.key === "Escape") {
      zoom(0);
      return;
    }
    const depth = Number(at.dataset.depth) +
      ({ArrowUp: -1, ArrowDown: 1, ArrowLeft: 0, ArrowRight: 0}[event.key] ?? NaN);
    if (Number.isNaN(depth))
      return;
    event.preventDefault();
    const row = [...area.querySelectorAll(`.box[data-depth="${depth}"]`)]
      .sort((a, b) => a.offsetLeft - b.offsetLeft);
    const middle = at.offsetLeft + at.offsetWidth / 2;
    const place = row.indexOf(at);
    const next = event.key === "ArrowLeft" ? row[place - 1]
      : event.key === "ArrowRight" ? row[place + 1]
      : row.find((b) => b.offsetLeft <= middle && middle <= b.offsetLeft + b.offsetWidth) ??
        row.find((b) => b.offsetLeft >= at.offsetLeft);
    next?.focus();
  }

  function restart(at = 0) {
    zoomed = at > 0 && at < tree().nodes.length ? at : 0;
    Data.address.set("zoom", zoomed ? String(zoomed) : "");
    sumUp();
    draw();
  }

  function create() {
    area = element("div", {class: "flame", role: "group", "aria-label": "Flame graph", onkeydown: move});
    told = element("p", {class: "told", "aria-live": "polite"});
    matched = element("span", {class: "hint", id: "matched"});
    callers = element("button", {id: "callers-of-zoomed", onclick: () => showCallers(zoomed)}, "Callers and callees");
    const buttons = [[true, "From the root"], [false, "From the allocation"]].map(([way, text]) =>
      element("button", {"data-root": way, "aria-pressed": way === isRootFirst, onclick: () => {
        isRootFirst = way;
        Data.address.set("way", way ? "" : "allocation");
        for (const b of buttons)
          b.setAttribute("aria-pressed", b.dataset.root === String(way));
        restart();
      }}, text));
    Data.onChange((what) => {
      if ("search" in what && Object.keys(what).length === 1)
        draw();
      else
        restart();
    });
    const result = element("section", {id: "flame"}, element("h2", {}, "Flame graph"),
      element("span", {class: "choice", role: "group", "aria-label": "Order"}, ...buttons),
      element("button", {onclick: () => zoom(0)}, "Whole graph"), " ",
      callers, " ", matched, area, told,
      element("p", {class: "hint"}, "A box is a call; its width is what is chosen above. Click or press Enter to zoom, arrows to move, C for callers and callees, Esc to see all."));
    restart(Number(Data.address.get("zoom")));
    return result;
  }

  return {create};
})();
