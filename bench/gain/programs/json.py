#===- bench/gain/programs/json.py - nlohmann's JSON, one document ----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A document of issues, of which a few short fields are asked for, here and there."""

import json

from inputs import made
from program import Program, Size, driver


def units(tree, generated):
    return [driver("json.cpp", "-std=c++17", f"-I{tree}/include")]


def write(out, draw, amount):
    items = [{"id": number, "open": draw.random() < 0.5, "blocks": draw.randrange(amount),
              "title": f"{draw.text(5)} {number}",
              "author": {"login": f"user{draw.randrange(5000)}", "url": f"/users/{number}"},
              "labels": [draw.word() for _ in range(draw.randrange(4))], "body": draw.text(30),
              "comments": draw.randrange(40), "created": f"2026-01-{number % 28 + 1:02}"}
             for number in range(amount)]
    out.write(json.dumps(items))


def arguments(folder, size):
    return made(folder / f"json-{size.amount}.json", size, 11, write)


PROGRAM = Program(
    name="json", package="nlohmann-json3", units=units, arguments=arguments, language="C++",
    does="reads a list of issues, and follows numbers in them from one to the next",
    profiled=Size(10000, 50), measured=Size(40000, 50))
