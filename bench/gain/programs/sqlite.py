#===- bench/gain/programs/sqlite.py - SQLite, prepared statements ----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A database in memory with tables for each of many tenants, and statements that stay prepared. Few
of these are used all the time, and the descriptions of tables only when a statement is prepared.
"""

import shutil

from bench_error import BenchError, run
from program import Program, Size, Unit, driver


def units(tree, generated):
    source = generated / "sqlite3.c"
    if not source.exists():
        if not shutil.which("tclsh"):
            raise BenchError("SQLite's source is put together by tclsh, which is not installed")
        run(["make", "-f", tree / "main.mk", f"TOP={tree}", "BCC=clang-22", "TCCX=clang-22",
             "OPTS=", source.name], cwd=generated)
    return [Unit(source, ("-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION",
                          "-Wno-everything")),
            driver("sqlite.c", f"-I{generated}")]


def arguments(folder, size):
    return [str(size.amount), str(size.rounds)]


PROGRAM = Program(
    name="sqlite", package="sqlite3", units=units, arguments=arguments,
    does="a database in memory, asked by one statement for each of many tenants, and changed by "
         "another",
    profiled=Size(400, 100), measured=Size(1000, 100), libraries=("-lm",))
