#===- bench/gain/programs/yamlcpp.py - yaml-cpp, a document ----------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A list of machines of which few fields are asked for; every node is made by the same calls."""

from inputs import made
from program import Program, Size, Unit, driver, files


def units(tree, generated):
    flags = ("-std=c++14", "-Iinclude", "-Wno-everything")
    return [Unit(path, flags) for path in files(tree, "src/*.cpp")] + \
        [driver("yamlcpp.cpp", "-std=c++14", f"-I{tree}/include")]


def write(out, draw, amount):
    for number in range(amount):
        out.write(f"- port: {draw.randrange(65536)}\n  name: machine-{number}\n"
                  f"  owner: {draw.text(5)}\n  tags: [{draw.word()}, {draw.word()}]\n"
                  f"  note: {draw.text(12)}\n")


def arguments(folder, size):
    return made(folder / f"yamlcpp-{size.amount}.yaml", size, 7, write)


PROGRAM = Program(
    name="yaml-cpp", package="yaml-cpp", units=units, arguments=arguments, language="C++",
    does="reads a list of machines, and sums one number of each", profiled=Size(1500, 300),
    measured=Size(6000, 300))
