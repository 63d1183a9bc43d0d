#!/usr/bin/env python3
"""Checks that each file includes what it needs by itself.

Builds include a set of precompiled headers before most source files (cmake/choose-precompiled.py).
If a file includes all of its set anyway, that hides nothing, and the build has shown that the file
compiles alone. It has shown the same of the header that the file includes first, if that one
includes all of the set, too. What the build has not shown is compiled here, as far as its meaning:
headers that no file includes first, and files that have other includes than their set.

What a file includes is what clang-scan-deps finds, which preprocesses all files together within
seconds. The order of includes is the one thing that is not seen in a source file; as each header
is compiled alone, no order is wrong.

BUILD/alone.json remembers the files that passed, with what they include. They are checked again
when one of these changes, or the command. Prints the compiler's errors and nothing else, and fails
if there are any.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

LLVM_BIN = "/usr/lib/llvm-22/bin/"


class Unit:
    """A file to compile, and the command's words before those that name the file."""

    def __init__(self, file, directory, words, output=None, pch=None):
        self.file, self.directory, self.words = file, directory, words
        self.output, self.pch = output, pch
        self.includes = []

    def options(self):
        """What precompiled headers must have been made with to be read here."""
        return [word for word in self.words if word.startswith(("-f", "-m", "-O", "-std"))]

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


def read_command(entry):
    """The file of a compile command, and the command without what the build adds to its words."""
    words, output, pch = [], None, None
    # As target_precompile_headers() of CMake has it.
    command = re.sub(r"-Xclang -include-pch -Xclang (\S+) -Xclang -include -Xclang \S+",
                     r"-include-pch \1", entry["command"])
    rest = iter(shlex.split(command))
    for word in rest:
        if word == "-o":
            output = os.path.join(entry["directory"], next(rest))
        elif word == "-include-pch":
            pch = next(rest)
        elif word == "-c":
            next(rest)
        elif not word.startswith(("-W", "-M")):
            words.append(word)
    return Unit(entry["file"], entry["directory"], words + ["-w", "-ferror-limit=5"], output, pch)


def read_commands(build):
    """Each file of the tree that is compiled."""
    units = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = entry["file"]
        if file.startswith(TREE) and not file.startswith(str(build)) and file not in units:
            units[file] = read_command(entry)
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
                headers[file] = Unit(file, unit.directory, unit.words + language)
    return [headers[file] for file in sorted(headers)]


def is_built(output, includes):
    return os.path.exists(output) and all(
        os.path.exists(file) and time_of(file) <= time_of(output) for file in includes)


@functools.cache
def time_of(file):
    return os.stat(file).st_mtime_ns


def read_sets(sources, build):
    """The sets that files are built with, as units, the largest first."""
    sets = {}
    for source in sources:
        if source.pch and source.pch not in sets:
            header = os.path.join(source.directory, source.pch.removesuffix(".pch"))
            sets[source.pch] = Unit(header, source.directory, source.words + ["-x", "c++-header"],
                                    pch=source.pch)
    sets = list(sets.values())
    scan(sets, build)
    return sorted(sets, key=lambda unit: -sum(os.path.getsize(file) for file in unit.includes))


def includes_set(unit, one):
    """Whether a file includes all of a set by itself, and is no part of it."""
    return set(unit.includes[1:]).issuperset(one.includes[1:])


def not_shown(sources, headers, changed, sets):
    """The changed ones that the build did not compile as if alone."""
    by_pch = {one.pch: one for one in sets}
    shown = set()
    for source in sources:
        one = by_pch.get(source.pch)
        if is_built(source.output, source.includes) and (not one or includes_set(source, one)):
            shown.add(source)
            header = headers.get(source.includes[1]) if len(source.includes) > 1 else None
            if header and (not one or includes_set(header, one)):
                shown.add(header)
    return [unit for unit in changed if unit not in shown]


def compile_alone(unit, sets):
    """With the largest set that hides nothing."""
    words = unit.words
    for one in sets:
        if (is_built(os.path.join(one.directory, one.pch), one.includes)
                and one.options() == unit.options() and includes_set(unit, one)):
            words = [*words, "-include-pch", one.pch]
            break
    return subprocess.run([*words, "-fsyntax-only", unit.file], cwd=unit.directory,
                          stderr=subprocess.PIPE, text=True)


def check(units, sets):
    """Compiles the units, prints the errors, and returns those that failed."""
    failed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for unit, result in zip(units, pool.map(compile_alone, units, [sets] * len(units))):
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
    # As setup.sh does: compilers' memory lies on huge pages where the kernel has them.
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
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

    # Keys are of what was there before, in case that a file changes meanwhile.
    passed = {unit.file: [unit.key(), unit.includes] for unit in sources + headers}
    sets = read_sets(sources, build)
    by_file = {unit.file: unit for unit in headers}
    failed = check(not_shown(sources, by_file, changed + changed_headers, sets), sets)
    for unit in failed:
        del passed[unit.file]
    remembered.write_text(json.dumps(passed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
