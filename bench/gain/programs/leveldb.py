#===- bench/gain/programs/leveldb.py - leveldb, blocks of 4 KiB ------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A store whose memory is blocks of a page and more: what is read from files that are kept in
memory, and a cache of blocks."""

from program import Program, Size, Unit, driver, files


def units(tree, generated):
    (generated / "port").mkdir(exist_ok=True)
    (generated / "port/port_config.h").write_text(
        "#define HAVE_FDATASYNC 1\n#define HAVE_FULLFSYNC 0\n#define HAVE_O_CLOEXEC 1\n"
        "#define HAVE_CRC32C 0\n#define HAVE_SNAPPY 0\n")
    flags = ("-std=c++17", "-DLEVELDB_PLATFORM_POSIX=1", f"-I{generated}", "-I.", "-Iinclude",
             "-Wno-everything", "-fno-rtti")
    paths = [path for path in files(tree, "db/*.cc", "table/*.cc", "util/*.cc",
                                    "helpers/memenv/memenv.cc")
             if not path.stem.endswith("_test") and path.name not in (
                 "leveldbutil.cc", "c.cc", "env_windows.cc", "testutil.cc")]
    return [Unit(path, flags) for path in paths] + \
        [driver("leveldb.cpp", "-std=c++17", "-fno-rtti", f"-I{tree}", f"-I{tree}/include")]


def arguments(folder, size):
    return [str(size.amount), str(size.rounds)]


PROGRAM = Program(
    name="leveldb", package="leveldb", units=units, arguments=arguments, language="C++",
    does="fills a store in memory, and reads keys at random",
    control="blocks of a page and more",
    profiled=Size(40000, 400000), measured=Size(120000, 100000), libraries=("-lpthread",))
