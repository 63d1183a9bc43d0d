"""Writes a random layered program of three modules (m0.ll to m2.ll) with profiled
contexts, in which every context runs exactly once. Arguments: seed, directory."""

import random
import sys

LAYERS, WIDTH, FANOUT, MODULES = 4, 6, 2, 3
TARGET = """target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
"""

seed, directory = int(sys.argv[1]), sys.argv[2]
rng = random.Random(seed)
next_id = iter(range(100, 100000))

functions = {}
for layer in range(LAYERS):
    for column in range(WIDTH):
        functions[layer, column] = {
            "name": "f_%d_%d" % (layer, column),
            "module": rng.randrange(MODULES),
            "kind": rng.choice(["external", "external", "inline", "local"]) if layer else "external",
            "noinline": rng.random() < 0.4,
            "calls": [],
        }
for (layer, column), f in functions.items():
    if layer + 1 < LAYERS:
        f["calls"] = [((layer + 1, rng.randrange(WIDTH)), next(next_id)) for _ in range(FANOUT)]
# A local function may only have callers in its own module.
for f in functions.values():
    for callee, _ in f["calls"]:
        g = functions[callee]
        if g["kind"] == "local" and (g["module"] != f["module"] or f["kind"] == "inline"):
            g["kind"] = "external"

roots = [((0, column), next(next_id)) for column in range(WIDTH)]
allocations = {key: next(next_id) for key in functions if key[0] == LAYERS - 1}
contexts = {key: [] for key in allocations}


def walk(key, stack):
    if key in allocations:
        contexts[key].append([allocations[key]] + stack[::-1])
    for callee, stack_id in functions[key]["calls"]:
        walk(callee, stack + [stack_id])


for root, stack_id in roots:
    walk(root, [stack_id])
cold = {tuple(c): rng.random() < 0.4 for key in contexts for c in contexts[key]}


def write_module(number):
    metadata, comdats, bodies, called = [], [], [], set()

    def node(text):
        metadata.append("!%d = !{%s}" % (len(metadata), text))
        return "!%d" % (len(metadata) - 1)

    def call(key, stack_id, argument):
        called.add(functions[key]["name"])
        return "call ptr @%s(i64 %s), !callsite %s" % (
            functions[key]["name"], argument, node("i64 %d" % stack_id))

    defined = [k for k, f in functions.items() if f["module"] == number or f["kind"] == "inline"]
    for key in defined:
        f, lines, result = functions[key], [], "null"
        for i, (callee, stack_id) in enumerate(f["calls"]):
            lines.append("  %%r%d = %s" % (i, call(callee, stack_id, "%n")))
            result = "%%r%d" % i
        if contexts.get(key):
            mibs = []
            for c in contexts[key]:
                stack = node(", ".join("i64 %d" % i for i in c))
                mibs.append(node('%s, !"%s"' % (stack, "cold" if cold[tuple(c)] else "notcold")))
            lines.append("  %%p = call ptr @malloc(i64 %%n), !memprof %s, !callsite %s" % (
                node(", ".join(mibs)), node("i64 %d" % allocations[key])))
            lines.append("  store volatile i64 1, ptr %p")
            result = "%p"
        linkage = {"external": "", "inline": "linkonce_odr ", "local": "internal "}[f["kind"]]
        comdat = ""
        if f["kind"] == "inline":
            comdats.append("$%s = comdat any" % f["name"])
            comdat = " comdat"
        bodies.append("define %sptr @%s(i64 %%n)%s%s {\n%s\n  ret ptr %s\n}" % (
            linkage, f["name"], " noinline" if f["noinline"] else "", comdat, "\n".join(lines), result))
    if number == 0:
        lines = ["  " + call(root, stack_id, "64") for root, stack_id in roots]
        bodies.append("define i32 @main() {\n%s\n  ret i32 0\n}" % "\n".join(lines))
    declared = sorted(called - {functions[k]["name"] for k in defined})
    with open("%s/m%d.ll" % (directory, number), "w") as out:
        out.write('source_filename = "m%d.cpp"\n' % number + TARGET)
        out.write("\n".join(comdats + ["declare ptr @malloc(i64)"]
                            + ["declare ptr @%s(i64)" % name for name in declared]
                            + bodies + metadata) + "\n")


for module in range(MODULES):
    write_module(module)
print("cold calls %d" % sum(cold.values()))
