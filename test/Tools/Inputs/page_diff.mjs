// Looks at the page of a comparison as a reader does, and prints what is on it.
import {withPage} from "../../../scripts/browser.mjs";

const [, , file] = process.argv;

await withPage(file, async (page) => {
  const show = (...what) => console.log(...what);
  const all = (of, what = "textContent") => page.evaluate(`[...document.querySelectorAll("${of}")].map((e) => e.${what}).join(" | ")`);
  const set = (of, value) => page.evaluate(`{
    const e = document.querySelector("${of}");
    e.value = "${value}";
    e.dispatchEvent(new Event("change"));
  }`);
  const rows = () => page.evaluate(`[...document.querySelectorAll("#table tbody tr")].map((r) =>
    [r.querySelector("code")?.textContent ?? r.querySelector("td").firstChild.nextSibling.textContent,
     ...[...r.querySelectorAll("td.number")].slice(0, 3).map((n) => n.textContent)].join(" ")).join(" | ")`);

  show("lead:", await all("header > p"));
  show("bar:", await all(".bar span", "className"));
  show("legend:", await all(".legend li"));
  show("columns:", await all("#table th"));
  show("width:", await page.evaluate(`document.querySelector("#value").value`));
  show("shown:", await all("#only option"));
  show("rows:", await rows());
  // Class by class.
  for (const kind of ["gained", "missed", "wrong", "kept"]) {
    await set("#only", kind);
    show(`${kind}:`, await rows());
  }
  await set("#only", "");
  await page.click(`document.querySelector("[data-by=reason]")`);
  show("by outcome:", await rows());
  await page.click(`[...document.querySelectorAll(".box")].find((b) => b.textContent === "main")`);
  show("box:", await page.evaluate(`document.querySelector("#flame .told").textContent`));
  await page.click(`document.querySelector("#callers-of-zoomed")`);
  show("callees:", await page.evaluate(`[...document.querySelectorAll("#callers .callees tbody tr")].map((r) =>
    [r.querySelector("code").textContent, ...[...r.querySelectorAll("td.number")].map((n) => n.textContent)].join(" ")).sort().join(" | ")`));
  show("memory:", await page.evaluate(`document.querySelector("#memory") === null && document.querySelector("#part") === null`));
  show("links:", await page.evaluate(`Data.sourceOf(Data.frames.find((f) => f.name === "coming()"))`));
});
