#===- bench/gain/programs/duktape.py - Duktape, objects of a script --------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Objects of a script engine, of which few fields are used, and which others replace."""

from program import DRIVERS, Program, Size, Unit, driver, files


def units(tree, generated):
    return [Unit(path, ("-Wno-everything",)) for path in files(tree, "src/duktape.c")] + \
        [driver("duktape.c", "-Isrc")]


def arguments(folder, size):
    return [str(DRIVERS / "records.js"), str(size.amount), str(size.rounds)]


PROGRAM = Program(
    name="duktape", package="duktape", units=units, arguments=arguments,
    does="keeps records as objects of a script, sums one field of those of a kind, and replaces "
         "some",
    profiled=Size(10000, 200), measured=Size(40000, 50), libraries=("-lm",))
