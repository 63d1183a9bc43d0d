#!/usr/bin/env python3
"""Checks that each file includes what it needs by itself, without the precompiled headers.

Builds include a list of LLVM's headers before each file (cmake/ThermoclinePrecompiled.cmake), so
they do not show what a file forgot to include. Here each source file that is built so, and each
header that is included by any built file, is compiled alone, as far as its meaning.

Most of the time would go into reading the same headers of LLVM hundreds of times. So a few sets
of them are precompiled here too, but a file is given such a set only if it includes all of it
anyway: that hides nothing. What a file includes is what clang-scan-deps finds, which preprocesses
all files together within seconds. The order of includes is the one thing that is not seen in a
source file; as each header is compiled alone, no order is wrong.

BUILD/alone.json remembers the files that passed, with what they include. They are checked again
when one of these changes, or the command. Prints the compiler's errors and nothing else, and fails
if there are any.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

LLVM_BIN = "/usr/lib/llvm-22/bin/"

# A file is given the largest of these sets that it includes anyway. To choose them, headers and
# pairs of headers were compared by the bytes that all files together then need not read.
SETS = [
    ["string"],
    ["llvm/ADT/ArrayRef.h"],
    ["llvm/Support/Error.h"],
    ["llvm/IR/GlobalValue.h"],
    ["llvm/IR/DataLayout.h", "llvm/IR/Constants.h"],
    ["llvm/IR/ModuleSummaryIndex.h"],
    ["llvm/ProfileData/InstrProf.h", "map"],
    ["llvm/ProfileData/InstrProfReader.h", "llvm/IR/ModuleSummaryIndex.h"],
    ["llvm/Passes/PassBuilder.h"],
    ["gtest/gtest.h"],
    ["gtest/gtest.h", "llvm/ADT/ArrayRef.h"],
    ["gtest/gtest.h", "llvm/IR/Module.h"],
]


class Unit:
    """A file to compile alone, and the command's words before those that name the file."""

    def __init__(self, file, directory, words, set_allowed):
        self.file, self.directory, self.words = file, directory, words
        self.set_allowed = set_allowed
        self.includes = []

    def key(self):
        """What must stay as it was for a file that passed to pass again."""
        digest = hashlib.sha256("\0".join([self.directory, *self.words]).encode())
        for file in self.includes:
            digest.update(state_of(file))
        return digest.hexdigest()


STATES = {}


def state_of(file):
    """A file of the tree by its contents, so that a fresh copy is known again; others by date."""
    if file not in STATES:
        try:
            if file.startswith(TREE):
                state = hashlib.sha256(pathlib.Path(file).read_bytes()).digest()
            else:
                status = os.stat(file)
                state = f"{file} {status.st_size} {status.st_mtime_ns}".encode()
        except FileNotFoundError:
            state = b"gone"
        STATES[file] = state
    return STATES[file]


def without_precompiled(command):
    """The words of a compile command without its precompiled headers, output and input."""
    words, rest = [], iter(shlex.split(command))
    for word in rest:
        if word in ("-o", "-c"):
            next(rest)
        elif word == "-Xclang":
            following = next(rest)
            if following in ("-include", "-include-pch"):
                next(rest), next(rest)
            else:
                words += [word, following]
        elif not word.startswith(("-W", "-M")):
            words.append(word)
    return words + ["-w", "-ferror-limit=5"]


def read_commands(build):
    """Each file of the tree that is compiled, and whether precompiled headers are hidden in it."""
    units = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = entry["file"]
        if file.startswith(TREE) and not file.startswith(str(build)) and file not in units:
            units[file] = Unit(file, entry["directory"], without_precompiled(entry["command"]),
                               "-include-pch" in entry["command"])
    return [units[file] for file in sorted(units)]


def scan(units, build):
    """Fills in what each file includes, itself first."""
    database = build / "alone" / "scan.json"
    database.write_text(json.dumps([
        {"directory": unit.directory, "file": unit.file, "output": unit.file + ".o",
         "command": shlex.join([*unit.words, "-c", unit.file])} for unit in units]))
    result = subprocess.run(
        [LLVM_BIN + "clang-scan-deps", "-compilation-database", database, "-format", "make",
         "-j", str(os.cpu_count())], capture_output=True, text=True)
    # Rules stand in the order in which threads ended. What it could not read is left
    # to the compiler, which says why.
    includes = {}
    for rule in re.split(r"\n(?=\S)", result.stdout):
        names = [os.path.normpath(name) for name in rule.replace("\\\n", " ").split()[1:]]
        if names:
            includes[names[0]] = names
    for unit in units:
        unit.includes = includes.get(unit.file, [unit.file])


