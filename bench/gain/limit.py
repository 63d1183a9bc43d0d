#===- bench/gain/limit.py - What any split by context could leave ----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The fewest pages that a split of the heap by calling contexts can leave, as a share of those of
one heap, by the model of random placement.

A heap that packs its objects of a size class at random touches of each of its pages of P bytes a
share of 1 - exp(-P r), r being the mean over its bytes of -ln(1 - p) / s: p is the share of a
context's objects that is touched in a window, s their size. This is concave in r, so each further
split of a heap leaves fewer pages or as many, and none leaves fewer than a heap for each context.
Objects that lie far from all that is touched are on no such page, in whatever heap.
Pages of large objects are touched wherever they lie.

It is worked out here from what each window of a raw profile recorded, and shares nothing with what
Thermocline predicts.
"""

import math

PAGE = 4096
# Windows that hold this share of the most live bytes are of the steady phase; those before load.
STEADY = 0.95


def size_class(size):
    """jemalloc's: 8, then steps of 16 up to 128, then four in each doubling."""
    if size <= 8:
        return 8
    if size <= 128:
        return math.ceil(size / 16) * 16
    step = 1 << (math.ceil(math.log2(size)) - 3)
    return math.ceil(size / step) * step


def in_window(units, window):
    """Units live, their bytes, units touched, and units far from those."""
    place = window - units["firstWindow"]
    if not 0 <= place < len(units["live"]):
        return 0, 0, 0, 0
    return tuple(units[what][place] for what in ("live", "liveBytes", "touched", "far"))


def steady_windows(contexts, count):
    live = [sum(in_window(context[kind], window)[1] for context in contexts
                for kind in ("objects", "pages") if kind in context) for window in range(count)]
    return [window for window in range(count) if live[window] >= STEADY * max(live)]


def touched_bytes(heap):
    """Of a heap, given as bytes and touch rate per byte of each part."""
    size = sum(size for size, _ in heap)
    return size * -math.expm1(-PAGE * sum(size * rate for size, rate in heap) / size)


def limit_of(exported):
    """Of an exported raw profile; None without windows."""
    contexts, count = exported["contexts"], len(exported.get("windowsUs") or ())
    together = apart = 0.0
    for window in steady_windows(contexts, count) if count else ():
        classes = {}
        for context in contexts:
            if "pages" in context:
                touched = in_window(context["pages"], window)[2] * PAGE
                together += touched
                apart += touched
            live, size, touched, far = in_window(context["objects"], window) \
                if "objects" in context else (0, 0, 0, 0)
            near = live - far
            if near:
                # With all touched, some rate must be left.
                share = min(touched / near, 1 - 0.5 / near)
                size = size_class(size / live)
                heap = (near * size, -math.log1p(-share) / size)
                classes.setdefault(size, []).append(heap)
                apart += touched_bytes([heap])
        together += sum(touched_bytes(heaps) for heaps in classes.values())
    return apart / together if together else None
