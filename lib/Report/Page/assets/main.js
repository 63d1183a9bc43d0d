// Puts the views on the page, and what is chosen for all of them above.
(() => {
  const {element} = Text;
  // What is shared out by width and order: at first what is in memory, if that is
  // known, as hints decide where it lies.
  const useful = Data.values.filter((v) => v.name !== "lifetime");
  const initial = useful.find((v) => ["live", "change"].includes(v.name)) ?? useful[0];
  const {address} = Data;
  Data.state.value = useful.find((v) => v.name === address.get("value")) ?? initial;

  const value = element("select", {id: "value", onchange: (e) =>
    Data.change({value: useful[e.target.selectedIndex]})},
    ...useful.map((v) => element("option", {value: v.name}, v.heading)));
  value.value = Data.state.value.name;

  const kinds = [...Data.titles.keys()].filter((k) => Data.outcomes.some((o) => o.kind === k));
  const only = element("select", {id: "only", onchange: (e) => Data.change({only: e.target.value})},
    element("option", {value: ""}, "Everything"),
    ...kinds.map((k) => element("option", {value: k}, Data.titles.get(k))),
    element("optgroup", {label: "One reason"}, ...Data.outcomes.map((o) =>
      element("option", {value: `reason ${o.index}`}, o.name))));

  // As the address says, unless it is of another page.
  if ([...only.options].some((o) => o.value === address.get("only")))
    only.value = address.get("only");
  Data.state.only = only.value;
  const library = element("input", {id: "library", type: "checkbox", onchange: (e) =>
    Data.change({hidesLibrary: e.target.checked})});

  let waiting = 0;
  const search = element("input", {id: "search", type: "search", placeholder: "Search functions and files ( / )",
    "aria-label": "Search functions and files", oninput: () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => Data.change({search: search.value.trim()}), 120);
    }});
  search.value = address.get("search");
  Data.state.search = search.value;
  if (Data.partOf(address.get("when")))
    Data.change({when: address.get("when")});
  if (address.get("hidesLibrary")) {
    library.checked = true;
    Data.change({hidesLibrary: true});
  }
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !["INPUT", "SELECT"].includes(e.target.tagName)) {
      e.preventDefault();
      search.focus();
    } else if (e.key === "Escape" && e.target === search) {
      search.value = "";
      Data.change({search: ""});
    }
  });

  const listed = Data.contexts.length, summed = Data.raw.all - listed;
  const note = element("output", {id: "listed"});
  const describe = () => {
    note.textContent = Data.part
      ? `${Text.count(Data.contexts.filter(Data.isChosen).length)} contexts of ${Time.describe(Data.part)}` +
        (summed ? "; of the smallest that is not known" : "")
      : `${Text.count(Data.raw.all)} contexts` + (summed ? `; the ${Text.count(summed)} smallest are summed up` : "");
  };
  Data.onChange(describe);
  describe();
  const views = document.getElementById("views");
  views.append(element("div", {class: "tools"}, search,
    element("label", {}, "Width and order ", value), element("label", {}, "Show ", only),
    ...[Time.create()].filter((t) => t),
    ...(Data.hasLibrary ? [element("label", {}, library, " Hide the C++ library in the graph")] : []), note));
  const sections = [Flame.create(), Table.create(), Callers.create(), Memory.create()].filter((s) => s);
  views.append(...sections);
  document.getElementById("links").append(...[...sections, document.getElementById("figures")]
    .filter((s) => s).map((s) =>
      element("a", {href: `#${s.id}`, onclick: (e) => {
        // The address keeps what is chosen.
        e.preventDefault();
        s.scrollIntoView();
      }}, s.querySelector("h2").textContent)));
  document.documentElement.dataset.ready = "yes";
})();
