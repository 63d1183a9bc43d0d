#===- bench/gain/programs/geos.py - GEOS, a tree of polygons ---------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""An index of polygons. Queries need boxes and the tree; the coordinates are idle."""

from program import Program, Size, Unit, driver, files

# What polygons and the tree need. The rest of the library is not linked, and not called.
FOLDERS = ("geom", "geom/util", "index/strtree", "util")


def units(tree, generated):
    version = (tree / "include/geos/version.h.in").read_text()
    for name in ("VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "JTS_PORT"):
        version = version.replace(f"@{name}@", "0")
    (generated / "geos").mkdir(exist_ok=True)
    (generated / "geos/version.h").write_text(version)
    flags = ("-std=c++14", "-DUSE_UNSTABLE_GEOS_CPP_API", "-Isrc/deps", "-Iinclude",
             "-Wno-everything", f"-I{generated}")
    paths = files(tree, *(f"src/{folder}/*.cpp" for folder in FOLDERS),
                  "src/operation/union/*Union*.cpp")
    return [Unit(path, flags) for path in paths] + \
        [driver("geos.cpp", "-std=c++14", "-DUSE_UNSTABLE_GEOS_CPP_API", f"-I{tree}/include",
                f"-I{generated}", "-Wno-everything")]


def arguments(folder, size):
    return [str(size.amount), str(size.rounds)]


PROGRAM = Program(
    name="geos", package="geos", units=units, arguments=arguments, language="C++",
    does="builds a tree of polygons, and counts those that small boxes meet",
    profiled=Size(30000, 300000), measured=Size(150000, 200000),
    # GNU ld makes programs of it that do not start.
    libraries=("-fuse-ld=lld", "-Wl,--unresolved-symbols=ignore-all"))
