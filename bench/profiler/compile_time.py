#!/usr/bin/env python3
#===- bench/profiler/compile_time.py - What instrumenting takes ------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compiles long generated functions, plain, with clang's own -fmemory-profile and with
Thermocline, and prints the CPU seconds of each as a Markdown table. What takes time that
grows with the square of a function shows here.
"""

import argparse
import datetime
import pathlib
import resource
import subprocess
import sys
import tempfile

from counts import DEBUG, ROOT

LOOP = "for (int i = 0; i < n; ++i)"
NEST = 12


def nest(_):
    loops = "".join(f"for (int i{k} = 0; i{k} < n; ++i{k}) {{ q[i{k}]++; " for k in range(NEST))
    indices = " + ".join(f"i{k}" for k in range(NEST))
    return f"{loops} p[{indices}]++; call(p); {'}' * NEST}"


# What it is called, how many there are, what is in front of them, one of them, what is
# behind. Each has p, q, rows, n and s.
SHAPES = [
    ("branches, a call in each", 1500, "",
     lambda k: f"if (q[{k}] > n) {{ p[{k}] = s; s ^= {k}; call(p); }} else s += p[{2 * k}];", ""),
    ("branches, no calls", 1500, "",
     lambda k: f"if (q[{k}] > n) {{ p[{k}] = s; s ^= {k}; q[{k + 5}] += s; }}"
               f"else {{ s += p[{2 * k}]; p[{k}] = s; }}", ""),
    ("fields and calls in one block", 2000, "", lambda k: f"p[{k}] = q[{k}] + n; call(q);", ""),
    ("accesses of other objects in one block", 2000, "",
     lambda k: f"rows[{k}][{k % 13}] = q[{k}] + n;", ""),
    ("loops with a call", 700, "",
     lambda k: f"{LOOP} {{ p[i + {k}] += q[i]; call(p + {k}); }}", ""),
    ("loops with a call that is seldom", 500, "",
     lambda k: f"{LOOP} {{ if (__builtin_expect(p[i] == {k}, 0)) call(q);"
               f"p[i] += q[i + {k}]; }}", ""),
    ("searches along lists", 400, "",
     lambda k: f"for (Node *a = list({k}); a; a = a->next) {{"
               f"if (a->key == {k}) {{ a->value++; break; }} s += a->value; }}", ""),
    ("multiplications of matrices of rows", 200, "",
     lambda k: f"{LOOP} for (int j = 0; j < n; ++j) for (int k = {k}; k < n; ++k)"
               "rows[i][j] += rows[i + n][k] * rows[k][j + n];", ""),
    (f"nests of {NEST} loops", 30, "", nest, ""),
    ("cases of a switch in a loop", 1500, f"{LOOP} switch (q[i]) {{",
     lambda k: f"case {k}: s += p[{k}]; p[{k}] = s; {'call(p);' if k % 2 else ''} break;", "}"),
    ("arrays on the stack", 2000, "",
     lambda k: f"int a{k}[4]; a{k}[n & 3] = q[{k}]; call(a{k}); p[{k}] = a{k}[q[n] & 3];", ""),
]


def program(number, before, one, behind):
    body = "\n".join(one(k) for k in range(number))
    return ("struct Node { Node *next; int key, value; };\nvoid call(int *);\nNode *list(int);\n"
            f"int f(int *p, int *q, int **rows, int n) {{\nint s = 0;\n{before}\n{body}\n{behind}\n"
            "return s;\n}\n")


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"compile_time.py: {' '.join(command)}\n{done.stdout}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--repeat", type=int, default=3, help="times; the least counts")
    parser.add_argument("--scale", type=float, default=1, help="as many times as long")
    parser.add_argument("--only", metavar="TEXT", default="", help="shapes whose name has TEXT")
    arguments = parser.parse_args()
    config = arguments.build.resolve() / "config" / "thermocline-generate.cfg"
    if not config.exists():
        sys.exit(f"compile_time.py: no {config}: build first")
    print(f"{datetime.date.today()}, CPU seconds, the least of {arguments.repeat}\n")
    print("| function of | plain | clang's `-fmemory-profile` | Thermocline "
          "| Thermocline against clang's |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as work:
        source, output = f"{work}/long.cpp", f"{work}/long.o"
        for name, number, *parts in SHAPES:
            if arguments.only not in name:
                continue
            number = max(1, int(number * arguments.scale))
            pathlib.Path(source).write_text(program(number, *parts))
            least = [float("inf")] * 3
            for _ in range(arguments.repeat):
                for way, options in enumerate((DEBUG, [*DEBUG, "-fmemory-profile"],
                                               [f"--config={config}"])):
                    least[way] = min(least[way], seconds(
                        ["clang++-22", *options, "-O2", "-c", source, "-o", output]))
            plain, stock, ours = least
            print(f"| {number:,} {name} | {plain:.2f} | {stock:.2f} | {ours:.2f} "
                  f"| {ours / stock:.2f} |", flush=True)


if __name__ == "__main__":
    main()
