#===- bench/gain/programs/pugixml.py - pugixml, pages of its own -----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The catalogue of libxml2 in a library that has its memory in pages of 32 KiB."""

from program import Program, Size, Unit, driver
from programs import libxml2


def units(tree, generated):
    return [Unit((tree / "src/pugixml.cpp").relative_to(tree)),
            driver("pugixml.cpp", f"-I{tree}/src")]


PROGRAM = Program(
    name="pugixml", package="pugixml", units=units, arguments=libxml2.arguments, language="C++",
    does="the catalogue of libxml2", control="pages of its own",
    profiled=Size(30000, 60), measured=Size(100000, 24))
