"""Damages files of programs at random, and lets tools read them.

Usage: damaged-programs.py SEED COUNT COMMANDS FILE...

COMMANDS is a file with a command on each line. Each is run after each of COUNT damages to one of
the FILEs, which is whole again afterwards. A tool must end by itself, with exit status 0 or 1, say
in one line each what is wrong, and name a file if it fails. Prints what was found, and how often
reading ended the process that did it; fails if anything was found.
"""

import random
import resource
import struct
import subprocess
import sys

# What must not happen: a tool that dies tells of LLVM, and one that was damaged itself of memory.
BAD_WORDS = (b"PLEASE submit", b"Stack dump", b"terminate called", b"LLVM ERROR", b"Sanitizer")
INTERESTING = (0, 1, 2, 0x7f, 0x80, 0xff)


class Elf:
    """Where the parts of a 64-bit ELF file are."""

    def __init__(self, data):
        self.data = data
        self.sections = []
        offset, = struct.unpack_from("<Q", data, 0x28)
        size, count, names = struct.unpack_from("<HHH", data, 0x3a)
        self.headers = (offset, size * count)
        entries = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
        strings = entries[names][4]
        for name, kind, flags, _, begin, length, *_ in entries:
            end = data.index(b"\0", strings + name)
            if kind not in (0, 8) and length:
                self.sections.append((data[strings + name:end].decode(), begin, length, flags))

    def places(self):
        """A name, an offset and a size for each part that is worth damaging."""
        yield "ELF header", 0, 64
        yield "program headers", 64, 56 * struct.unpack_from("<H", self.data, 0x38)[0]
        yield ("section headers", *self.headers)
        for name, begin, length, flags in self.sections:
            if flags & 0x800:
                yield name + " header", begin, 24
            if name.startswith((".debug", ".symtab", ".dynsym", ".strtab", ".dynstr", ".dynamic",
                                ".note", ".rela", ".gnu", "thermocline", ".shstrtab", ".plt")):
                yield name, begin, length


def damage(data, at, size, pick):
    """Changes some bytes of a part."""
    kind = pick.randrange(4)
    if kind == 0:  # A number of eight bytes becomes a strange one.
        begin = at + pick.randrange(max(1, size - 7)) // 8 * 8
        number = pick.choice((0, 1, 2**63, 2**64 - 1, 2**32 - 1, 2**40, 2**31, pick.randrange(2**64)))
        data[begin:begin + 8] = struct.pack("<Q", number)[:max(0, len(data) - begin)]
    elif kind == 1:  # Some bytes are any.
        for _ in range(pick.choice((1, 2, 4, 16))):
            data[at + pick.randrange(size)] = pick.randrange(256)
    elif kind == 2:  # A few bytes are zero, or all ones.
        begin = at + pick.randrange(size)
        length = min(pick.choice((1, 2, 4, 8, 64)), at + size - begin)
        data[begin:begin + length] = bytes([pick.choice(INTERESTING)]) * length
    else:  # A part of it stands somewhere else.
        length = min(size, pick.choice((4, 8, 32)))
        source = at + pick.randrange(size - length + 1)
        target = at + pick.randrange(size - length + 1)
        data[target:target + length] = data[source:source + length]


def limit():
    # Far more than any of these files needs; what takes no end is found.
    resource.setrlimit(resource.RLIMIT_CPU, (60, 61))


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    with open(sys.argv[3]) as file:
        commands = file.read().splitlines()
    pick = random.Random(seed)
    whole = {path: open(path, "rb").read() for path in sys.argv[4:]}
    parts = {path: [part for part in Elf(data).places() if part[2]] for path, data in whole.items()}
    found = ended = 0
    for number in range(count):
        path = pick.choice(sorted(whole))
        name, at, size = pick.choice(parts[path])
        data = bytearray(whole[path])
        for _ in range(pick.choice((1, 1, 2, 5))):
            damage(data, at, size, pick)
        del data[len(whole[path]):]
        with open(path, "wb") as file:
            file.write(data)
        for command in commands:
            done = subprocess.run(command, shell=True, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, preexec_fn=limit)
            ended += b"reading it" in done.stderr
            lines = done.stderr.splitlines()
            wrong = (done.returncode not in (0, 1) or any(w in done.stderr for w in BAD_WORDS)
                     or len(lines) > 100 or (done.returncode == 1 and b": error: " not in done.stderr))
            if wrong:
                found += 1
                kept = f"damaged-{seed}-{number}"
                with open(kept, "wb") as file:
                    file.write(data)
                print(f"{kept}: {path}, {name}: {command}: status {done.returncode}\n"
                      + done.stderr.decode(errors="replace")[:600], flush=True)
        with open(path, "wb") as file:
            file.write(whole[path])
    print(f"{count} damages, reading ended {ended} times, {found} findings")
    sys.exit(found != 0)


if __name__ == "__main__":
    main()
