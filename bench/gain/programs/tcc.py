#===- bench/gain/programs/tcc.py - tcc, pools of its own -------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A compiler that keeps tokens and symbols in pools of its own, and drops them all after a file."""

from inputs import made
from program import Program, Size, Unit, driver


def units(tree, generated):
    (generated / "config.h").write_text('#define TCC_VERSION "bench"\n'
                                        '#define CONFIG_TCCDIR "/nonexistent"\n')
    flags = ("-DONE_SOURCE=1", "-DTCC_TARGET_X86_64", f"-I{generated}", "-Wno-everything",
             "-fno-strict-aliasing")
    return [Unit((tree / "libtcc.c").relative_to(tree), flags), driver("tcc.c", f"-I{tree}")]


def write(out, draw, amount):
    for number in range(amount):
        out.write(f"struct s{number} {{ int a, b, c; struct s{number} *next; }};\n"
                  f"static int f{number}(struct s{number} *p, int n) {{\n"
                  "  int i, sum = 0;\n  for (i = 0; i < n && p; i++, p = p->next)\n"
                  f"    sum += p->a * {draw.randrange(99)} + p->b - p->c;\n"
                  f"  return sum{f' + f{draw.randrange(number)}(0, n)' if number else ''};\n"
                  "}\n")


def arguments(folder, size):
    return made(folder / f"tcc-{size.amount}.c", size, 3, write)


PROGRAM = Program(
    name="tcc", package="tcc", units=units, arguments=arguments,
    does="compiles a file again and again", control="pools of its own, nothing idle",
    profiled=Size(3000, 10), measured=Size(8000, 5), libraries=("-lm", "-ldl", "-lpthread"))
