// One function: who calls it on the way to allocations, what it calls, and how
// much goes through each. Of a function that calls itself, the outermost call
// counts, so that each context is counted once.
const Callers = (() => {
  const {element} = Text;
  const shownAtFirst = 40;
  let input = null, told = null, tables = null, section = null;
  let chosen = Data.address.get("function");
  const unfolded = new Set();

  /** Numbers and names of all functions. */
  const numbers = new Map(Data.frames.map((f) => [f.name, f.number]));

  function emptyNode(name) {
    return {name, children: new Map(), values: Data.values.map(() => 0), cold: 0, contexts: 0};
  }

  function add(node, record) {
    record.values.forEach((v, i) => { node.values[i] += v; });
    node.contexts += record.contexts;
    if (["gained", "missed"].includes(Data.outcomes[record.outcome].kind))
      node.cold += record.values[Data.valueIndex.get("bytes") ?? 0];
  }

  function addPath(tree, path, record) {
    add(tree, record);
    let at = tree;
    for (const name of path) {
      if (!at.children.has(name))
        at.children.set(name, emptyNode(name));
      at = at.children.get(name);
      add(at, record);
    }
  }

  /** What calls the function and what it calls, as trees of it. */
  function trees() {
    const number = numbers.get(chosen);
    const callers = emptyNode(chosen), callees = emptyNode(chosen);
    const names = (frames) => frames.map((f) => Data.frames[f])
      .filter((f) => !Data.state.hidesLibrary || !f.isLibrary).map((f) => f.name);
    for (const record of [...Data.contexts, ...Data.rootSums]) {
      if (!Data.isChosen(record))
        continue;
      const at = record.stack.findLastIndex((f) => Data.frames[f].number === number);
      if (at < 0)
        continue;
      addPath(callers, names(record.stack.slice(at + 1)), record);
      const below = names(record.stack.slice(0, at).reverse());
      addPath(callees, [...below, record.isSummedUp ? "smaller contexts" : "allocated here"], record);
    }
    return {callers, callees};
  }

  /** The values that are told, beside that which is chosen for all views. */
  function columns() {
    const told_ = ["bytes", "objects", "before", "after", "change", "coldBefore", "coldAfter", Data.state.value.name];
    return Data.values.filter((v) => told_.includes(v.name));
  }

  function children(node) {
    const {index} = Data.state.value;
    return [...node.children.values()].sort((a, b) =>
      b.values[index] - a.values[index] || a.name.localeCompare(b.name, "en"));
  }

  function nameCell(node, id, depth) {
    const isFunction = numbers.has(node.name);
    const isOpen = unfolded.has(id);
    return element("td", {class: "name", style: {"--depth": depth}},
      node.children.size ? element("button", {
        class: "fold", "data-id": id, "aria-expanded": isOpen, "aria-label": `${isOpen ? "fold" : "unfold"} ${node.name}`,
        onclick: () => {
          if (!unfolded.delete(id))
            unfolded.add(id);
          draw();
          [...tables.querySelectorAll("button.fold")].find((b) => b.dataset.id === id)?.focus();
        },
      }, isOpen ? "\u25be" : "\u25b8") : element("span", {class: "fold"}),
      isFunction ? element("button", {class: "link", title: node.name, onclick: () => show(node.name)},
                           element("code", {}, Text.shortName(node.name))) : node.name);
  }

  /** A row for each child of a node that is unfolded, and for theirs. */
  function rows(node, whole, path, depth) {
    const result = [];
    const all = children(node);
    for (const child of all.slice(0, shownAtFirst)) {
      const id = `${path}\n${child.name}`;
      const cells = columns().map((v) => element("td", {
        class: "number share", "data-heading": v.heading,
        style: {"--part": Text.percent(child.values[v.index], whole.values[v.index]).replace(" ", "")},
        title: `${Text.percent(child.values[v.index], whole.values[v.index])} of ${chosen}`,
      }, Text.value(v, child.values)));
      if (Data.valueIndex.has("bytes"))
        cells.splice(1, 0, element("td", {class: "number", "data-heading": "Of these cold"}, Text.bytes(child.cold)));
      result.push(element("tr", {}, nameCell(child, id, depth), ...cells,
        element("td", {class: "number", "data-heading": "Contexts"}, Text.count(child.contexts))));
      if (unfolded.has(id))
        result.push(...rows(child, whole, id, depth + 1));
    }
    if (all.length > shownAtFirst)
      result.push(element("tr", {}, element("td", {class: "name", colspan: 20},
        `and ${Text.count(all.length - shownAtFirst)} with less`)));
    return result;
  }

  function table(title, tree, kind, none) {
    const heading = (text) => element("th", {class: "number", scope: "col"}, text);
    const headings = columns().map((v) => heading(v.heading));
    if (Data.valueIndex.has("bytes"))
      headings.splice(1, 0, heading("Of these cold"));
    const body = rows(tree, tree, kind, 0);
    return element("div", {class: `scroll ${kind}`}, element("h3", {}, title),
      body.length ? element("table", {"aria-label": title},
        element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "Function"), ...headings, heading("Contexts"))),
        element("tbody", {}, ...body)) : element("p", {}, none));
  }

  function draw() {
    input.value = chosen;
    if (!chosen) {
      told.textContent = "Choose a function to see who calls it and what it calls: here, in the graph, or in a stack of the table.";
      tables.replaceChildren();
      return;
    }
    if (!numbers.has(chosen)) {
      told.textContent = `The page has no function ${chosen}.`;
      tables.replaceChildren();
      return;
    }
    const {callers, callees} = trees();
    if (callers.contexts === 0) {
      told.textContent = `None of the contexts that are shown go through ${chosen}.`;
      tables.replaceChildren();
      return;
    }
    const {value} = Data.state;
    const cold = Data.valueIndex.has("bytes") ? `, ${Text.bytes(callers.cold)} of it cold` : "";
    told.textContent = `${callers.contexts === 1 ? "1 context goes" : `${Text.count(callers.contexts)} contexts go`} through it: ` +
      `${value.heading.toLowerCase()} ${Text.value(value, callers.values)}, ${Text.percent(callers.values[value.index], Data.totals[value.index])} of all` +
      `${value.name === "bytes" ? cold : ""}.`;
    tables.replaceChildren(table("Callers", callers, "callers", "Nothing that is known calls it."),
                           table("Callees", callees, "callees", "It calls nothing that is shown."));
  }

  /** Chooses a function, and goes to it. */
  function show(name) {
    choose(name);
    section.scrollIntoView();
    input.focus({preventScroll: true});
  }

  function choose(name) {
    chosen = name;
    unfolded.clear();
    Data.address.set("function", name);
    draw();
  }

  function create() {
    const names = [...numbers.keys()].sort((a, b) => a.localeCompare(b, "en"));
    input = element("input", {id: "function-name", type: "text", list: "function-names", placeholder: "Name of a function",
                              onchange: () => choose(input.value.trim())});
    told = element("p", {class: "told", "aria-live": "polite"});
    tables = element("div", {class: "sandwich"});
    section = element("section", {id: "callers", class: "wide"}, element("h2", {}, "Callers and callees"),
      element("label", {}, "Function ", input),
      element("datalist", {id: "function-names"}, ...names.map((name) => element("option", {value: name}))),
      told, tables);
    Data.onChange((what) => {
      if (!("search" in what))
        draw();
    });
    draw();
    return section;
  }

  return {create, show};
})();
