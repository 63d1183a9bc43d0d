#===- bench/gain/search.py - The best cold set that runs find --------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Searches for the set of cold contexts that leaves the fewest pages, by building and running the
program with each that is tried.

It begins with the contexts that Thermocline calls cold. It takes the others in turn, the ones with
the most bytes first, changes whether they are cold, and keeps what leaves fewer pages. A set is
forced by the profile alone, as a user could: `thermo-profdata merge --text` writes YAML, which
knows nothing of windows, so what is read back decides by totals. Totals are made such that the
contexts of the set are cold, and no others.
"""

import os
import pathlib
import re
import statistics
import sys

from bench_error import BenchError, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
from exported import loads

MOST_CONTEXTS = 24
# A set has to leave so many fewer pages to be better: less is within what counts differ by.
LEAST_BETTER = 0.005
CALL_STACK = re.compile(r"      - Callstack:\n((?:          - .*\n)+)")
MEASURES = ("        MemInfoBlock:\n", re.compile(r"          (\w+):( +)(\d+)\n"))
# What totals say of a context of one cold object, or of one that is in use: a lifetime as long as
# the run, and accesses per byte (docs/classification.md).
COLD_ACCESSES, HOT_ACCESSES = 0, 1000
# Densities are noted in hundredths.
DENSITY = 100


def measures_as(fields, cold, run_ms):
    """The measures of a context such that it is cold, or is not, by totals."""
    count, size = fields["AllocCount"], fields["TotalSize"]
    per_byte = COLD_ACCESSES if cold else HOT_ACCESSES
    least, most = fields["MinSize"], fields["MaxSize"]
    return dict(
        fields, TotalAccessCount=per_byte * size, MinAccessCount=per_byte * least,
        MaxAccessCount=per_byte * most, TotalLifetime=count * run_ms, MinLifetime=run_ms,
        MaxLifetime=run_ms, TotalAccessDensity=per_byte * DENSITY * count,
        MinAccessDensity=per_byte * DENSITY, MaxAccessDensity=per_byte * DENSITY,
        TotalLifetimeAccessDensity=per_byte * DENSITY * count,
        MinLifetimeAccessDensity=per_byte * DENSITY, MaxLifetimeAccessDensity=per_byte * DENSITY)


class Contexts:
    """The contexts of a profile in YAML, by their call stacks: text between measures, and these."""

    def __init__(self, text):
        self.pieces, self.stacks = [], []
        at = 0
        for found in CALL_STACK.finditer(text):
            begin = found.end()
            if not text.startswith(MEASURES[0], begin):
                raise BenchError("the profile's YAML has a call stack without measures")
            begin += len(MEASURES[0])
            fields, end = {}, begin
            while field := MEASURES[1].match(text, end):
                fields[field[1]] = int(field[3])
                end = field.end()
            self.pieces.append((text[at:begin], fields))
            self.stacks.append(found[1])
            at = end
        self.rest = text[at:]
        self.all = list(dict.fromkeys(self.stacks))

    def text(self, change):
        """The YAML with measures that `change` makes of a call stack's number and its measures."""
        written = []
        for stack, (before, fields) in zip(self.stacks, self.pieces):
            written.append(before)
            written += (f"          {name}: {value}\n"
                        for name, value in change(stack, fields).items())
        return "".join(written) + self.rest


class Search:
    """A search for one program. `pages_of` builds it with a profile, and counts its pages."""

    def __init__(self, ways, binary, profile, folder, pages_of):
        self.ways, self.binary, self.folder = ways, binary, folder
        self.pages_of, self.builds = pages_of, 0
        folder.mkdir(parents=True, exist_ok=True)
        text = folder / "profile.yaml"
        run([ways.profdata, "merge", "--quiet", "--text", profile, "-o", text])
        self.contexts = Contexts(text.read_text())
        exported = self.exported(profile)
        self.run_ms = max(exported["runs"]["longestMs"], 1)
        # The profile's YAML has more: what says how long the runs took looks like a context.
        self.known, self.candidates, self.ours = self.known_of(exported)

    def exported(self, profile):
        return loads(run([self.ways.profdata, "export", f"--binary={self.binary}", profile]))

    def indexed(self, name, change):
        text, profile = self.folder / f"{name}.yaml", self.folder / f"{name}.memprofdata"
        text.write_text(self.contexts.text(change))
        run([self.ways.profdata, "merge", "--quiet", text, "-o", profile])
        return profile

    def known_of(self, exported):
        """The call stacks of contexts, those to try, by bytes, and those that are cold. A profile
        in which each has a number of its own tells which identifier is whose."""
        number = {stack: index + 1 for index, stack in enumerate(self.contexts.all)}
        named = self.exported(self.indexed(
            "numbered", lambda stack, fields: dict(fields, AllocTimestamp=number[stack])))
        stack_of = {context["id"]: self.contexts.all[context["measures"]["AllocTimestamp"] - 1]
                    for context in named["contexts"]}
        known = [context for context in exported["contexts"] if context["id"] in stack_of]
        # Larger objects share pages with nobody.
        small = [context for context in known if context.get("objects", {}).get("live")]
        small.sort(key=lambda context: -max(context["objects"]["liveBytes"]))
        return (frozenset(stack_of.values()), [stack_of[context["id"]] for context in small],
                frozenset(stack_of[context["id"]] for context in known if context["cold"]))

    def pages(self, cold):
        """The pages that are touched in a window if just this set is cold."""
        profile = self.indexed("forced", lambda stack, fields: measures_as(
            fields, stack in cold, self.run_ms) if stack in self.known else fields)
        self.builds += 1
        return self.pages_of(profile)

    def found(self, most_runs):
        """The best set within so many builds and runs."""
        best = self.ours
        first = least = self.pages(best)
        tried = 0
        for stack in self.candidates[:MOST_CONTEXTS]:
            if self.builds == most_runs:
                break
            tried += 1
            changed = best ^ {stack}
            pages = self.pages(changed)
            if pages < least * (1 - LEAST_BETTER):
                best, least = changed, pages
        return {"oursKiB": first, "bestKiB": least, "differ": len(best ^ self.ours),
                "tried": tried, "contexts": len(self.candidates), "runs": self.builds}


def counted_pages(measure, window, times=2):
    """The mean pages of windows, KiB; the least of a few runs, as what else a machine does only
    makes windows differ."""
    return min(statistics.mean(measure(window).windows) for _ in range(times))
