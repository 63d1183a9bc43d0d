"""make-corpus.py DIRECTORY: seeds for the fuzzers, in DIRECTORY/context-text and
DIRECTORY/raw-profile. The same at every call.
"""

import os
import random
import struct
import sys


def context_program(rng):
    """A random program, with contexts that mostly fit its calls."""
    functions = ["f%d" % i for i in range(rng.randint(2, 7))]
    lines = ["thermocline-context-program 1"] + rng.choice([[], ["folded"], ["savings"]])
    lines += ["function %s %d%s" % (f, rng.randint(1, 50), rng.choice(["", "", "", " unclonable"]))
              for f in functions]
    calls, number = {}, 16
    for i, caller in enumerate(functions):
        for _ in range(rng.randint(1, 3)):
            callee = rng.choice(functions[i + 1:] or functions)
            ids = ["%x" % (number + k) for k in range(rng.choice([1, 1, 1, 2]))]
            number += len(ids)
            way = rng.choice(["", "", "", "", " indirect", " outside"])
            lines.append("callsite %s %s%s : %s" % (caller, callee, way, " ".join(ids)))
            calls.setdefault(callee, []).append((caller, ids))
    for owner in rng.sample(functions, min(len(functions), 2)):
        leaf = "%x" % number
        number += 1
        lines.append("allocation " + owner)
        for _ in range(rng.randint(1, 6)):
            stack, at = [leaf], owner
            while at in calls and len(stack) < 12:
                at, ids = rng.choice(calls[at])
                stack += ids
            known = rng.choice(["", " weight 300", " full 1f", " weight 7 key 2f"])
            lines.append("context %s %d%s : %s" % (rng.choice(["cold", "notcold"]), rng.randint(0, 9999), known,
                                                   " ".join(stack)))
    return "\n".join(lines) + "\n"


def uleb(*numbers):
    result = b""
    for number in numbers:
        while number >= 0x80:
            result += bytes([number & 0x7F | 0x80])
            number >>= 7
        result += bytes([number])
    return result


def touches(rng, windows, bursts):
    """When the units of a record were touched, for some of the windows, whose bursts took so long."""
    if not rng.randint(0, 3):
        return uleb(0)
    first = rng.randrange(windows)
    count = rng.randint(1, windows - first)
    granules = rng.randint(1, 999)
    result = uleb(count, first, granules, rng.randint(0, granules), rng.choice([0, 0, 7]))
    old, done = [0] * 10, 0
    while done != count:
        repeat = rng.randint(0, count - done - 1)
        has_burst = all(bursts[first + done:first + done + repeat + 1])
        live = rng.randint(0, 9)
        touched = rng.randint(0, live)
        in_burst = rng.randint(0, touched) if has_burst else 0
        born_in_burst = rng.randint(0, in_burst)
        born = rng.randint(born_in_burst, touched)
        new = [live, rng.randint(0, 9999), touched, in_burst, rng.randint(0, live - touched + born),
               rng.randint(0, live - in_burst + born_in_burst) if has_burst else 0, born, born_in_burst,
               rng.randint(0, live - born), rng.randint(0, live - born_in_burst) if has_burst else 0]
        changes = [b - a for a, b in zip(old, new)]
        result += uleb(sum(1 << i for i, c in enumerate(changes) if c) + 1024 * repeat)
        result += uleb(*(2 * c if c > 0 else -2 * c - 1 for c in changes if c))
        old = new
        done += repeat + 1
    return result


