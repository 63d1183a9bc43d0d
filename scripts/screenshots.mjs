// Takes the pictures that scripts/screenshots.sh wants: screenshots.mjs PAGE TO
import {withPage} from "./browser.mjs";

const [, , file, to] = process.argv;

await withPage(file, async (page) => {
  await page.setScheme("light");
  await page.screenshot(`${to}/report.png`, {to: "document.querySelector('#flame')"});
  await page.click(`document.querySelector("#table .fold")`);
  await page.screenshot(`${to}/report-allocations.png`, {
    from: "document.querySelector('#table')",
    to: "document.querySelectorAll('#table tbody tr')[8]",
  });
  await page.screenshot(`${to}/report-memory.png`, {from: "document.querySelector('#memory')"});
}, {width: 1200, height: 900});
