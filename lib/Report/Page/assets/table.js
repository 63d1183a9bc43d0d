// The table: places of allocations, functions, types or reasons, which unfold to
// contexts; and contexts, which unfold to their stacks.
const Table = (() => {
  const {element} = Text;
  const shownAtFirst = 100, shownOfGroup = 50;
  const kinds = ["gained", "missed", "wrong", "kept"];
  let by = Data.address.get("by") || "place", sortBy = null, isRising = false, limit = shownAtFirst;
  let body = null, head = null, more = null;
  const unfolded = new Set();

  /** Rows of everything that was chosen. */
  function groups() {
    const result = new Map();
    const add = (key, label, record, context) => {
      let group = result.get(key);
      if (!group) {
        group = {key, ...label, contexts: 0, listed: [], smaller: 0, records: [],
                 values: Data.values.map(() => 0)};
        result.set(key, group);
      }
      group.contexts += record.contexts;
      group.records.push(record);
      record.values.forEach((v, i) => { group.values[i] += v; });
      if (context)
        group.listed.push(context);
      else
        group.smaller += record.contexts;
    };
    const reason = (r) => {
      const outcome = Data.outcomes[r.outcome];
      return [`reason ${r.outcome}`, {name: outcome.name, place: outcome.advice, isText: true}];
    };
    const type = (r) => {
      const of = Data.types[r.type];
      if (!of)
        return ["", {name: "smaller types", place: "", isText: true}];
      return [`type ${r.type}`, {name: of.name, place: of.advice, isText: !of.isKnown}];
    };
    for (const c of Data.contexts.filter(Data.isChosen)) {
      const leaf = Data.frames[c.stack[c.owner]];
      if (by === "place")
        add(`${leaf.name}\n${Data.placeOf(leaf)}`, {name: leaf.name, place: Data.placeOf(leaf), frame: leaf}, c, c);
      else if (by === "function")
        add(leaf.name, {name: leaf.name, place: leaf.file}, c, c);
      else if (by === "reason")
        add(...reason(c), c, c);
      else if (by === "type")
        add(...type(c), c, c);
      else
        add(c.name, {name: leaf.name, place: `${Data.placeOf(leaf)}, ${c.name}`, context: c}, c, c);
    }
    for (const s of Data.leafSums.filter(Data.isChosen)) {
      if (by === "reason") {
        add(...reason(s), s);
        continue;
      }
      if (by === "type") {
        add(...type(s), s);
        continue;
      }
      if (by === "context") {
        add("", {name: "smaller contexts", place: "", isText: true}, s);
        continue;
      }
      const {name, frame} = Data.fromLeaf.allocationOf(s);
      if (name === null)
        add("", {name: by === "place" ? "smaller places" : "smaller functions", place: "", isText: true}, s);
      else if (by === "function")
        add(name, {name, place: frame ? frame.file : ""}, s);
      else if (frame)
        add(`${name}\n${Data.placeOf(frame)}`, {name, place: Data.placeOf(frame), frame}, s);
      else
        add(`${name}\n*`, {name, place: "smaller places"}, s);
    }
    return [...result.values()];
  }

  function key(row) {
    if (sortBy === "name")
      return row.name;
    if (sortBy === "contexts")
      return row.contexts;
    const value = Data.values.find((v) => v.name === sortBy);
    if (value.name !== "lifetime")
      return row.values[value.index];
    return row.values[value.index] / (row.values[Data.valueIndex.get("objects")] || 1);
  }

  function sorted(rows) {
    const sign = isRising ? 1 : -1;
    return rows.map((row) => [key(row), row])
      .sort(([a, r], [b, s]) =>
        sign * (typeof a === "string" ? a.localeCompare(b, "en") : a - b) ||
        r.name.localeCompare(s.name, "en"))
      .map(([, row]) => row);
  }

  function matches(row) {
    const wanted = Data.state.search.toLowerCase();
    return !wanted || `${row.name} ${row.place}`.toLowerCase().includes(wanted) ||
           row.listed.some((c) => c.name.toLowerCase() === wanted ||
             Data.types[c.type]?.name.toLowerCase().includes(wanted) ||
             c.stack.some((f) => Data.frames[f].name.toLowerCase().includes(wanted)));
  }

  function heatStrip(contexts) {
    const bins = contexts.length ? contexts[0].heat.length : 0;
    const result = element("span", {class: bins > 32 ? "heat many" : "heat"});
    const step = Math.max(1, Math.ceil(bins / 128));
    for (let bin = 0; bin < bins; bin += step) {
      let most = -1;
      for (const c of contexts)
        for (let i = bin; i < Math.min(bins, bin + step); ++i)
          most = Math.max(most, c.heat[i] === "-" ? -1 : Number(c.heat[i]));
      result.append(most < 0 ? element("i", {class: "none"})
                             : element("i", {style: {"--t": Math.round(most * 100 / 9)}}));
    }
    result.title = bins ? "from the start to the end of the run; red where it is touched" : "";
    return bins ? result : "";
  }

  function cells(row, records) {
    const result = [];
    const chosen = Data.state.value;
    const byClass = new Map(kinds.map((k) => [k, 0]));
    for (const r of records) {
      const kind = Data.outcomes[r.outcome].kind;
      byClass.set(kind, byClass.get(kind) + r.values[chosen.index]);
    }
    result.push(element("td", {"data-heading": "Outcome"}, Text.mix(byClass)));
    if (Data.bins.length)
      result.push(element("td", {"data-heading": "When touched"}, heatStrip(row.listed.filter((c) => c.heat))));
    for (const v of Data.values) {
      const part = v.name === "lifetime" ? "0" : Text.percent(row.values[v.index], Data.totals[v.index]);
      result.push(element("td", {class: "number share", "data-heading": v.heading, style: {"--part": part.replace(" ", "")},
                                 title: v.name === "lifetime" ? null : `${part} of all`},
                          Text.value(v, row.values)));
    }
    result.push(element("td", {class: "number", "data-heading": "Contexts"}, Text.count(row.contexts)));
    return result;
  }

  function foldButton(id) {
    const isOpen = unfolded.has(id);
    return element("button", {
      class: "fold", "aria-expanded": isOpen, "aria-label": isOpen ? "fold" : "unfold",
      onclick: () => {
        if (!unfolded.delete(id))
          unfolded.add(id);
        draw();
        [...body.querySelectorAll("button.fold")].find((b) => b.dataset.id === id)?.focus();
      },
      "data-id": id,
    }, isOpen ? "\u25be" : "\u25b8");
  }

  function nameCell(id, row) {
    if (row.isText)
      return element("td", {class: "name"}, id === null ? "" : foldButton(id), row.name,
                     element("small", {}, row.place));
    return element("td", {class: "name", title: `${row.name}\n${row.place}`},
                   id === null ? "" : foldButton(id), element("code", {}, Text.shortName(row.name)),
                   element("small", {}, Text.place(row.frame, Text.shortPlace(row.place))));
  }

  function stackRow(context) {
    const list = element("ol", {class: "stack"});
    for (const number of context.stack) {
      const frame = Data.frames[number];
      list.append(element("li", {}, element("button", {class: "link", title: "Callers and callees",
                                                       onclick: () => Callers.show(frame.name)}, frame.name), " ",
                          element("span", {class: "place"}, Text.place(frame))));
    }
    const outcome = Data.outcomes[context.outcome], type = Data.types[context.type];
    return element("tr", {class: "stack"}, element("td", {colspan: 20},
      element("p", {}, `${context.name}: ${outcome.name}`,
              type?.isKnown ? `, allocates ${type.name}` : "",
              context.note ? ` (${context.note})` : "",
              outcome.advice ? `. ${outcome.advice}` : ""), list));
  }

  function contextRows(context, isChild) {
    const leaf = Data.frames[context.stack[context.owner]],
          caller = Data.frames[context.stack[context.owner + 1]];
    const id = `${isChild ? by : "context"} ${context.name}`;
    const row = {name: isChild && caller ? `\u2190 ${caller.name}` : leaf.name,
                 place: `${Data.placeOf(isChild && caller ? caller : leaf)} \u00b7 ${context.name}: ${Data.outcomes[context.outcome].name}`,
                 frame: isChild && caller ? caller : leaf,
                 values: context.values, contexts: context.contexts, listed: [context]};
    const result = [element("tr", {class: isChild ? "child" : null}, nameCell(id, row),
                            ...cells(row, [context]))];
    if (unfolded.has(id))
      result.push(stackRow(context));
    return result;
  }

  function groupRows(row) {
    if (row.context)
      return contextRows(row.context, false);
    const id = row.listed.length ? `${by} ${row.key}` : null;
    const result = [element("tr", {}, nameCell(id, row), ...cells(row, row.records))];
    if (!unfolded.has(id))
      return result;
    const order = row.listed.toSorted((a, b) =>
      b.values[Data.state.value.index] - a.values[Data.state.value.index]);
    for (const c of order.slice(0, shownOfGroup))
      result.push(...contextRows(c, true));
    const others = Math.max(0, order.length - shownOfGroup) + row.smaller;
    if (others)
      result.push(element("tr", {class: "child"}, element("td", {class: "name", colspan: 20},
        `and ${Text.count(others)} smaller contexts, which are in the sums`)));
    return result;
  }

  function drawHead() {
    const row = element("tr");
    const heading = (name, text, isNumber) => row.append(element("th", {
      class: isNumber ? "number" : null, scope: "col", "data-column": name,
      "aria-sort": sortBy === name ? (isRising ? "ascending" : "descending") : null,
    }, element("button", {onclick: () => {
      isRising = sortBy === name ? !isRising : name === "name";
      sortBy = name;
      draw();
      head.querySelector(`[data-column=${name}] button`).focus();
    }}, text)));
    heading("name", {place: "Allocated at", function: "Allocated in", type: "Data type", reason: "What became of it",
                     context: "Context"}[by], false);
    row.append(element("th", {scope: "col"}, "Outcome"));
    if (Data.bins.length)
      row.append(element("th", {scope: "col"}, "When touched"));
    for (const v of Data.values)
      heading(v.name, v.heading, true);
    heading("contexts", "Contexts", true);
    head.replaceChildren(row);
  }

  function draw() {
    drawHead();
    const rows = sorted(groups().filter(matches));
    body.replaceChildren(...rows.slice(0, limit).flatMap(groupRows));
    more.hidden = rows.length <= limit;
    more.textContent = `Show all ${Text.count(rows.length)} rows`;
  }

  function create() {
    sortBy = Data.state.value.name;
    head = element("thead");
    body = element("tbody");
    more = element("button", {class: "more", onclick: () => { limit = Infinity; draw(); }});
    const choice = element("span", {class: "choice", role: "group", "aria-label": "Rows"});
    const ofTypes = Data.types.length ? [["type", "By type"]] : [];
    const buttons = [["place", "By place"], ["function", "By function"], ...ofTypes,
                     ["reason", "By outcome"], ["context", "By context"]].map(([name, text]) =>
      element("button", {"data-by": name, "aria-pressed": name === by, onclick: () => {
        by = name;
        Data.address.set("by", name === "place" ? "" : name);
        limit = shownAtFirst;
        for (const b of buttons)
          b.setAttribute("aria-pressed", b.dataset.by === by);
        draw();
      }}, text));
    choice.append(...buttons);
    Data.onChange((what) => {
      if (what.value) {
        sortBy = what.value.name;
        isRising = false;
      }
      draw();
    });
    const result = element("section", {id: "table", class: "wide"}, element("h2", {}, "Allocations"), choice,
      element("div", {class: "scroll"}, element("table", {}, head, body)), more);
    draw();
    return result;
  }

  return {create};
})();
