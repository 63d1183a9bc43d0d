// The part of the run that all views are of: the whole, a phase, or some of its
// windows. It is chosen here, or drawn with the mouse in the picture of memory.
const Time = (() => {
  const {element} = Text;
  const perPhase = Data.numBins / Math.max(Data.phases.length, 1);
  const isTold = Data.phases.length > 1;
  let part = null, from = null, to = null, idle = null, numbers = null;

  function phaseName(index) {
    return Data.phases[index][0] || "not named";
  }

  /** "windows 5 to 9", or the name of a phase. */
  function describe({from: first, to: last}) {
    if (isTold && (first - 1) % perPhase === 0 && last - first + 1 === perPhase)
      return `the phase "${phaseName((first - 1) / perPhase)}"`;
    return first === last ? `window ${first}` : `windows ${first} to ${last}`;
  }

  function choose(first, last) {
    const ends = [first, last].map((v) => Math.min(Math.max(Math.round(v) || 1, 1), Data.numBins));
    Data.change({when: `${Math.min(...ends)}-${Math.max(...ends)}${idle.value}`});
  }

  function chooseAll() {
    Data.change({when: ""});
  }

  /** Shows what is chosen. */
  function update() {
    const chosen = Data.part;
    idle.hidden = !chosen;
    numbers.hidden = !chosen;
    if (!chosen) {
      part.value = "";
      idle.value = "";
      return;
    }
    from.value = chosen.from;
    to.value = chosen.to;
    idle.value = chosen.isIdle ? " idle" : "";
    const whole = `${chosen.from}-${chosen.to}`;
    part.value = [...part.options].some((o) => o.value === whole) ? whole : "windows";
  }

  /** The controls; nothing if the profile has no windows. */
  function create() {
    if (!Data.numBins)
      return null;
    const phases = isTold ? Data.phases.map((_, i) =>
      element("option", {value: `${i * perPhase + 1}-${(i + 1) * perPhase}`}, `Phase ${phaseName(i)}`)) : [];
    part = element("select", {id: "part", onchange: () => {
      if (part.value === "")
        chooseAll();
      else if (part.value === "windows")
        choose(1, Data.numBins);
      else
        choose(...part.value.split("-").map(Number));
    }}, element("option", {value: ""}, "The whole run"), ...phases, element("option", {value: "windows"}, "Windows"));
    const number = (id, label) => element("input", {
      id, type: "number", min: 1, max: Data.numBins, "aria-label": label,
      onchange: () => choose(from.valueAsNumber, to.valueAsNumber),
    });
    from = number("from", "First window");
    to = number("to", "Last window");
    numbers = element("span", {}, from, " to ", to);
    idle = element("select", {id: "idle", "aria-label": "What happened to the memory then", onchange: () =>
      choose(Data.part.from, Data.part.to)},
      element("option", {value: ""}, "touched then"), element("option", {value: " idle"}, "idle then"));
    Data.onChange(update);
    update();
    return element("span", {class: "time"}, element("label", {}, "Time ", part), numbers, idle);
  }

  return {choose, chooseAll, create, describe};
})();
