// Uses a page as a reader does, and prints what is then on it.
import {withPage} from "../../../scripts/browser.mjs";

const [, , file] = process.argv;

await withPage(file, async (page) => {
  const row = (i) => `document.querySelectorAll("#table tbody tr")[${i}]`;
  const rows = () => page.evaluate(
    `[...document.querySelectorAll("#table tbody tr")].map((r) => r.querySelector("code")?.textContent ?? r.textContent)`);
  const box = (name) => `[...document.querySelectorAll(".box")].find((b) => b.textContent === "${name}")`;
  const placeOf = (name) => page.evaluate(`(() => {
    const all = document.querySelector(".flame").getBoundingClientRect();
    const at = ${box(name)}.getBoundingClientRect();
    return {top: Math.round(at.top - all.top), left: (at.left - all.left) / all.width, width: at.width / all.width};
  })()`);
  const show = (...what) => console.log(...what);
  const near = (a, b) => Math.abs(a - b) < 0.02;

  show("lead:", await page.evaluate(`document.querySelector(".lead").textContent`));
  show("links:", await page.evaluate(`[...document.querySelectorAll("#links a")].map((a) => a.textContent + " " +
    (document.querySelector(a.getAttribute("href")) !== null)).join(", ")`));
  show("bar:", await page.evaluate(`[...document.querySelectorAll(".bar span")].map((s) => s.className).join(" ")`));
  const [gained, whole] = await page.evaluate(`(() => {
    const of = (e) => document.querySelector(e).getBoundingClientRect().width;
    return [of(".bar .gained"), of(".bar")];
  })()`);
  const told = await page.evaluate(`document.querySelector(".legend .gained").textContent.match(/([0-9.]+) %/)[1]`);
  show("bar as told:", near(gained / whole, told / 100));

  // Widths are those of bytes, the root is above, and a call is below its caller.
  await page.evaluate(`{ const v = document.querySelector("#value"); v.value = "bytes"; v.dispatchEvent(new Event("change")); }`);
  const main = await placeOf("main"), cold = await placeOf("makeCold(int)"), hot = await placeOf("makeHot(int)");
  const bytes = await page.evaluate(`["makeCold(int)", "makeHot(int)"].map((name) =>
    Data.contexts.filter((c) => Data.frames[c.stack[0]].name === name).reduce((sum, c) => sum + c.values[0], 0) / Data.totals[0])`);
  show("widths:", near(cold.width, bytes[0]), near(hot.width, bytes[1]), near(main.width, 1));
  show("rows:", main.top < cold.top, cold.top === hot.top);

  // A search marks, fades and filters, from the keyboard alone.
  await page.key("/");
  await page.type("makeHot");
  await page.until(`document.querySelector("#matched").textContent !== ""`);
  show("found:", await page.evaluate(`[...document.querySelectorAll(".box.found")].map((b) => b.textContent).join()`),
       near(parseFloat(await page.evaluate(`document.querySelector("#matched").textContent`)) / 100, bytes[1]));
  show("filtered:", (await rows()).join());
  await page.key("Escape");
  await page.until(`document.querySelector("#matched").textContent === ""`);

  // A click zooms, arrows move, Escape shows all again.
  await page.click(box("makeCold(int)"));
  show("zoomed:", near((await placeOf("makeCold(int)")).width, 1), await page.evaluate(`${box("makeHot(int)")} === undefined`));
  await page.key("ArrowUp");
  show("above:", await page.evaluate("document.activeElement.textContent"));
  await page.key("Enter");
  show("zoomed out:", await page.evaluate(`${box("makeHot(int)")} !== undefined`));
  await page.key("Escape");
  show("all:", near((await placeOf("main")).width, 1), await page.evaluate("document.activeElement.textContent"));
  await page.click(`document.querySelector("[data-root=false]")`);
  const leaf = await placeOf("makeCold(int)");
  show("leaf first:", leaf.top < (await placeOf("main")).top, near(leaf.width, bytes[0]));

  // What is chosen above holds for all.
  await page.evaluate(`{ const o = document.querySelector("#only"); o.value = "gained"; o.dispatchEvent(new Event("change")); }`);
  show("gained only:", (await rows()).join(), await page.evaluate(`${box("makeHot(int)")} === undefined`));
  await page.evaluate(`{ const o = document.querySelector("#only"); o.value = ""; o.dispatchEvent(new Event("change")); }`);

  // Sorts, by a click on a heading and from the keyboard.
  const heading = (name) => `document.querySelector("[data-column=${name}] button")`;
  const order = async () => (await rows()).filter((n) => n.startsWith("make")).join();
  await page.click(heading("objects"));
  show("by objects:", await order());
  await page.key("Enter");
  show("turned round:", await order(), await page.evaluate(`document.querySelector("[data-column=objects]").ariaSort`));
  await page.click(heading("name"));
  show("by name:", await order());
  // What the C++ library allocates is told by who asks for it.
  show("asked for by:", (await rows())[0], await page.evaluate(`${row(0)}.querySelector("small").textContent`));

  // Unfolds to contexts and to stacks, with files and lines.
  await page.click(`${row(1)}.querySelector(".fold")`);
  await page.click(`${row(2)}.querySelector(".fold")`);
  show("stack:", await page.evaluate(`[...${row(3)}.querySelectorAll("li")].map((l) => l.textContent.replace(/\\S*\\//, "")).join(" < ")`));
  show("strip:", await page.evaluate(`${row(2)}.querySelectorAll(".heat i").length`));
  await page.click(`document.querySelector("[data-by=reason]")`);
  show("outcomes:", await page.evaluate(`[...document.querySelectorAll("#table tbody .name")].map((n) => n.firstChild.nextSibling.textContent).sort().join(", ")`));

  // Types unfold to contexts, and what is unknown says why.
  await page.click(`document.querySelector("[data-by=type]")`);
  await page.click(heading("objects"));
  show("types:", (await rows()).map((n) => n.replace(/^\u25b8/, "")).join(" | "));
  await page.key("/");
  await page.type("ColdObject");
  await page.until(`document.querySelectorAll("#table tbody tr").length === 1`);
  await page.click(`${row(0)}.querySelector(".fold")`);
  await page.click(`${row(1)}.querySelector(".fold")`);
  show("of type:", (await rows()).slice(0, 2).join(), await page.evaluate(`${row(2)}.querySelector("p").textContent.includes(", allocates ColdObject")`));
  await page.key("/");
  await page.key("Escape");
  await page.until(`document.querySelector("#matched").textContent === ""`);

  // Hot and cold pages stand where the numbers say.
  const pages = await page.evaluate(`(() => {
    const high = (kind, i) => [...document.querySelectorAll("#memory rect." + kind)].reduce((sum, r) => sum + Number(r.getAttribute("height")), 0);
    const of = (i) => Data.bins.filter((v, n) => n % 4 === i).reduce((sum, v) => sum + v, 0);
    return {hot: high("hot"), cold: high("cold"), before: of(1), after: of(2), moved: of(3)};
  })()`);
  const scale = pages.hot / (pages.before + pages.after);
  show("memory:", pages.before > pages.after + pages.moved,
       Math.abs(pages.cold - pages.moved * scale) < 0.01 * pages.hot);

  // Light and dark differ, and both are readable: text against its background.
  for (const scheme of ["light", "dark"]) {
    await page.setScheme(scheme);
    const contrast = await page.evaluate(`(() => {
      const light = (css) => css.match(/[0-9.]+/g).slice(0, 3)
        .map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const of = (e, behind) => ratio(light(getComputedStyle(e).color), light(getComputedStyle(behind).backgroundColor));
      return [of(document.querySelector(".lead"), document.body),
              ...[...document.querySelectorAll(".box")].map((b) => of(b, b))];
    })()`);
    show(scheme, "is readable:", Math.min(...contrast) >= 4.5, await page.evaluate("getComputedStyle(document.body).backgroundColor"));
  }

  const pdf = await page.print();
  show("prints:", pdf.subarray(0, 5).toString(), pdf.length > 10000);
});
