// Chooses parts of the run and functions as a reader does, and prints what is
// then on the page.
import {withPage} from "../../../scripts/browser.mjs";

const [, , file] = process.argv;

await withPage(file, async (page) => {
  const show = (...what) => console.log(...what);
  const text = (of) => page.evaluate(`document.querySelector("${of}").textContent`);
  const set = (of, value) => page.evaluate(`{
    const e = document.querySelector("${of}");
    e.value = ${JSON.stringify(value)};
    e.dispatchEvent(new Event("change"));
  }`);
  const names = (of) => page.evaluate(`[...document.querySelectorAll("${of} td.name")].map((n) => n.textContent.replace(/^[\\u25b8\\u25be]/, "")).join(", ")`);
  const rows = () => page.evaluate(`[...document.querySelectorAll("#table tbody code")].map((r) => r.textContent).sort().join(", ")`);
  const address = () => page.evaluate("decodeURIComponent(location.hash).replaceAll('+', ' ')");

  // A part of the run: what is touched in it, and what is idle.
  show("windows:", await page.evaluate("Data.numBins"));
  await set("#part", "windows");
  await set("#from", "20");
  await set("#to", "30");
  show("touched:", await rows(), "|", await text("#listed"));
  await set("#idle", " idle");
  show("idle:", await rows());
  show("address:", await address());
  await page.reload();
  show("again:", await rows(), await page.evaluate(`document.querySelector("#from").value`));
  show("told:", await page.evaluate(`document.querySelector("#part-told").textContent.replace(/[0-9.]+ [KM]?i?B/g, "N")`));
  // Numbers that are none, or not in the run.
  await set("#to", "1000");
  show("too far:", await address());
  await set("#from", "");
  show("no number:", await address());
  await set("#part", "");
  show("whole:", await rows(), "|", await text("#listed"));

  // The same with the mouse.
  const drag = (from, to) => page.evaluate(`(() => {
    const svg = document.querySelector("#memory svg"), at = svg.getBoundingClientRect();
    svg.setPointerCapture = () => {};
    const send = (type, part) => svg.dispatchEvent(new PointerEvent(type, {clientX: at.left + at.width * part, button: 0, bubbles: true}));
    send("pointerdown", ${from});
    send("pointermove", ${to});
    send("pointerup", ${to});
  })()`);
  await drag(0.99, 0.51);
  show("dragged:", await address());
  await drag(0.3, 0.3);
  show("clicked:", await address());
  await page.evaluate(`location.hash = "when=7-3"`);
  await page.reload();
  show("another page's:", await text("#listed"));

  // Callers and callees, from a box, from a stack and by name.
  await set("#value", "bytes");
  await page.click(`[...document.querySelectorAll(".box")].find((b) => b.textContent === "make(int)")`);
  await page.key("c");
  show("from a box:", await page.evaluate(`document.querySelector("#function-name").value`), "|", await names("#callers .callers"), "|", await names("#callers .callees"));
  const sums = await page.evaluate(`(() => {
    const sum = (wanted) => Data.contexts.filter(wanted).reduce((s, c) => s + c.values[0], 0);
    const goes = (c) => c.stack.some((f) => Data.frames[f].name === "make(int)");
    const isCold = (c) => ["gained", "missed"].includes(Data.outcomes[c.outcome].kind);
    return [Text.bytes(sum(goes)), Text.percent(sum(goes), Data.totals[0]), Text.bytes(sum((c) => goes(c) && isCold(c)))];
  })()`);
  show("sums:", (await text("#callers .told")).includes(`allocated ${sums[0]}, ${sums[1]} of all, ${sums[2]} of it cold.`));
  show("columns:", await page.evaluate(`[...document.querySelectorAll("#callers .callers th")].map((h) => h.textContent).join(", ")`));
  await page.click(`[...document.querySelectorAll("#callers .callees .fold[data-id]")].at(-1)`);
  show("unfolded:", await names("#callers .callees"));
  await page.click(`[...document.querySelectorAll("#callers .callees button.link")].find((b) => b.textContent === "makeCold(int)")`);
  show("followed:", await page.evaluate(`document.querySelector("#function-name").value`), "|", await names("#callers .callers"), "|", await names("#callers .callees"));
  await page.reload();
  show("again:", await page.evaluate(`document.querySelector("#function-name").value`), "|", await names("#callers .callers"));
  await set("#function-name", "nobody");
  show("unknown:", await text("#callers .told"));
  await set("#function-name", "makeHot(int)");
  await set("#only", "gained");
  show("hidden:", await text("#callers .told"));
  await set("#only", "");
  await page.click(`document.querySelector("#table tbody .fold")`);
  await page.click(`document.querySelectorAll("#table tbody .fold")[1]`);
  await page.click(`document.querySelector("#table .stack button.link")`);
  show("from a stack:", await page.evaluate(`document.querySelector("#function-name").value !== ""`));

  // Links to sources.
  show("links:", await page.evaluate(`[...new Set([...document.querySelectorAll("#table small a")].map((a) => a.href))].sort().join(" ")`));
  show("without a line:", await page.evaluate(`Data.sourceOf({file: "program.cpp", line: 0}) === ""`));
  show("elsewhere:", await page.evaluate(`["/usr/x.h", "../x.h"].map((file) => Data.sourceOf({file, line: 1})).join("|")`));
  show("odd:", await page.evaluate(`Data.sourceOf({file: "a/c d#$&.h", line: 7})`));
});
