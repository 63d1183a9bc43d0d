#===- bench/gain/inputs.py - Inputs that are made with a seed --------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Files that programs read, made when a run first needs them, the same on each machine."""

import random

WORDS = "amber basalt cedar delta ember fjord garnet harbor island juniper".split()


class Draw(random.Random):
    """Numbers by a fixed seed, and texts of a few words."""

    def word(self):
        return self.choice(WORDS)

    def text(self, words):
        return " ".join(self.word() for _ in range(words))


def made(file, size, seed, write):
    """The arguments of a run on `file`, which `write` makes unless it is there: of the open file,
    what to draw from, and the amount."""
    if not file.exists():
        with open(file, "w") as out:
            write(out, Draw(seed), size.amount)
    return [str(file), str(size.rounds)]
