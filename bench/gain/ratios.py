#===- bench/gain/ratios.py - Ratios of pairs of runs, with intervals -------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compares two programs by runs that alternated.

Each run of the one is divided by the run of the other that was beside it, so that a slow minute of
the machine slows both. The interval is the bootstrap's: the same number of pairs is drawn from the
pairs with repetition, many times, and the middle 95 % of the medians are the interval.
"""

import dataclasses
import random
import statistics

RESAMPLES = 4000
SEED = 17


@dataclasses.dataclass(frozen=True)
class Ratio:
    """The median of the ratios of pairs, and its 95 % interval."""
    median: float
    low: float
    high: float


def percentile(ordered, share):
    """The value that a share of an ascending list is below, interpolated."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def ratio(runs, base):
    """The ratio of runs to the runs beside them, given in the same order."""
    if len(runs) != len(base) or not runs:
        raise ValueError(f"{len(runs)} runs and {len(base)} runs make no pairs")
    pairs = [a / b for a, b in zip(runs, base)]
    draw = random.Random(SEED)
    medians = sorted(statistics.median(draw.choices(pairs, k=len(pairs)))
                     for _ in range(RESAMPLES))
    return Ratio(statistics.median(pairs), percentile(medians, 0.025),
                 percentile(medians, 0.975))
