// Prints the addresses of the sources that a page links to.
import {withPage} from "../../../scripts/browser.mjs";

await withPage(process.argv[2], async (page) => {
  console.log(await page.evaluate(`[...new Set([...document.querySelectorAll("#table small a")].map((a) => a.href))].sort().join("\\n")`));
});
