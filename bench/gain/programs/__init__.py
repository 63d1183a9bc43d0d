#===- bench/gain/programs/__init__.py - The programs of the bench ----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The programs, in the order of the tables."""

from programs import (cjson, cmark, duktape, geos, hunspell, jansson, jq, json, leveldb, libxml2,
                      lua, ninja, pkgindex, pugixml, redis, sessions, sqlite, tcc, yamlcpp)

ALL = {program.name: program for program in (
    *pkgindex.PROGRAMS, jq.PROGRAM, libxml2.PROGRAM, redis.PROGRAM, geos.PROGRAM, lua.PROGRAM,
    hunspell.PROGRAM, yamlcpp.PROGRAM, json.PROGRAM, cjson.PROGRAM, jansson.PROGRAM,
    ninja.PROGRAM, cmark.PROGRAM, duktape.PROGRAM, sessions.PROGRAM, sqlite.PROGRAM,
    leveldb.PROGRAM, pugixml.PROGRAM, tcc.PROGRAM)}
