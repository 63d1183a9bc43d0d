#!/usr/bin/env python3
"""Checks the documentation and the scripts against the tree.

Reads README.md, CONTRIBUTING.md and the pages below docs/. Reported are: a link to a file that does
not exist, or to a heading that its page does not have; a file that is named in code but is not in
the tree; and a line of prose, outside of tables and code, that has more than 100 characters. Of the
shell scripts in scripts/, it reports files of test/, scripts/ and examples/ that are not in the
tree. Prints nothing else, and fails if there was any.

A word in code names a file if it begins with a folder of the tree ('lib/Engine'), with 'thermocline/'
(a public header), or ends like a source file of ours ('Engine.h', 'Text/Reader.h', 'run.py'). The
last may leave out leading folders. Words with placeholders, as in 'DIR/a.h', name none, nor do
those with what a build makes, 'build/release/bin'.
"""

import argparse
import fnmatch
import os
import pathlib
import re
import sys

WIDTH = 100
FENCE = re.compile(r"^\s*(```|~~~)")
CODE = re.compile(r"(`+)(.+?)\1", re.S)
LINK = re.compile(r"\[[^\]]*\]\(\s*([^)\s]+)[^)]*\)")
ELSEWHERE = re.compile(r"^[a-z]+:")
PLACEHOLDER = re.compile(r"(^|/)[A-Z]+(\.|/|$)|[…$<>{}=@%]|\.\.\.")
SOURCE = re.compile(r"(^|/)([A-Z][A-Za-z]*\.(h|cpp)|[\w-]+\.(py|sh|test))$|/[\w-]+\.(h|c|cpp|ll)$")
# Up to what a script fills in.
IN_SCRIPT = re.compile(r"(?<![\w.}/-])(?:\$(?:OLD)?PWD/)?((?:test|scripts|examples)/[\w./-]*)")
# What builds make is not in the tree.
MADE = "build"


class Page:
    """A page as lists of (line number, text): its prose, its code, and all that may be too long."""

    def __init__(self, path):
        self.anchors, self.prose, self.code, self.lines = set(), [], [], []
        paragraph, start, in_code = [], 1, False

        def end_paragraph():
            if paragraph:
                self.add_paragraph(start, "\n".join(paragraph))
                paragraph.clear()

        for number, line in enumerate(path.read_text().splitlines(), 1):
            if FENCE.match(line):
                end_paragraph()
                in_code = not in_code
            elif in_code:
                self.code.append((number, line))
            else:
                if line.startswith("#"):
                    self.add_anchor(line.lstrip("#").strip())
                is_row = line.startswith("|")
                if not line.strip() or line.startswith("#") or is_row:
                    end_paragraph()
                if not is_row:
                    self.lines.append((number, line))
                if not paragraph:
                    start = number
                paragraph.append(line)
                if line.startswith("#") or is_row:
                    end_paragraph()
        end_paragraph()

    def add_paragraph(self, start, text):
        def number(match):
            return start + text.count("\n", 0, match.start())

        self.code += [(number(found), found[2]) for found in CODE.finditer(text)]
        # Code is replaced by as many lines, so that links keep their numbers.
        text = CODE.sub(lambda found: "code" + "\n" * found[0].count("\n"), text)
        self.prose += [(number(found), found[1]) for found in LINK.finditer(text)]

    def add_anchor(self, heading):
        """As GitHub makes them of headings."""
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        unique, again = anchor, 0
        while unique in self.anchors:
            again += 1
            unique = f"{anchor}-{again}"
        self.anchors.add(unique)


class Tree:
    """What is in the checkout, without what builds make."""

    def __init__(self, top):
        self.top, self.files, self.folders = top, set(), set()
        for folder, folders, files in os.walk(top):
            inside = pathlib.Path(folder).relative_to(top)
            folders[:] = [name for name in folders if name != MADE and not name.startswith(".")]
            self.files.update((inside / name).as_posix() for name in files)
            self.folders.update((inside / name).as_posix() for name in folders)
        self.by_name = {}
        for file in self.files:
            self.by_name.setdefault(file.rsplit("/", 1)[-1], []).append(file)

    def has(self, path):
        path = path.rstrip("/")
        if "*" in path:
            return any(fnmatch.fnmatch(file, path) for file in self.files)
        return path in self.files or path in self.folders

    def lacks(self, word):
        """Whether the word of code names a file, and there is none."""
        if (PLACEHOLDER.search(word) or word.startswith(("/", "-", "..")) or
                MADE in word.split("/")):
            return False
        if word.startswith("thermocline/"):
            return not self.has("include/" + word) and not self.has_below(word)
        if word.split("/")[0] in self.folders and "/" in word:
            return not self.has(word) and not self.has_below(word)
        return bool(SOURCE.search(word)) and not self.has_below(word)

    def has_below(self, word):
        return any(("/" + file).endswith("/" + word)
                   for file in self.by_name.get(word.rsplit("/", 1)[-1], ()))


def check(top, wide):
    names = ["README.md", "CONTRIBUTING.md"]
    names += sorted(path.relative_to(top).as_posix() for path in (top / "docs").rglob("*.md"))
    pages = {name: Page(top / name) for name in names if (top / name).exists()}
    tree, errors = Tree(top), []
    for name, page in pages.items():
        found = []
        for number, target in page.prose:
            if ELSEWHERE.match(target):
                continue
            file, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(name), file)) if file else name
            if not tree.has(path):
                found.append((number, f"no file '{file}'"))
            elif anchor and path in pages and anchor not in pages[path].anchors:
                found.append((number, f"no heading '#{anchor}' in {path}"))
        for number, text in page.code:
            for word in text.split():
                word = word.strip("()[],;:'\"").rstrip(".")
                if tree.lacks(word):
                    found.append((number, f"no file '{word}' in the tree"))
        for number, line in page.lines:
            if len(line) > WIDTH and name not in wide:
                found.append((number, f"{len(line)} characters, more than {WIDTH}"))
        errors += [f"{name}:{number}: {what}" for number, what in sorted(found)]
    for script in sorted((top / "scripts").glob("*.sh")):
        for number, line in enumerate(script.read_text().splitlines(), 1):
            for word in IN_SCRIPT.findall(line):
                if not tree.has(word.rstrip(".")):
                    errors.append(f"scripts/{script.name}:{number}: no file '{word}' in the tree")
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tree", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent,
                        help="the checkout (default: that of this script)")
    parser.add_argument("--wide", metavar="PAGE", action="append", default=[],
                        help="a page whose lines may be longer")
    arguments = parser.parse_args()
    errors = check(arguments.tree.resolve(), arguments.wide)
    for error in errors:
        print(error)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
