#===- bench/gain/programs/pkgindex.py - The example of this repository -----===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""examples/pkgindex at several sizes: a database of which few fields are asked for."""

import pathlib

from program import Program, Size, Unit, driver, files

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples/pkgindex"


def units(tree, generated):
    return [Unit(path, ("-std=c++20",) if path.suffix == ".cpp" else ())
            for path in files(tree, "*.cpp", "*.c", without=("main.cpp",))] + \
        [driver("pkgindex.cpp", "-std=c++20", "-I.")]


def arguments(folder, size):
    # What the machine has depends on its packages, so the sample of the repository is taken.
    return [str(EXAMPLE / "status.sample"), str(size.amount), str(size.rounds)]


# Three kinds of queries read all packages, and are three in a thousand each: less than some hundred
# would have them by chance.
def of_size(name, copies, queries):
    return Program(
        name=name, units=units, arguments=arguments, language="C++",
        does=f"the example of this repository with {copies} copies of its packages, queried",
        profiled=Size(max(copies // 4, 10), queries * 2), measured=Size(copies, queries))


PROGRAMS = (of_size("pkgindex-small", 40, 10000), of_size("pkgindex", 200, 2000),
            of_size("pkgindex-large", 1000, 800))
