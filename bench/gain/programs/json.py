#===- bench/gain/programs/json.py - nlohmann's JSON, one document ----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A document of issues, of which a few short fields are asked for, here and there."""

from inputs import made, write_issues
from program import Program, Size, driver


def units(tree, generated):
    return [driver("json.cpp", "-std=c++17", f"-I{tree}/include")]


def arguments(folder, size):
    return made(folder / f"json-{size.amount}.json", size, 11, write_issues)


PROGRAM = Program(
    name="json", package="nlohmann-json3", units=units, arguments=arguments, language="C++",
    does="reads a list of issues, and follows numbers in them from one to the next",
    profiled=Size(10000, 50), measured=Size(40000, 50))
