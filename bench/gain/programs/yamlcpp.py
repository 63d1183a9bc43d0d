#===- bench/gain/programs/yamlcpp.py - yaml-cpp, a document ----------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A list of machines of which few fields are asked for; every node is made by the same calls."""

import random

from program import Program, Size, Unit, driver, files

WORDS = "amber basalt cedar delta ember fjord garnet harbor island juniper".split()


def units(tree, generated):
    flags = ("-std=c++14", "-Iinclude", "-Wno-everything")
    return [Unit(path, flags) for path in files(tree, "src/*.cpp")] + \
        [driver("yamlcpp.cpp", "-std=c++14", f"-I{tree}/include")]


def arguments(folder, size):
    file = folder / f"yamlcpp-{size.amount}.yaml"
    if not file.exists():
        draw = random.Random(7)
        with open(file, "w") as out:
            for number in range(size.amount):
                out.write(f"- port: {draw.randrange(65536)}\n  name: machine-{number}\n"
                          f"  owner: {' '.join(draw.choice(WORDS) for _ in range(5))}\n"
                          f"  tags: [{draw.choice(WORDS)}, {draw.choice(WORDS)}]\n"
                          f"  note: {' '.join(draw.choice(WORDS) for _ in range(12))}\n")
    return [str(file), str(size.rounds)]


PROGRAM = Program(
    name="yaml-cpp", package="yaml-cpp", units=units, arguments=arguments, language="C++",
    does="reads a list of machines, and sums one number of each", profiled=Size(1500, 10),
    measured=Size(6000, 20))
