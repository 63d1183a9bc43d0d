#===- bench/gain/programs/jansson.py - Jansson, hash tables of pairs -------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A document whose objects are hash tables. Only the pairs of a bucket are walked."""

from inputs import made, write_issues
from program import Program, Size, Unit, driver, files


def units(tree, generated):
    (generated / "jansson_private_config.h").write_text(
        "#define HAVE_STDINT_H 1\n#define HAVE_UNISTD_H 1\n#define HAVE_ENDIAN_H 1\n"
        "#define HAVE_SYNC_BUILTINS 1\n#define HAVE_ATOMIC_BUILTINS 1\n"
        "#define INITIAL_HASHTABLE_ORDER 3\n")
    (generated / "jansson_config.h").write_text(
        (tree / "src/jansson_config.h.in").read_text()
        .replace("@json_inline@", "inline").replace("@json_have_long_long@", "1")
        .replace("@json_have_localeconv@", "0").replace("@json_have_atomic_builtins@", "1")
        .replace("@json_have_sync_builtins@", "1"))
    flags = ("-DHAVE_CONFIG_H", f"-I{generated}", "-Isrc", "-Wno-everything")
    return [Unit(path, flags) for path in files(tree, "src/*.c")] + \
        [driver("jansson.c", f"-I{generated}", "-Isrc")]


def arguments(folder, size):
    return made(folder / f"jansson-{size.amount}.json", size, 13, write_issues)


PROGRAM = Program(
    name="jansson", package="jansson", units=units, arguments=arguments,
    does="reads a list of issues, and follows numbers in them from one to the next",
    profiled=Size(8000, 50), measured=Size(30000, 50), libraries=("-lm",))
