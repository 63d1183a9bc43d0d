"""Runs a command and prints how often it opened each of some files, one number a line.

Usage: count-opens.py FILE... -- COMMAND...
"""

import ctypes
import os
import struct
import subprocess
import sys

IN_OPEN, IN_CLOSE = 0x20, 0x18


def main():
    split = sys.argv.index("--")
    files, command = sys.argv[1:split], sys.argv[split + 1:]
    libc = ctypes.CDLL(None, use_errno=True)
    queue = libc.inotify_init1(os.O_NONBLOCK)
    opened = {}
    for file in files:
        # The kernel makes one of equal events in a row: what is closed in between parts them.
        watch = libc.inotify_add_watch(queue, file.encode(), IN_OPEN | IN_CLOSE)
        if queue < 0 or watch < 0:
            sys.exit("inotify: " + os.strerror(ctypes.get_errno()))
        opened[watch] = 0
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    while True:
        try:
            events = os.read(queue, 1 << 16)
        except BlockingIOError:
            break
        while events:
            watch, mask, _, length = struct.unpack_from("iIII", events)
            if mask & 0x4000:
                sys.exit("inotify: more events than are kept")
            opened[watch] += bool(mask & IN_OPEN)
            events = events[16 + length:]
    print(*opened.values(), sep="\n")


if __name__ == "__main__":
    main()
