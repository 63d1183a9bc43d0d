#===- bench/gain/server.py - Servers and their clients ---------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs a server on the loopback interface and plays its client, which says where the steady phase
begins and ends. What is measured is the server."""

import contextlib
import dataclasses
import functools
import socket
import subprocess
import tempfile
import time
from typing import Callable

from bench_error import SHOWN_LINES, BenchError
from measure import TIMEOUT, Watch


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclasses.dataclass(frozen=True)
class Server:
    """How a server is started and used: its arguments from a port; what the client sends before the
    phase and in it, from a size; what makes it end. A batch is bytes to send, and the bytes that
    end the answer."""
    arguments: Callable
    load: Callable
    work: Callable
    quit: bytes

    # To make it takes longer than to send it.
    @functools.lru_cache(maxsize=4)
    def sent(self, size):
        return list(self.load(size)), list(self.work(size))

    def measure(self, command, environment, size, window=None):
        port = free_port()
        load, work = self.sent(size)
        with tempfile.TemporaryFile("w+") as log:
            process = subprocess.Popen([*command, *self.arguments(port)], env=environment,
                                       stdout=log, stderr=subprocess.STDOUT)
            try:
                watch = self.used(process, port, load, work, window)
            except (OSError, BenchError) as error:
                process.kill()
                process.wait()
                log.seek(0)
                said = log.read().strip().splitlines()[-SHOWN_LINES:]
                raise BenchError("\n".join([f"{command[0]}: {error}", *said])) from error
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        return watch.phase

    def used(self, process, port, load, work, window):
        watch = Watch(process.pid, window)
        with self.connected(process, port) as client:
            answers = 0
            for batch in load:
                exchange(client, *batch)
            watch.begin()
            try:
                for batch in work:
                    answers += exchange(client, *batch)
                watch.end()
            finally:
                watch.ended.set()
            client.sendall(self.quit)
            try:
                code = process.wait(TIMEOUT)
            except subprocess.TimeoutExpired as error:
                raise BenchError("the server does not end") from error
            if code:
                raise BenchError(f"the server ended with {code}")
        watch.phase.said = f"answers of {answers} bytes"
        return watch

    def profile(self, command, environment, size):
        """A run without a look at the process."""
        self.measure(command, environment, size)

    @staticmethod
    @contextlib.contextmanager
    def connected(process, port):
        # A server in a profiled build starts slowly.
        last = time.monotonic() + 30
        while True:
            try:
                client = socket.create_connection(("127.0.0.1", port), TIMEOUT)
                break
            except ConnectionError:
                if process.poll() is not None or time.monotonic() > last:
                    raise
                time.sleep(0.02)
        with client:
            yield client


def exchange(client, sent, end):
    """The number of bytes of the answer to a batch."""
    client.sendall(sent)
    tail, received = b"", 0
    while not tail.endswith(end):
        got = client.recv(1 << 18)
        if not got:
            raise BenchError("the server closed the connection")
        received += len(got)
        tail = (tail + got)[-len(end):]
    return received
