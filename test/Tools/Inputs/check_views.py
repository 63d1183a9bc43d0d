"""check_views.py MODULES PROFILE.json VIEW: checks VIEW.pprof, VIEW.dhat, VIEW.speedscope and
VIEW.VALUE.collapsed against the profile as it is exported in our own format, by programs that read
such files. Prints the sums."""

import collections
import gzip
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts"))
import exported

HERE = os.path.dirname(os.path.abspath(__file__))
PPROF = "/usr/share/gocode/src/github.com/google/pprof/proto"

modules, exported_file, view = sys.argv[1:]
profile = exported.load(exported_file)
failed = []


def expect(what, got, wanted):
    if got != wanted:
        failed.append(f"{what}: {got}, not {wanted}")


def read(form, file):
    return json.loads(subprocess.run(
        ["node", os.path.join(HERE, "viewers.js"), modules, form, file], check=True,
        stdout=subprocess.PIPE).stdout)


def read_pprof(file):
    """Sums by value, functions by name, and for each sample its functions, leaf first."""
    with gzip.open(file) as packed:
        text = subprocess.run(
            ["protoc", "--decode=perftools.profiles.Profile", "-I", PPROF, "profile.proto"],
            check=True, input=packed.read(), stdout=subprocess.PIPE).stdout.decode()
    strings = [json.loads(m) for m in re.findall(r'^string_table: (".*")$', text, re.M)]

    def messages(name):
        for body in re.findall(rf"^{name} {{\n(.*?)^}}\n", text, re.M | re.S):
            yield collections.defaultdict(list, {}), body

    def numbers(body, field, indent=2):
        return [int(n) for n in re.findall(rf"^ {{{indent}}}{field}: (\d+)$", body, re.M)]

    types = [(strings[numbers(body, "type")[0]], strings[numbers(body, "unit")[0]])
             for _, body in messages("sample_type")]
    functions = {numbers(body, "id")[0]: {
        field: strings[(numbers(body, field) or [0])[0]] for field in
        ("name", "system_name", "filename")} | {"start": (numbers(body, "start_line") or [0])[0]}
        for _, body in messages("function")}
    locations = {numbers(body, "id")[0]: list(zip(numbers(body, "function_id", 4),
                                                  numbers(body, "line", 4)))
                 for _, body in messages("location")}
    sums, samples = collections.Counter(), []
    for _, body in messages("sample"):
        values = numbers(body, "value")
        expect("values of a sample", len(values), len(types))
        for (name, _), value in zip(types, values):
            sums[name] += value
        samples.append([functions[f]["name"] for l in numbers(body, "location_id")
                        for f, _ in locations[l]])
    return dict(types), dict(sums), {f["name"]: f for f in functions.values()}, samples


contexts = profile["contexts"]
wanted = {"bytes": sum(c["measures"]["TotalSize"] for c in contexts),
          "objects": sum(c["measures"]["AllocCount"] for c in contexts),
          "accesses": sum(c["measures"]["TotalAccessCount"] for c in contexts)}
is_raw = profile.get("raw", False)
if not is_raw:
    wanted["cold"] = sum(c["measures"]["TotalSize"] for c in contexts if c["cold"])

types, sums, functions, samples = read_pprof(view + ".pprof")
expect("units", {name: types[name] for name in wanted},
       {name: "count" if name in ("objects", "accesses") else "bytes" for name in wanted})
for name, value in wanted.items():
    expect(f"pprof: {name}", sums[name], value)
expect("pprof: samples", len(samples), len(contexts))
scope = read("speedscope", view + ".speedscope")
for name, value in sums.items():
    expect(f"speedscope: {name}", scope["sums"][name], value)
    folded = read("collapsed", f"{view}.{name}.collapsed")
    expect(f"collapsed: {name}", folded["sums"]["sum"], value)
dhat = read("dhat", view + ".dhat")
for name in ("bytes", "objects", "live"):
    expect(f"dhat: {name}", dhat["sums"][name], sums[name])
# What lived is known at the end of windows only.
with open(view + ".dhat") as file:
    times = json.load(file)
expect("dhat: the peak is in the run", 0 < times["tg"] <= times["te"], True)
for line in failed:
    print(line)
stacks = sorted({"<".join(s[:s.index("main") + 1]) for s in samples if "main" in s})
for stack in stacks:
    if "makeHot" in stack or "makeCold" in stack:
        print("stack", stack)
for name in ("makeHot(int)", "makeCold(int)"):
    f = functions.get(name, {})
    print("function", name, f.get("system_name"), os.path.basename(f.get("filename", "")),
          f.get("start"))
for name in ("makeHot(int)", "makeCold(int)"):
    for frame in dhat["frames"]:
        if frame.startswith(name):
            print("dhat", re.sub(r"[^ (]*/", "", frame))
print("sums", "right" if not failed else "wrong")
if not is_raw:
    print("working set", "known" if sums["working_set"] > 0 else "empty")
sys.exit(bool(failed))
