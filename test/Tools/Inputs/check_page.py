"""Compares the sums of a page with those that other commands have.

Usage: check_page.py PAGE EXPORT.json LIVE.collapsed PAGES.collapsed SHOWN
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts"))
import exported

page, profile, live, pages, shown = sys.argv[1:]
with open(page) as file:
    html = file.read()
data = json.loads(re.search(r'id="data">(.*?)</script>', html, re.S).group(1))
contexts = exported.load(profile)["contexts"]

values = [name for name, _ in data["values"]]
gained = {i for i, o in enumerate(data["outcomes"]) if o[0] == "gained"}


def records(name):
    flat, stride = data[name], 3 + len(values)
    return [flat[i : i + stride] for i in range(0, len(flat), stride)]


def total(kind, value, wanted=lambda outcome: True):
    column = 2 if value == "contexts" else 3 + values.index(value)
    return sum(
        r[column] for name in ("contexts", kind) for r in records(name) if wanted(r[1])
    )


def collapsed(path):
    with open(path) as file:
        return sum(int(line.rsplit(" ", 1)[1]) for line in file)


def check(name, value, expected, **wanted):
    sums = [total(kind, value, **wanted) for kind in ("rootSums", "leafSums")]
    print(name, "right" if sums == [expected] * 2 else f"wrong: {sums}, not {expected}")


def measure(name):
    return sum(c["measures"][name] for c in contexts)


check("bytes", "bytes", measure("TotalSize"))
check("objects", "objects", measure("AllocCount"))
check("accesses", "accesses", measure("TotalAccessCount"))
check("contexts", "contexts", len(contexts))
cold = sum(c["measures"]["TotalSize"] for c in contexts if c["cold"])
check("cold", "bytes", cold, wanted=lambda outcome: outcome in gained)
check("live", "live", collapsed(live))
check("pages", "pages", collapsed(pages))
with open(shown) as file:
    listed = len(re.findall(r", id 0x", file.read()))
print("contexts as shown" if listed == data["all"] else f"{listed} are shown")
