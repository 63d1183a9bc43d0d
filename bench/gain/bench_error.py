#===- bench/gain/bench_error.py - What makes a program's row an error ------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The error of the bench, and commands that end in it."""

import subprocess

# Of what a failed command says, the lines that a message shows.
SHOWN_LINES = 12
# Of a long command, its first and last letters.
SHOWN_LETTERS = 400


class BenchError(Exception):
    """Something cannot be built, run or measured; the message says what and why."""


def shortened(words):
    """A command, but for the middle of a long one."""
    text = " ".join(words)
    return text if len(text) <= SHOWN_LETTERS else \
        f"{text[:SHOWN_LETTERS // 2]} … {text[-SHOWN_LETTERS // 2:]}"


def run(command, **arguments):
    """The standard output of a command that must succeed."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace",
                              **arguments)
    except OSError as error:
        raise BenchError(f"cannot run {words[0]}: {error.strerror}") from error
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise BenchError("\n".join([f"failed with {done.returncode}: {shortened(words)}",
                                    *said[-SHOWN_LINES:]]))
    return done.stdout
