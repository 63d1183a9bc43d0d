#===- bench/gain/programs/lua.py - Lua, tables of records ------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Tables with few fields in use. Lua has one function for all its memory, which says nothing of
what it is for, but its callers do."""

from program import DRIVERS, Program, Size, Unit, driver, files


def units(tree, generated):
    # Where Debian's Lua looks for modules, of which there are none.
    (generated / "lua5.4-deb-multiarch.h").write_text('#define DEB_HOST_MULTIARCH "none"\n')
    return [Unit(path, ("-DLUA_USE_POSIX", f"-I{generated}"))
            for path in files(tree, "src/*.c", without=("lua.c", "luac.c"))] + \
        [driver("lua.c", f"-I{tree}/src", f"-I{generated}")]


def arguments(folder, size):
    return [str(DRIVERS / "records.lua"), str(size.amount), str(size.rounds)]


PROGRAM = Program(
    name="lua", package="lua5.4", units=units, arguments=arguments,
    does="keeps records as tables, and sums one field of those of a kind",
    profiled=Size(20000, 200), measured=Size(60000, 40), libraries=("-lm",))
