#===- bench/gain/programs/__init__.py - The programs of the bench ----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The programs, in the order of the tables."""

from programs import jq, pkgindex

ALL = {program.name: program for program in (*pkgindex.PROGRAMS, jq.PROGRAM)}
