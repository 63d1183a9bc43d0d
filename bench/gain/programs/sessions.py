#===- bench/gain/programs/sessions.py - A cache of sessions ----------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Threads that serve sessions, while all of these are replaced several times."""

from program import Program, Size, driver


def units(tree, generated):
    return [driver("sessions.cpp", "-std=c++20", "-pthread")]


def arguments(folder, size):
    return [str(size.amount), str(size.rounds)]


PROGRAM = Program(
    name="sessions", units=units, arguments=arguments, language="C++",
    does="four threads that serve sessions, and replace all of them three times",
    profiled=Size(5000, 3), measured=Size(15000, 3), libraries=("-pthread",))
