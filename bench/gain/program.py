#===- bench/gain/program.py - What the bench knows of a program ------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Descriptions of programs: what to compile, what to run, and what they are for.

The programs are in bench/gain/programs, a file each, with drivers in bench/gain/drivers.
"""

import dataclasses
import pathlib
from typing import Callable

DRIVERS = pathlib.Path(__file__).resolve().parent / "drivers"


@dataclasses.dataclass(frozen=True)
class Unit:
    """A source file and the flags that it needs. The path is relative to the package's source, so
    that each build names it in the same way."""
    source: pathlib.Path
    flags: tuple = ()

    @property
    def is_cpp(self):
        return self.source.suffix != ".c"


@dataclasses.dataclass(frozen=True)
class Size:
    """How much a run works on: `amount` is data, `rounds` how often the steady phase is done."""
    amount: int
    rounds: int


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    # What it does here, for the tables.
    does: str
    # The units to compile: of the source tree and a folder for generated files.
    units: Callable
    # The arguments of a run: of a folder for inputs and a size.
    arguments: Callable
    profiled: Size
    measured: Size
    # The source package; none for the example of this repository.
    package: str = None
    # Why nothing is expected to be gained, for a negative control.
    control: str = None
    libraries: tuple = ()
    # For a server: what plays its client (measure.py).
    client: Callable = None

    @property
    def is_cpp(self):
        return self.language == "C++"

    # Of the program; the driver may be in the other one.
    language: str = "C"


def driver(name, *flags):
    return Unit(DRIVERS / name, flags)


def files(tree, *patterns, without=()):
    """The files of a tree by patterns, in order, relative to it."""
    found = []
    for pattern in patterns:
        found += sorted(path.relative_to(tree) for path in tree.glob(pattern))
    return [path for path in found if path.name not in without]
