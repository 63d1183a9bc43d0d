#!/usr/bin/env python3
"""choose-precompiled.py QUESTION ANSWER: which set of precompiled headers each source file gets.

A file gets a set only if it includes all of it anyway. So the build shows that the file includes
what it needs by itself. It shows the same of the header that the file includes first, if that one
includes all of the set as well: one file does so for each header, if what that costs the file is
less than to compile the header alone.

Includes are found by their text, which may be wrong about those under #if. Files may also have
changed since the build was configured. What a wrong choice hides is found all the same:
scripts/check-alone.py asks the compiler what each file includes.

QUESTION has lines of words between tabs: "set NAME HEADERS...", and "source TARGET FILE FOLDERS...",
where the folders are those of headers that are not LLVM's. ANSWER is code for CMake.
"""

import functools
import os
import pathlib
import re
import sys

TREE = os.path.join(pathlib.Path(__file__).resolve().parent.parent, "")
LLVM = "/usr/lib/llvm-22/include"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)


@functools.cache
def read(file):
    return INCLUDE.findall(pathlib.Path(file).read_text(errors="replace"))


@functools.cache
def size(file):
    """In the time that it takes to read: a byte of ours costs four times one of LLVM's, as
    measured. A name that is not found is one of the compiler's own headers."""
    if not os.path.isabs(file):
        return 0
    return os.path.getsize(file) * (4 if file.startswith(TREE) else 1)


@functools.cache
def find(folders, name):
    for folder in folders:
        file = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(file):
            return file
    return name


def included(names, folders):
    """All that includes of these names bring, in no order, by a folder's place as compilers do."""
    found, left = set(), list(names)
    while left:
        file = left.pop()
        if file not in found:
            found.add(file)
            if os.path.isabs(file):
                here = (os.path.dirname(file),)
                left += [find(here + folders if quote == '"' else folders, name)
                         for quote, name in read(file)]
    return frozenset(found)


class Set:
    def __init__(self, name, headers):
        self.name = name
        folders = (TREE + "include", LLVM, "/usr/include")
        self.headers = [find(folders, header) for header in headers]
        self.files = included(self.headers, folders)
        self.size = sum(map(size, self.files))


class Source:
    def __init__(self, target, file, folders):
        self.target, self.file = target, file
        folders = (*folders, TREE + "include", LLVM, "/usr/include")
        direct = [find((os.path.dirname(file),) + folders, name) for _, name in read(file)]
        self.files = included(direct, folders)
        self.header = direct[0] if direct and direct[0].startswith(TREE) else None
        self.header_files = included([self.header], folders) if self.header else frozenset()


def fitting(files, without, sets):
    return next((one for one in sets if without not in one.files and files.issuperset(one.headers)),
                None)


def cost(files, chosen):
    return sum(map(size, files.difference(chosen.files if chosen else ())))


def choose(sources, sets):
    """Each source with its set or None."""
    chosen, shown = {}, set()
    for source in sources:
        own = chosen[source] = fitting(source.files, None, sets)
        if source.header and source.header not in shown:
            for_both = fitting(source.header_files, source.header, sets)
            if (cost(source.files, for_both)
                    <= cost(source.files, own) + cost(source.header_files, for_both)):
                chosen[source] = for_both
                shown.add(source.header)
    return chosen


def main():
    sets, sources = [], []
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
        kind, *words = line.split("\t")
        if kind == "set":
            sets.append(Set(words[0], words[1:]))
        elif os.path.isfile(words[1]):  # Not one that the build will make.
            sources.append(Source(words[0], words[1], tuple(words[2:])))
    sets.sort(key=lambda one: -one.size)
    answer = "".join(f'thermocline_give_precompiled({source.target} "{source.file}" {one.name})\n'
                     for source, one in choose(sources, sets).items() if one)
    pathlib.Path(sys.argv[2]).write_text(answer)


if __name__ == "__main__":
    main()