def checksum(data):
    """As include/thermocline/Format/RawChecksums.h says."""
    def mix(state, word):
        state = (state ^ word) * 0x9E3779B97F4A7C15 % 2 ** 64
        return state ^ state >> 32

    words = [int.from_bytes(data[i:i + 8], "little") for i in range(0, len(data) // 32 * 32 + 32, 8)]
    result = len(data)
    for lane in range(4):
        state = 0
        for word in words[lane::4]:
            state = mix(state, word)
        result = mix(result, state)
    return result


def raw_profile(rng, version, room=0, sampled=False, timed=False, checked=False):
    """A well-formed file as LLVM's runtime would write it; as ours keeps it up to date
    continuously, if there is room behind each section and the records are there twice; with its
    checksums, if it is checked."""
    segments = [struct.pack("<4Q32s", 0x1000 * (i + 1), 0x1000 * (i + 2), 0, 4, b"id%02d" % i)
                for i in range(rng.randint(1, 3))]
    stacks = range(1, rng.randint(2, 6))
    mibs = b""
    for stack in stacks:
        size = rng.randint(1, 4096)
        mibs += struct.pack("<QI3QQII", stack, 1, 6, 6, 6, size, size, size)
        mibs += struct.pack("<IIQII6IQ", 10, 30, 20, 20, 20, 3, 4, 1, 0, 0, 0, 0)
        mibs += struct.pack("<QIIQII", 9, 9, 9, 9, 9, 9)
        if version >= 4:
            counters = rng.randint(0, 3)
            mibs += struct.pack("<IQ", counters, 0)
            for _ in range(counters):
                mibs += struct.pack("<H" if version >= 5 else "<Q", rng.randint(0, 65535))
    mibs = struct.pack("<Q", len(stacks)) + mibs
    mibs += bytes(-len(mibs) % 8)
    parts = []
    if sampled:
        samples = struct.pack("<Q", rng.randint(2, 65535))
        for stack in stacks:
            samples += struct.pack("<2Q6d", rng.randint(1, 99), rng.randint(0, 3),
                                   *(rng.random() * 1000 for _ in range(6)))
        parts.append((b"tcsample", samples))
    if timed:
        begin = rng.randint(0, 9999)
        parts.append((b"tcrtimes", struct.pack("<2Q", begin, begin + rng.randint(0, 9999))))
        windows = rng.randint(0, 32)
        if windows:
            lengths = [rng.randint(1, 10 ** 6) for _ in range(windows)]
            bursts = [rng.choice([0, 1, length, rng.randint(0, length)]) for length in lengths]
            names = [bytes([ord("a") + i]) * rng.randint(1, 63) for i in range(rng.choice([0, 0, 1, 3, 15]))]
            run = uleb(windows, len(stacks), 4096 << rng.randint(0, 4), len(names)) + b"".join(uleb(len(n)) + n for n in names)
            run += b"".join(uleb(length, burst, rng.randint(0, len(names)))
                            for length, burst in zip(lengths, bursts))
            run += b"".join(touches(rng, windows, bursts) + touches(rng, windows, bursts) for _ in stacks)
            parts.append((b"tcwindow", run))
    for left, (kind, payload) in zip(range(len(parts) - 1, -1, -1), parts):
        checked = struct.pack("<4Q", 1, left, len(payload), len(payload))
        checked += payload + bytes(-len(payload) % 8)
        mibs += kind + struct.pack("<Q", checksum(checked)) + checked
    calls = struct.pack("<Q", len(stacks))
    for stack in stacks:
        addresses = [0x1010 + 16 * k for k in range(rng.randint(1, 5))]
        calls += struct.pack("<2Q%dQ" % len(addresses), stack, len(addresses), *addresses)
    head = struct.pack("<Q", len(segments)) + b"".join(segments)
    covered = head[8:], mibs, calls[8:]
    head, mibs, calls = (section + bytes(room) for section in (head, mibs, calls))
    # The checksums are in front of a file that is kept up to date, else at the end.
    first = 48
    if checked:
        first += 24 + (144 if room else 0)
    starts = [first, first + len(head), first + len(head) + len(mibs)]
    used = 0
    if room:
        used = rng.choice([0, 1])
        half, mibs = len(mibs), mibs + mibs
        starts = [first, first + len(head) + used * half, first + len(head) + 2 * half]
    total = end = starts[2] + len(calls)
    if checked and not room:
        total += 144
    header = struct.pack("<6Q", 0xFF6D70726F667281, version, total, *starts)
    if checked:
        fields = struct.pack("<8Q", starts[1], len(covered[1]), len(segments), len(stacks), len(covered[2]),
                             *map(checksum, covered))
        part = struct.pack("<8s2Q", b"tcchecks", 1, 72 if room else end)
        sums = [bytes(72), bytes(72)]
        sums[used] = fields + struct.pack("<Q", checksum(header + part + fields))
        if room:
            part += b"".join(sums)
        else:
            calls += b"".join(sums)
        head = part + head
    return header + head + mibs + calls


def main():
    rng = random.Random(22)
    seeds = {}
    for i in range(24):
        seeds["context-text/%02d.txt" % i] = context_program(rng).encode()
        seeds["raw-profile/%02d.memprofraw" % i] = raw_profile(rng, 3 + i % 3)
    for i in range(4):
        seeds["raw-profile/continuous-%d.memprofraw" % i] = raw_profile(rng, 5, room=8 * rng.randint(1, 30))
    for i in range(8):
        if i < 4:
            seeds["raw-profile/sampled-%d.memprofraw" % i] = raw_profile(
                rng, 5, room=8 * rng.randint(0, 3), sampled=True)
        seeds["raw-profile/timed-%d.memprofraw" % i] = raw_profile(
            rng, 5, room=8 * rng.randint(0, 3), sampled=i % 2 == 1, timed=True)
        seeds["raw-profile/checked-%d.memprofraw" % i] = raw_profile(
            rng, 5, room=8 * rng.choice([0, 0, 3]), sampled=i % 2 == 1, timed=i % 4 != 0, checked=True)
    # Two dumps in one file.
    seeds["raw-profile/two.memprofraw"] = raw_profile(rng, 5) + raw_profile(rng, 5)
    seeds["raw-profile/two-checked.memprofraw"] = 2 * raw_profile(rng, 5, checked=True)
    for name, contents in seeds.items():
        path = os.path.join(sys.argv[1], name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(contents)


main()