def headers_of(units, build):
    """The tree's headers, each with the command of the first file that includes it."""
    headers = {}
    for unit in units:
        language = ["-x", "c-header" if unit.file.endswith(".c") else "c++-header"]
        for file in unit.includes[1:]:
            if file.startswith(TREE) and not file.startswith(str(build)) and file not in headers:
                headers[file] = Unit(file, unit.directory, unit.words + language, unit.set_allowed)
    return [headers[file] for file in sorted(headers)]


def read_sets(units, build):
    """The sets as units, the largest first. One that cannot be read is none."""
    plain = next(unit for unit in units if unit.set_allowed)
    words = [word for word in plain.words if not word.startswith("-I")]
    sets = []
    for number, headers in enumerate(SETS):
        file = build / "alone" / f"set{number}.h"
        file.write_text("".join(f"#include <{header}>\n" for header in headers))
        sets.append(Unit(str(file), plain.directory, words + ["-x", "c++-header"], False))
    scan(sets, build)
    for unit in sets:
        unit.includes.remove(unit.file)
    sets = [unit for unit in sets if unit.includes]
    return sorted(sets, key=lambda unit: -sum(os.path.getsize(file) for file in unit.includes))


def choose_sets(units, build):
    """The set of each file, or None."""
    if not any(unit.set_allowed for unit in units):
        return [None] * len(units)
    sets = read_sets(units, build)
    chosen = []
    for unit in units:
        included = set(unit.includes)
        chosen.append(next((one for one in sets if included.issuperset(one.includes)), None)
                      if unit.set_allowed else None)
    return chosen


def precompile(unit):
    return subprocess.run([*unit.words, "-fpch-instantiate-templates", unit.file,
                           "-o", unit.file + ".pch"], cwd=unit.directory).returncode


def compile_alone(unit, chosen):
    words = [*unit.words, "-include-pch", chosen.file + ".pch"] if chosen else unit.words
    return subprocess.run([*words, "-fsyntax-only", unit.file], cwd=unit.directory,
                          stderr=subprocess.PIPE, text=True)


def check(units, build):
    """Compiles the units, prints the errors, and returns those that failed."""
    chosen = choose_sets(units, build)
    used = sorted({one for one in chosen if one}, key=lambda unit: unit.file)
    failed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        if any(pool.map(precompile, used)):
            sys.exit("error: LLVM's headers cannot be precompiled")
        for unit, result in zip(units, pool.map(compile_alone, units, chosen)):
            if result.returncode:
                print(f"{os.path.relpath(unit.file, TREE)} does not compile alone:")
                print(result.stderr, flush=True)
                failed.append(unit)
    return failed


def take_remembered(units, known):
    """Fills in what is known of files that stayed as they were; the others."""
    changed = []
    for unit in units:
        key, unit.includes = known.get(unit.file, ["", []])
        if key != unit.key():
            changed.append(unit)
    return changed


def main():
    global TREE
    parser = argparse.ArgumentParser(description="Compiles each file alone.")
    parser.add_argument("build", type=pathlib.Path,
                        help="a build folder, of which the list of commands is needed")
    parser.add_argument("--tree", type=pathlib.Path,
                        default=pathlib.Path(__file__).parent.parent)
    options = parser.parse_args()
    TREE = os.path.join(options.tree.resolve(), "")
    build = options.build.resolve()
    (build / "alone").mkdir(exist_ok=True)
    remembered = build / "alone.json"
    known = json.loads(remembered.read_text()) if remembered.exists() else {}

    sources = read_commands(build)
    changed = take_remembered(sources, known)
    scan(changed, build)
    headers = headers_of(sources, build)
    changed_headers = take_remembered(headers, known)
    scan(changed_headers, build)

    # The build has compiled the rest of the sources without precompiled headers.
    to_compile = [unit for unit in changed if unit.set_allowed] + changed_headers
    # Keys are of what was there before, in case that a file changes meanwhile.
    passed = {unit.file: [unit.key(), unit.includes] for unit in sources + headers}
    failed = check(to_compile, build)
    for unit in failed:
        del passed[unit.file]
    remembered.write_text(json.dumps(passed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
