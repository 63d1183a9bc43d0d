#===- bench/gain/programs/cjson.py - cJSON, a tree of nodes ----------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A document whose objects are lists of nodes, which are walked to the key that is asked for. Keys
and texts come from the same function."""

from inputs import made, write_issues
from program import Program, Size, driver, files, Unit


def units(tree, generated):
    return [Unit(path, ("-Wno-everything",)) for path in files(tree, "cJSON.c")] + \
        [driver("cjson.c", f"-I{tree}")]


def arguments(folder, size):
    return made(folder / f"cjson-{size.amount}.json", size, 12, write_issues)


PROGRAM = Program(
    name="cjson", package="cjson", units=units, arguments=arguments,
    does="reads a list of issues, and follows numbers in them from one to the next",
    profiled=Size(8000, 50), measured=Size(30000, 50), libraries=("-lm",))
