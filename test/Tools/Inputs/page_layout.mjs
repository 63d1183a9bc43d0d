// Looks at a page on screens and on paper, and unless that is all that is asked
// for ("fits"), at many contexts and at its address.
import {withPage} from "../../../scripts/browser.mjs";

const [, , file, only] = process.argv;

await withPage(file, async (page) => {
  const show = (...what) => console.log(...what);

  const choose = (value) => page.evaluate(`{ const v = document.querySelector("#value"); v.value = "${value}"; v.dispatchEvent(new Event("change")); }`);
  if (await page.evaluate(`Data.valueIndex.has("bytes")`))
    await choose("bytes");
  await page.click(`document.querySelectorAll("#table tbody .fold")[0]`);
  await page.click(`document.querySelectorAll("#table tbody .fold")[1]`);

  await page.evaluate(`Callers.show(Data.frames[Data.contexts[0].stack[1]].name)`);
  await page.click(`document.querySelector("#callers .fold[data-id]")`);

  // Nothing is cut off: all values of all rows are on the screen, or on the sheet.
  for (const [width, media] of [[1600, ""], [1200, ""], [500, ""], [700, "print"]]) {
    await page.setWidth(width, media);
    show(`${width} ${media}:`, await page.evaluate(`(() => {
      const cells = [...document.querySelectorAll(".wide tbody td")];
      const cut = cells.filter((c) => {
        const at = c.getBoundingClientRect();
        return at.width === 0 || at.left < 0 || at.right > innerWidth + 0.5;
      });
      const fits = (e) => e.scrollWidth <= e.clientWidth + 1;
      return cells.length + " cells, " + cut.length + " cut, " +
        (document.documentElement.scrollWidth <= innerWidth) + " " + [...document.querySelectorAll(".scroll")].every(fits);
    })()`));
  }
  if (only === "fits")
    return;
  await page.setWidth(1600);

  // Text against what is behind it, wherever there is text.
  for (const scheme of ["light", "dark"]) {
    await page.setScheme(scheme);
    show(scheme, await page.evaluate(`(() => {
      const numbers = (css) => css.match(/[0-9.]+/g).map(Number);
      const light = (css) => numbers(css).slice(0, 3)
        .map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const behind = (e) => {
        for (; e; e = e.parentElement) {
          const color = getComputedStyle(e).backgroundColor;
          if ((numbers(color)[3] ?? 1) > 0)
            return color;
        }
        return "rgb(255, 255, 255)";
      };
      const faint = [];
      for (const e of document.querySelectorAll("body *")) {
        const hasText = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
        if (!hasText || e.closest("script, style, noscript, svg, option") || e.getClientRects().length === 0)
          continue;
        const a = light(getComputedStyle(e).color), b = light(behind(e));
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5 || getComputedStyle(e).opacity < 1)
          faint.push(e.className + " " + ratio.toFixed(2));
      }
      return faint.length ? faint.slice(0, 5).join() : "has no faint text";
    })()`));
  }

  // Some roles must have children of certain roles, others must not.
  show("roles:", await page.evaluate(`[...new Set([...document.querySelectorAll("[role]")].map((e) => e.getAttribute("role")))].sort().join()`));

  // A call that all contexts go through is found to be everything.
  await page.key("/");
  await page.type("level<8>");
  await page.until(`document.querySelector("#matched").textContent !== ""`);
  show("found:", await page.evaluate(`document.querySelector("#matched").textContent`));
  show("boxes that cannot be opened:", await page.evaluate(`document.querySelectorAll(".box.sum").length`));
  await page.key("Escape");
  await page.until(`document.querySelector("#matched").textContent === ""`);

  // Frames of the C++ library are hidden on demand.
  const boxes = () => page.evaluate(`[...document.querySelectorAll(".box")].filter((b) => b.textContent.startsWith("std::")).length > 0`);
  const before = await boxes();
  await page.click(`document.querySelector("#library")`);
  show("library:", before, await boxes());

  // Who gets the address sees the same.
  await page.click(`document.querySelector("[data-by=function]")`);
  await page.click(`document.querySelector("[data-root=false]")`);
  await choose("objects");
  await page.click(`document.querySelector("#links a")`);
  const chosen = `[document.querySelector("#value").value, document.querySelector("#library").checked,
    ...[...document.querySelectorAll("[aria-pressed=true]")].map((b) => b.textContent)].join()`;
  show("chosen:", await page.evaluate(chosen));
  await page.reload();
  show("again:", await page.evaluate(chosen));
});
