// Numbers as people read them, and elements that hold text. Names come from
// programs, so nothing is ever parsed as HTML.
const Text = (() => {
  const counts = new Intl.NumberFormat("en");

  function bytes(value) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let unit = 0;
    while (value >= 1024 && unit + 1 < units.length) {
      value /= 1024;
      ++unit;
    }
    return `${unit ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
  }

  function milliseconds(value) {
    return value >= 10000 ? `${(value / 1000).toFixed(1)} s`
                          : `${value >= 10 ? counts.format(Math.round(value)) : value.toFixed(1)} ms`;
  }

  /** A number in a table: "1.2M" would hide what differs, so all its digits. */
  function count(value) {
    return counts.format(Math.round(value));
  }

  function percent(part, whole) {
    return whole ? `${(100 * part / whole).toFixed(1)} %` : "-";
  }

  /** A name without what is between its outermost angle brackets, if it is
      long. */
  function shortName(name) {
    if (name.length <= 60)
      return name;
    let result = "", depth = 0;
    for (let i = 0; i < name.length; ++i) {
      const c = name[i];
      // "operator<", "operator->" and the like have no pair.
      const isBracket = (c === "<" || c === ">") && !/operator[-<>=]*$/.test(name.slice(Math.max(0, i - 12), i));
      if (isBracket && c === "<" && depth++ === 0)
        result += "<\u2026>";
      else if (isBracket && c === ">")
        depth = Math.max(0, depth - 1);
      else if (depth === 0)
        result += c;
    }
    return result;
  }

  /** "dir/file.cpp:8" of a longer path. */
  function shortPlace(place) {
    return place.split("/").slice(-2).join("/");
  }

  /** A place in the source, with a link to it if the page was told where
      sources are. */
  function place(frame, text = Data.placeOf(frame)) {
    const href = Data.sourceOf(frame);
    return href ? element("a", {href, rel: "noreferrer"}, text) : text;
  }

  /** A value of a record or a sum of some. */
  function value(of, values) {
    if (of.name === "change") {
      const [before, after] = ["before", "after"].map((name) => values[Data.valueIndex.get(name)]);
      return after === before ? "0 B" : `${after > before ? "+" : "\u2212"}${bytes(Math.abs(after - before))}`;
    }
    if (of.name !== "lifetime")
      return of.isBytes ? bytes(values[of.index]) : count(values[of.index]);
    const objects = values[Data.valueIndex.get("objects")];
    return objects ? milliseconds(values[of.index] / objects) : "";
  }

  /** An element with attributes and children; strings become text. */
  function element(tag, attributes = {}, ...children) {
    const result = document.createElement(tag);
    for (const [name, text] of Object.entries(attributes))
      if (name.startsWith("on"))
        result.addEventListener(name.slice(2), text);
      else if (name === "style")
        for (const [property, setting] of Object.entries(text))
          result.style.setProperty(property, setting);
      else if (text !== null)
        result.setAttribute(name, text);
    result.append(...children);
    return result;
  }

  /** How much of a value is of which class, as a small bar. */
  function mix(byClass) {
    const result = element("span", {class: "mix"});
    const told = [];
    for (const [kind, part] of byClass)
      if (part > 0) {
        result.append(element("i", {class: kind, style: {"flex-grow": part}}));
        told.push(Data.titles.get(kind).toLowerCase());
      }
    result.title = told.join(", ");
    return result;
  }

  return {bytes, milliseconds, count, percent, shortName, shortPlace, place, value, element, mix};
})();
