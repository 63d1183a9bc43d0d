#===- bench/gain/measure.py - Times and pages of a steady phase ------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs a program once, and measures its steady phase.

A driver says where the phase begins and ends (drivers/phase.h); for a server, its client does. Time
and pages are measured in different runs, because counting pages costs time. Pages are counted by
the kernel's referenced bits, in windows of equal processor time: at the end of each the program is
stopped, the pages that it touched are counted, and the bits are cleared.
"""

import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

from bench_error import SHOWN_LINES, BenchError

TIMEOUT = 300
# A mapping of smaps; those with an inode are files.
MAPPING = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ (\d+) *(.*)$")


@dataclasses.dataclass
class Phase:
    """What a run showed: processor and wall time of the steady phase in seconds; memory in
    KiB; what the program printed."""
    seconds: float = 0
    wall: float = 0
    peak: int = 0
    resident: int = 0
    # Pages touched in each window.
    windows: list = dataclasses.field(default_factory=list)
    said: str = ""


def heap_pages(smaps):
    """KiB referenced in anonymous mappings other than stacks."""
    touched, is_heap = 0, False
    for line in smaps.splitlines():
        mapping = MAPPING.match(line)
        if mapping:
            name = mapping[2]
            is_heap = mapping[1] == "0" and (not name or name == "[heap]"
                                             or name.startswith("[anon"))
        elif is_heap and line.startswith("Referenced:"):
            touched += int(line.split()[1])
    return touched


class Process:
    """A running program, as the kernel tells of it."""

    def __init__(self, process_id):
        self.id = process_id
        self.folder = pathlib.Path(f"/proc/{process_id}")

    def seconds(self):
        """Processor time of all threads that live."""
        total = 0
        for thread in (self.folder / "task").iterdir():
            try:
                total += int((thread / "schedstat").read_text().split()[0])
            except (OSError, IndexError):
                pass
        return total * 1e-9

    def clear(self):
        """Clears the referenced bits. The processor sets none of pages whose translations it still
        has; clearing what was written makes it forget them, where the kernel can."""
        (self.folder / "clear_refs").write_text("1")
        try:
            (self.folder / "clear_refs").write_text("4")
        except OSError:
            pass

    def touched(self):
        return heap_pages((self.folder / "smaps").read_text(errors="replace"))

    def memory(self):
        """The most memory resident so far, and that resident now."""
        status = (self.folder / "status").read_text()
        return tuple(int(re.search(rf"^{name}:\s+(\d+)", status, re.M)[1])
                     for name in ("VmHWM", "VmRSS"))


class Watch:
    """Measures the phase of a process: times always, pages if there is a length of windows."""

    def __init__(self, process, window=None):
        self.process, self.window, self.phase = Process(process), window, Phase()
        self.thread, self.ended = None, threading.Event()

    def begin(self):
        if self.window:
            self.process.clear()
        self.started, self.wall_started = self.process.seconds(), time.monotonic()
        if self.window:
            self.thread = threading.Thread(target=self.count)
            self.thread.start()

    def count(self):
        last = self.started
        while not self.ended.wait(min(0.002, self.window / 4)):
            try:
                now = self.process.seconds()
                if now - last < self.window:
                    continue
                os.kill(self.process.id, signal.SIGSTOP)
                try:
                    last = self.process.seconds()
                    self.phase.windows.append(self.process.touched())
                    self.process.clear()
                finally:
                    os.kill(self.process.id, signal.SIGCONT)
            except OSError:
                return

    def end(self, times=None):
        """Of a driver, the times that it measured itself."""
        if times:
            self.phase.wall, self.phase.seconds = times
        else:
            self.phase.seconds = self.process.seconds() - self.started
            self.phase.wall = time.monotonic() - self.wall_started
        if self.thread:
            self.ended.set()
            self.thread.join()
            if not self.phase.windows:
                self.phase.windows.append(self.process.touched())
        self.phase.peak, self.phase.resident = self.process.memory()


def driven(command, environment, window=None):
    """Runs a driver."""
    from_driver, to_bench = os.pipe()
    from_bench, to_driver = os.pipe()
    environment = dict(environment, GAIN_PIPES=f"{from_bench},{to_bench}")
    process = subprocess.Popen(command, env=environment, pass_fds=(from_bench, to_bench),
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace")
    os.close(to_bench)
    os.close(from_bench)
    timer = threading.Timer(TIMEOUT, process.kill)
    timer.start()
    watch, ended = Watch(process.pid, window), False
    try:
        with os.fdopen(from_driver) as lines, os.fdopen(to_driver, "wb", buffering=0) as answers:
            for line in lines:
                words = line.split()
                if words[0] == "begin":
                    watch.begin()
                else:
                    watch.end((float(words[1]), float(words[2])))
                    ended = True
                answers.write(b"\n")
        watch.phase.said = process.communicate()[0]
    finally:
        timer.cancel()
        watch.ended.set()
        if process.poll() is None:
            process.kill()
            process.wait()
    if process.returncode or not ended:
        why = f"ended with {process.returncode}" if process.returncode else "has no steady phase"
        said = watch.phase.said.strip().splitlines()[-SHOWN_LINES:]
        raise BenchError("\n".join([f"{why}: {' '.join(command)}", *said]))
    return watch.phase


def measure(program, command, environment, size, window=None):
    """One run of a program; pages are counted if there is a length of windows, in seconds."""
    command = [str(word) for word in command]
    if program.client:
        return program.client.measure(command, environment, size, window)
    return driven(command, environment, window)
