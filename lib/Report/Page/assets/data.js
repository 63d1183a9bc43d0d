// The data of the page: contexts, what was summed up of the others, and trees
// of their stacks. Nothing here draws.
const Data = (() => {
  const raw = JSON.parse(document.getElementById("data").textContent);
  const values = raw.values.map(([name, heading], index) => ({
    name, heading, index,
    isBytes: ["bytes", "live", "pages", "saved", "before", "after", "change", "coldBefore", "coldAfter"].includes(name),
  }));
  const valueIndex = new Map(values.map((v) => [v.name, v.index]));
  const outcomes = raw.outcomes.map(([kind, name, advice], index) => ({kind, name, advice, index}));
  /** What people call the kinds of outcomes. */
  const titles = new Map(raw.kinds);

  /** Numbers of names of the C++ library. */
  const library = new Set(raw.library);
  const frames = [];
  for (let i = 0; i < raw.frames.length; i += 4)
    frames.push({
      number: raw.frames[i],
      name: raw.strings[raw.frames[i]],
      file: raw.strings[raw.frames[i + 1]],
      line: raw.frames[i + 2],
      place: raw.strings[raw.frames[i + 3]],
      isLibrary: library.has(raw.frames[i]),
    });

  /** Where a frame is: "file.cpp:8", or "+5:18" in its function. */
  function placeOf(frame) {
    return frame.line ? `${frame.file}:${frame.line}` : frame.place;
  }

  /** The address of a frame's line, if the page was told where sources are. */
  function sourceOf(frame) {
    if (!frame?.line)
      return "";
    const {file} = frame;
    const [folder, address] = raw.sources.find(([f]) =>
      f ? file.startsWith(f) : !file.startsWith("/") && !file.startsWith("../")) ?? [];
    if (address === undefined)
      return "";
    const below = file.slice(folder.length).split("/").filter((p) => p).map(encodeURIComponent).join("/");
    return address.replaceAll("{file}", () => below).replaceAll("{line}", String(frame.line));
  }

  /** Records of a flat array: node, outcome, number of contexts, values. */
  function records(flat) {
    const stride = 3 + values.length, result = [];
    for (let i = 0; i < flat.length; i += stride)
      result.push({
        node: flat[i],
        outcome: flat[i + 1],
        contexts: flat[i + 2],
        values: flat.slice(i + 3, i + stride),
      });
    return result;
  }

  /** A tree of functions that call each other; node 0 is its root, above all
      that is in the data. Calls of a function at several places are one node. */
  class Tree {
    /** Of nodes with a parent and a frame each. A negative frame stands for a
        function, and the next one below it is a place in that function. What
        is hidden is left out: what is below it is one level up. */
    constructor(flat, isHidden) {
      this.nodes = [{parent: -1, name: -1, depth: 0, children: new Map(), places: new Set(), own: []}];
      this.raw = [];
      /** By number in the data, from 0 for the root. */
      this.merged = [0];
      for (let i = 0; i < flat.length; i += 2) {
        const parent = flat[i] + 1, frame = flat[i + 1];
        const isPlace = frame >= 0 && parent > 0 && this.raw[parent - 1].frame < 0;
        this.raw.push({parent, frame});
        const name = frame < 0 ? -1 - frame : frames[frame].number;
        this.merged.push(isPlace || isHidden(name) ? this.merged[parent] : this.child(this.merged[parent], frame));
        if (isPlace && !isHidden(name))
          this.nodes[this.merged[parent]].places.add(placeOf(frames[frame]));
      }
    }
    child(parent, frame) {
      const of = this.nodes[parent];
      const name = frame < 0 ? -1 - frame : frames[frame].number;
      let known = of.children.get(name);
      if (known === undefined) {
        known = this.nodes.length;
        this.nodes.push({parent, name, depth: of.depth + 1, children: new Map(), places: new Set(), own: []});
        of.children.set(name, known);
      }
      if (frame >= 0)
        this.nodes[known].places.add(placeOf(frames[frame]));
      return known;
    }
    /** The name and the place of a node. */
    label(index) {
      const {name, places} = this.nodes[index];
      if (name < 0)
        return {name: "all contexts", place: ""};
      return {name: raw.strings[name],
              place: places.size > 1 ? `${places.size} places` : [...places].join("")};
    }
    /** Of a sum of contexts that allocate alike: their function, and the frame
        that they allocate at if it is known. */
    allocationOf(sum) {
      let owner = null, frame = null;
      for (let at = sum.node + 1; at > 0; at = this.raw[at - 1].parent) {
        frame = owner;
        owner = this.raw[at - 1].frame;
      }
      return {name: owner === null ? null : raw.strings[-1 - owner],
              frame: frame === null ? null : frames[frame]};
    }
  }

  /** What contexts allocate; of no records if nobody looked. */
  const types = [];
  for (let i = 0; i < (raw.types ?? []).length; i += 3)
    types.push({name: raw.strings[raw.types[i]], isKnown: raw.types[i + 1] === 1,
                advice: raw.strings[raw.types[i + 2]]});

  const contexts = records(raw.contexts);
  const rootSums = records(raw.rootSums), leafSums = records(raw.leafSums);
  let fromRoot = null, fromLeaf = null;

  if (types.length) {
    contexts.forEach((c, i) => { c.type = raw.contextTypes[i]; });
    leafSums.forEach((s, i) => { s.type = raw.leafTypes[i]; });
  }
  /** The frames above a node of the tree from the root, from the allocation on. */
  function stackOf(node) {
    const result = [];
    for (let at = node; at >= 0; at = raw.rootTree[2 * at])
      result.push(raw.rootTree[2 * at + 1]);
    return result;
  }
  rootSums.forEach((s) => {
    s.stack = stackOf(s.node);
    s.isSummedUp = true;
  });
  contexts.forEach((c, i) => {
    [c.name, c.heat, c.note] = raw.details[i];
    c.stack = stackOf(c.node);
    // What asks for the memory: the first that is not of the C++ library.
    c.owner = Math.max(0, c.stack.findIndex((frame) => !frames[frame].isLibrary));
  });

  /** Makes the trees, with or without the C++ library. */
  function grow(hidesLibrary) {
    const isHidden = (name) => hidesLibrary && library.has(name);
    fromRoot = new Tree(raw.rootTree, isHidden);
    fromLeaf = new Tree(raw.leafTree, isHidden);
    for (const sum of rootSums)
      fromRoot.nodes[fromRoot.merged[sum.node + 1]].own.push({...sum, isSum: true});
    for (const sum of leafSums)
      fromLeaf.nodes[fromLeaf.merged[sum.node + 1]].own.push({...sum, isSum: true});
    for (const c of contexts) {
      fromRoot.nodes[fromRoot.merged[c.node + 1]].own.push(c);
      const end = c.stack.reduce((at, frame) =>
        isHidden(frames[frame].number) ? at : fromLeaf.child(at, frame), 0);
      fromLeaf.nodes[end].own.push(c);
    }
  }
  grow(false);

  const totals = values.map((v) =>
    [...contexts, ...rootSums].reduce((sum, r) => sum + r.values[v.index], 0));

  /** What is chosen for all views. `when` is a part of the run, as "5-9" for the
      windows from the fifth to the ninth, and "5-9 idle" for what lived in them
      and was not touched. */
  const state = {value: null, only: "", search: "", hidesLibrary: false, when: ""};
  const numBins = raw.bins.length / 4;
  let part = null;

  /** The part of the run that is called that; null for all of it, and for what
      is not in the run. */
  function partOf(when) {
    const [, from, to, idle] = when.match(/^(\d+)-(\d+)( idle)?$/) ?? [];
    if (from === undefined || from < 1 || Number(from) > Number(to) || to > numBins)
      return null;
    return {from: Number(from), to: Number(to), isIdle: idle !== undefined};
  }

  /** Whether a record lived in that part and was touched, or was idle. When
      those were that were summed up is not in the data. */
  function isIn(record) {
    const heat = (record.heat ?? "").slice(part.from - 1, part.to);
    return /[1-9]/.test(heat) ? !part.isIdle : part.isIdle && heat.includes("0");
  }

  /** What is chosen is in the address of the page, for others to see the same. */
  const address = {
    choices: new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : ""),
    get(name) {
      return this.choices.get(name) ?? "";
    },
    set(name, value) {
      if (value)
        this.choices.set(name, value);
      else
        this.choices.delete(name);
      history.replaceState(null, "", `#${this.choices}`);
    },
  };
  const listeners = [];

  return {
    raw, values, valueIndex, outcomes, titles, types, frames, placeOf, sourceOf, contexts,
    rootSums, leafSums, totals, state, address, partOf, numBins,
    get part() { return part; },
    hasLibrary: library.size > 0,
    get fromRoot() { return fromRoot; },
    get fromLeaf() { return fromLeaf; },
    bins: raw.bins, phases: raw.phases,
    /** Whether a record is of what was chosen. */
    isChosen(record) {
      const {only} = state;
      return (!only || outcomes[record.outcome].kind === only ||
              `reason ${record.outcome}` === only) && (!part || isIn(record));
    },
    change(what) {
      Object.assign(state, what);
      part = partOf(state.when);
      if ("hidesLibrary" in what)
        grow(state.hidesLibrary);
      for (const [name, value] of Object.entries(what))
        address.set(name, name === "value" ? value.name : value === true ? "yes" : value);
      for (const listener of listeners)
        listener(what);
    },
    onChange(listener) {
      listeners.push(listener);
    },
  };
})();
