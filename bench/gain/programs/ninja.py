#===- bench/gain/programs/ninja.py - ninja, a graph that is walked ---------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A build of nothing: the graph of a large project is loaded, and all of it is looked at."""

from inputs import made
from program import Program, Size, Unit, driver, files

LEFT_OUT = ("ninja.cc", "browse.cc", "hash_collision_bench.cc", "test.cc")


def units(tree, generated):
    paths = [path for path in files(tree, "src/*.cc", without=LEFT_OUT)
             if not any(word in path.stem for word in ("_test", "perftest", "win32", ".in"))]
    flags = ("-std=c++14", "-Isrc", "-Wno-everything")
    return [Unit(path, flags) for path in paths] + \
        [driver("ninja.cpp", "-std=c++14", f"-I{tree}/src")]


def write(out, draw, amount):
    out.write("rule cc\n  command = cc $flags -c $in -o $out\n"
              "  description = Compile $out\n"
              "rule link\n  command = cc $in -o $out\n")
    for number in range(amount):
        library = number // 40
        out.write(f"build obj/lib{library}/file{number}.o: cc src/lib{library}/"
                  f"file{number}.c | include/lib{library}.h include/common{number % 97}.h\n"
                  f"  flags = -O2 -Iinclude -DLIBRARY={library} -DFILE={number}\n")
    for library in range((amount + 39) // 40):
        inputs = " ".join(f"obj/lib{library}/file{number}.o" for number in
                          range(library * 40, min(library * 40 + 40, amount)))
        out.write(f"build lib{library}.so: link {inputs}\n")


def arguments(folder, size):
    return made(folder / f"ninja-{size.amount}.ninja", size, 0, write)


PROGRAM = Program(
    name="ninja", package="ninja-build", units=units, arguments=arguments, language="C++",
    does="loads the graph of a project, and looks what is out of date",
    control="all of the graph is visited", profiled=Size(10000, 60), measured=Size(50000, 16))
