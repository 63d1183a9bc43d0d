// Opens the page of a link. Compares it with the report in JSON and looks at what
// is lost, or without a report prints contexts.
import {readFileSync} from "node:fs";
import {withPage} from "../../../../scripts/browser.mjs";

const [, , file, reportFile] = process.argv;

const contextsOf = (page) => page.evaluate(`Data.contexts.map((c) => "context: " + c.stack.map((f) =>
  (Data.frames[f].name + " " + Data.placeOf(Data.frames[f]).replace(/.*\\//, "")).trim()).join(" < "))`);

const compare = async (page) => {
  const report = JSON.parse(readFileSync(reportFile));
  const sums = await page.evaluate(`(() => {
    const result = {};
    for (const r of [...Data.contexts, ...Data.rootSums]) {
      const {kind} = Data.outcomes[r.outcome];
      result[kind] = (result[kind] ?? 0) + r.values[0];
    }
    return result;
  })()`);
  const expected = {gained: report.coldToCold.bytes, missed: report.coldToNotCold.bytes + report.profile.coldLost.bytes,
                    kept: report.notColdToNotCold.bytes};
  console.log(Object.keys(expected).every((k) => sums[k] === expected[k]) ? "sums are those of the report"
    : `${JSON.stringify(sums)}, not ${JSON.stringify(expected)}`);
  console.log("graph:", (await page.evaluate(`[...document.querySelectorAll(".box")].slice(0, 2).map((b) => b.textContent)`)).join(", "));
  await page.evaluate(`{
    const only = document.querySelector("#only");
    only.value = [...only.options].find((o) => o.textContent.startsWith("lost")).value;
    only.dispatchEvent(new Event("change"));
  }`);
  await page.click(`document.querySelector("#table .fold")`);
  console.log("lost only:", await page.evaluate(`document.querySelector("#table code").textContent`),
              await page.evaluate(`document.querySelector("#table tr.child small").textContent.match(/lost: .*/)[0]`));
  console.log("figures:", await page.evaluate(`document.querySelector("#figures table") !== null`));
};

await withPage(file, async (page) => {
  if (reportFile)
    await compare(page);
  else
    console.log((await contextsOf(page)).join("\n"));
});
