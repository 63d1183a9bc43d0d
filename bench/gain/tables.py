#===- bench/gain/tables.py - The tables of docs/results/gain.md --------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Makes Markdown tables of what was measured. Each program is a row of each table; one that failed
says why."""

import os
import statistics
import sys

from bench_error import BenchError
from ratios import ratio
from simulate import VARIANTS as SIMULATED

BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
OTHERS = ("glibc", "jemalloc", "mimalloc", "tcmalloc")
COMPARED = ("ours", "hints", "huge", "hints, huge", "MemProf", "MemProf, tuned")
NONE = "–"
SHOWN_REASON = 200


def mib(kib):
    value = kib / 1024
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else NONE


def table(columns, rows):
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    for row in rows:
        # A bar or a line's end would end the cell.
        cells = (str(cell).replace("|", "\\|").replace("\n", " ") for cell in row)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def of_variants(row, names, cell):
    """A cell for each variant; one that was not measured has a dash."""
    return [cell(row["variants"][name]) if name in row["variants"] else NONE for name in names]


def best_other(row):
    """The fastest of the other allocators, by the median of their times."""
    return min(OTHERS, key=lambda name: statistics.median(row["variants"][name]["seconds"]))


def ratio_cell(variant, base):
    found = ratio(variant["seconds"], base["seconds"])
    return f"{found.median:.2f} ({found.low:.2f}–{found.high:.2f})"


def programs(rows):
    return table(["program", "version", "language", "what it does", "control", "date", "pairs"],
                 [[row["name"], row.get("version") or "this tree", row["language"], row["does"],
                   row["control"] or NONE, row["date"],
                   f"{row['pairs']}{', quick' if row['quick'] else ''}"] for row in rows])


def other_times(rows):
    cells = []
    for row in rows:
        base = row["variants"]["glibc"]
        cells.append([row["name"], f"{statistics.median(base['seconds']):.2f} s",
                      *(ratio_cell(row["variants"][name], base) for name in OTHERS[1:]),
                      best_other(row)])
    return table(["program", "glibc", *OTHERS[1:], "best"], cells)


def times(rows):
    cells = []
    for row in rows:
        best = best_other(row)
        base = row["variants"][best]
        cells.append([row["name"], f"{best}, {statistics.median(base['seconds']):.2f} s",
                      *of_variants(row, COMPARED, lambda variant: ratio_cell(variant, base))])
    return table(["program", "best other", *COMPARED], cells)


def pages(rows):
    names = OTHERS + COMPARED
    return table(["program", *names],
                 [[row["name"], *of_variants(row, names, lambda variant: mib(
                     statistics.mean(variant["windowsKiB"])))] for row in rows])


def memory(rows):
    names = OTHERS + COMPARED
    return table(["program", *names],
                 [[row["name"], *of_variants(row, names, lambda variant: (
                     f"{mib(variant['peakKiB'])} / {mib(variant['residentKiB'])}"))]
                  for row in rows])


def mean_pages(row, variant):
    return statistics.mean(row["variants"][variant]["windowsKiB"])


def hints(rows):
    cells = []
    for row in rows:
        predicted, limit = row["predicted"], row.get("limit")
        cells.append([
            row["name"], mib(row["profiledBytes"] / 1024),
            percent(row["profiledCold"], row["profiledBytes"]),
            percent(row["hintedCold"], row["profiledCold"]),
            percent(row["falseCold"], row["profiledBytes"]),
            row["clones"], f"{100 * (row['text'] / row['textPlain'] - 1):+.1f} %",
            mib(row["measuredCold"]["coldBytes"] / 1024),
            "not predicted" if predicted is None else f"{predicted:.2f}",
            f"{mean_pages(row, 'hints') / mean_pages(row, 'ours'):.2f}",
            NONE if limit is None else f"{limit:.2f}"])
    return table(["program", "profiled, MiB", "cold", "recall", "false cold", "clones", "text",
                  "cold when measured, MiB", "predicted pages", "measured pages", "limit"], cells)


def misses(rows):
    """Of what has a simulation: for each kind and level, misses to a thousand references of
    *ours*."""
    cells = []
    for row in rows:
        counts = row["simulated"]["counts"]

        def cell(kind, level):
            references = counts["ours"][kind][0]
            return " / ".join(f"{max(1000 * counts[variant][kind][level] / references, 0):.2f}"
                              for variant in SIMULATED)

        cells.append([row["name"], row["simulated"]["date"], cell("TLB", 1), cell("TLB", 2),
                      cell("cache", 1), cell("cache", 2)])
    return table(["program", "date", "TLB of 64 pages", "TLB of 1,536 pages", "cache of 32 KiB",
                  "cache of 2 MiB"], cells)


def searches(rows):
    """Pages as shares of those of *ours*, counted by the search itself."""
    cells = []
    for row in rows:
        found = row["searched"]
        cells.append([row["name"], found["date"],
                      f"{found['oursKiB'] / found['unhintedKiB']:.2f}",
                      f"{found['bestKiB'] / found['unhintedKiB']:.2f}", found["differ"],
                      f"{found['tried']} of {found['contexts']}", found["runs"]])
    return table(["program", "date", "pages, our set", "pages, best set", "contexts that differ",
                  "contexts tried", "sets built and run"], cells)


def reason(why):
    """Of an error, its first line that says what is wrong: the full text is in the JSON."""
    lines = why.splitlines()
    told = [line for line in lines if "error" in line]
    return (told or lines)[0][:SHOWN_REASON]


def without(rows, absent):
    """Variants and programs that were not measured, with the reasons."""
    cells = [[name, "all", "was not run"] for name in absent]
    for row in rows:
        if "error" in row:
            cells.append([row["name"], "all", reason(row["error"])])
        for variant, why in row.get("without", {}).items():
            cells.append([row["name"], variant, reason(why)])
    return table(["program", "variant", "why"], cells) if cells else "Everything was measured.\n"


def text(rows, absent):
    measured = [row for row in rows if "error" not in row]
    parts = ["### Programs", programs(rows)]
    if measured:
        parts += [
            "### Other allocators: time", other_times(measured),
            "### Thermocline: time", times(measured),
            "### Pages touched in a window, MiB", pages(measured),
            "### Memory resident at its peak and at the end, MiB", memory(measured),
            "### What was hinted", hints(measured)]
    searched = [row for row in rows if "searched" in row]
    if searched:
        parts += ["### Best cold sets that runs found", searches(searched)]
    simulated = [row for row in measured if "simulated" in row]
    if simulated:
        parts += [f"### Simulated misses to 1,000 references: {' / '.join(SIMULATED)}",
                  misses(simulated)]
    parts += ["### What was not measured", without(rows, absent), "### Commands"]
    ran = {}
    for row in rows:
        ran.setdefault((row["date"], row["command"]), []).append(row["name"])
    for row in searched:
        ran.setdefault((row["searched"]["date"], row["searched"]["command"]),
                       []).append(row["name"])
    parts.append(table(["programs", "date", "command"],
                       [[", ".join(names), date, f"`{command}`"]
                        for (date, command), names in ran.items()]))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def check_page(page):
    """Whether a page has the marks between which the tables stand: before hours of measuring."""
    try:
        content = page.read_text()
    except OSError as error:
        raise BenchError(f"{page}: {error.strerror}") from error
    if content.count(BEGIN) != 1 or content.count(END) != 1 or \
            content.index(BEGIN) > content.index(END):
        raise BenchError(f"{page}: has no '{BEGIN}' with '{END}' behind it")
    return content


def write(rows, page=None, absent=()):
    """Writes the tables of rows to a page, or to standard output; `absent` are programs without a
    row."""
    if not rows:
        raise BenchError("nothing was measured")
    made = text(rows, absent)
    if not page:
        sys.stdout.write(made)
        return
    content = check_page(page)
    new = page.with_name(page.name + ".new")
    new.write_text(content[:content.index(BEGIN) + len(BEGIN)] + "\n\n" + made + "\n" +
                   content[content.index(END):])
    os.replace(new, page)
