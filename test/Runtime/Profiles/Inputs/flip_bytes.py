#!/usr/bin/env python3
"""flip_bytes.py THERMO-PROFDATA RAW...: damages copies of each raw profile, one byte each, at each
byte of the header and checksums and at some of each section. Prints what was said of each part.
Where nothing was said, the profile must be the same, and the byte in room that no checksum covers."""

import os
import random
import re
import struct
import subprocess
import sys

HEADER, PART, SET, SEGMENT = 48, 24, 72, 64
tool = sys.argv[1]


def show(path):
    done = subprocess.run([tool, "show", "--all", path], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


for path in sys.argv[2:]:
    with open(path, "rb") as file:
        whole = file.read()
    total, segments, records, stacks = struct.unpack_from("<4Q", whole, 16)
    magic, _, sets = struct.unpack_from("<8s2Q", whole, HEADER)
    assert total == len(whole) and magic == b"tcchecks"
    fields = [struct.unpack_from("<9Q", whole, sets + SET * i) for i in range(2)]
    used = [i for i in range(2) if fields[i][0] == records][0]
    assert fields[1 - used][0] == 0, "the checksums of the other half are still there"
    _, record_bytes, segment_count, stack_count, stack_bytes = fields[used][:5]
    other = sets + SET * (1 - used)
    parts = {
        "header": (0, HEADER + PART),
        "checksums": (sets, sets + 2 * SET),
        "segment section": (segments, segments + 8 + segment_count * SEGMENT),
        "MIB section": (records, records + record_bytes),
        "call stack section": (stacks, stacks + 8 + stack_bytes),
    }
    covered = [range(*part) for part in parts.values()]
    room = [at for at in range(len(whole)) if not any(at in part for part in covered)]
    rng = random.Random(22)
    damaged = path + ".damaged"

    def shown_with(at, flip):
        changed = bytearray(whole)
        changed[at] ^= flip
        with open(damaged, "wb") as file:
            file.write(changed)
        return show(damaged)

    with open(damaged, "wb") as file:
        file.write(whole)
    status, right, _ = show(damaged)
    assert status == 0
    for part, (begin, end) in parts.items():
        some = range(begin, end)
        if part.endswith("section"):
            some = sorted({*range(begin, begin + 8), end - 1, *rng.sample(some, 20)})
        said, harmless = set(), 0
        for at in some:
            flip = rng.choice([1, 0x80, 0xFF])
            status, output, error = shown_with(at, flip)
            if status == 0:
                # Of the checksums that belong to no records, and of counts that are greater than
                # what the checksums cover: the profile is the same.
                assert other <= at < other + SET or at - begin < 8, (path, part, at, flip)
                assert output == right, (path, part, at, flip)
                harmless += 1
                continue
            assert status == 1 and not output, (path, part, at, flip, status)
            assert error.startswith("thermo-profdata: error: " + damaged + ": "), error
            said.add(re.sub(r" \(at byte \d+\)|0x[0-9A-F]+|\d{2,}", "…", error.strip().split(damaged + ": ")[1]))
        print("%s: %s: %d of %d bytes noticed" % (os.path.basename(path), part, len(some) - harmless, len(some)))
        for text in sorted(said):
            print("  " + text)
    for at in rng.sample(room, min(len(room), 20)):
        assert shown_with(at, 0xFF)[:2] == (0, right), (path, "room", at)
    print("%s: room: %s" % (os.path.basename(path), "the same profile" if room else "none"))
