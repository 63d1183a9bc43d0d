"""Random programs with random edits: what is hinted after an edit.

random_edits.py BUILD LLVM-BIN OUT FIRST NUMBER [NAME...]

A program has some fifty cells, each of two source files that nothing else calls. Each
cell is edited on its own, by one to three of the edits below, or by those that are
named. So NUMBER is of edited cells, from the seed FIRST on. A profile of what a program
was before the edits is used for it after them. In a cell, each allocation is hot or
cold by the line of a caller that it is made for, and each can be told apart, so that a
profile of the edited program would have all cold ones hinted.

Prints by edit, and for all, how many bytes that were cold then are hinted now. Fails if
any hot one is, or if the profile before the edits leaves any cold one without.
"""

import os
import random
import re
import shutil
import sys
from collections import defaultdict
from pathlib import Path

from edited import Tools

CELLS = 50


class Function:
    def __init__(self, name, file, local, lines):
        self.name, self.file, self.local, self.lines = name, file, local, lines
        self.inline = False

    def text(self):
        static = "static " if self.local else ""
        noinline = "" if self.inline else "__attribute__((noinline)) "
        return "\n".join([f"{noinline}{static}void {self.name}(unsigned n) {{", *("  " + l for l in self.lines), "}"])


class Cell:
    """Functions, each after those that it calls, the last of them the entry."""

    def __init__(self, number, dice):
        self.number, self.dice = number, dice
        self.names = 0
        self.functions = []
        makers = [self.add("make", 1, False, self.maker_lines()) for _ in range(dice.randint(1, 3))]
        middle = []
        for _ in range(dice.randint(1, 4)):
            file = dice.randint(0, 1)
            # A local function is called in its file only.
            callable_here = [f for f in makers + middle if not f.local or f.file == file]
            middle.append(self.add("pass", file, dice.random() < 0.4,
                                   [self.call_line(dice.choice(callable_here)) for _ in range(dice.randint(1, 4))]))
        lines = []
        reachable = [f for f in makers + middle if not f.local or f.file == 0]
        for _ in range(dice.randint(2, 6)):
            tag = dice.choice(["Hot", "Cold"])
            lines.append(f"Tag = {number * 4} + {tag}, {dice.choice(reachable).name}(n + {dice.randrange(8) * 8});")
            if dice.random() < 0.3:
                lines.append(f"note({dice.randrange(100)});")
        self.entry = self.add(f"run", 0, False, lines)
        for f in self.functions:
            f.inline = f is not self.entry and dice.random() < 0.3

    def new_name(self, kind):
        self.names += 1
        return f"{kind}{self.names}_{self.number}"

    def add(self, kind, file, local, lines):
        self.functions.append(Function(self.new_name(kind), file, local, lines))
        return self.functions[-1]

    def maker_lines(self):
        lines = []
        for _ in range(self.dice.randint(1, 2)):
            size = f"n + {self.dice.randrange(4) * 8}"
            lines.append(self.dice.choice([f"keep(malloc({size}), {size});", f"keep(new char[{size}], {size});"]))
            if self.dice.random() < 0.5:
                lines.append(f"note({self.dice.randrange(100)});")
        return lines

    def call_line(self, callee):
        call = f"{callee.name}(n + {self.dice.randrange(4) * 8});"
        chance = self.dice.random()
        if chance < 0.5:
            return call
        tag = "Hot" if chance < 0.75 else "Cold"
        return f"{{ int Was = Tag; Tag = {self.number * 4} + {tag}; {call} Tag = Was; }}"

    def write(self, folder):
        names = "\n".join(f"void {f.name}(unsigned n);" for f in self.functions if not f.local)
        (folder / f"cell{self.number}.h").write_text(f'#include "Tags.h"\n#include <stdlib.h>\n{names}\n')
        for file in (0, 1):
            here = [f for f in self.functions if f.file == file]
            declared = [f.text().split(" {")[0] + ";" for f in here if f.local]
            text = "\n\n".join(["\n".join(declared), *(f.text() for f in here)])
            (folder / f"cell{self.number}_{file}.cpp").write_text(
                f'#include "cell{self.number}.h"\n\n{text}\n')

    #===-- Edits -----------------------------------------------------------===#

    def any_function(self):
        return self.dice.choice(self.functions)

    def insert(self):
        f = self.any_function()
        line = self.dice.choice(["", "// A comment.", f"note({self.dice.randrange(100)});"])
        f.lines.insert(self.dice.randint(0, len(f.lines)), line)

    def insert_call(self):
        """Of what is called there already: memory that the profile does not know."""
        f = self.any_function()
        names = [m[1] for line in f.lines if (m := re.search(r"(\w+)\(n", line))]
        if f.name.startswith("make") or not names:
            return self.insert()
        name = self.dice.choice(names)
        f.lines.insert(self.dice.randint(0, len(f.lines)),
                       f"{{ int Was = Tag; Tag = {self.number * 4} + New; {name}(n + 40); Tag = Was; }}")

    def delete(self):
        f = self.any_function()
        if len(f.lines) > 1:
            del f.lines[self.dice.randrange(len(f.lines))]

    def reorder(self):
        f = self.any_function()
        self.dice.shuffle(f.lines)

    def change(self):
        f = self.any_function()
        at = self.dice.randrange(len(f.lines))
        f.lines[at] = re.sub(r"n \+ (\d+)", lambda m: f"n + {int(m.group(1)) + 1}", f.lines[at])

    def rename(self):
        f = self.any_function()
        if f is self.entry:
            return
        self.replace_calls(f.name, self.new_name("other"))
        f.name = f"other{self.names}_{self.number}"

    def replace_calls(self, old, new):
        for f in self.functions:
            f.lines = [re.sub(rf"\b{old}\(", f"{new}(", l) for l in f.lines]

    def callers(self, of):
        return [f for f in self.functions if any(re.search(rf"\b{of.name}\(", l) for l in f.lines)]

    def move(self):
        """To the other file; a local function goes with its callers, and what they call."""
        f = self.any_function()
        if f is self.entry:
            return
        together = [f]
        for g in together:
            linked = [h for h in self.callers(g) if g.local]
            linked += [h for h in self.functions if h.local and g in self.callers(h)]
            together += [h for h in linked if h not in together]
        if self.entry in together:
            return
        for g in together:
            g.file = 1 - f.file if g is not f else g.file
        f.file = 1 - f.file

    def calls_of(self, f):
        """Lines with calls, but for those of what wrap_allocation() made, which returns something."""
        return [i for i, l in enumerate(f.lines) if re.search(r"\b(?!get)\w+_\d+\(n", l)]

    def wrap(self):
        """A call, or all of a callee, go through a new function."""
        f = self.any_function()
        if not self.calls_of(f):
            return
        at = self.dice.choice(self.calls_of(f))
        name = re.search(r"(\w+_\d+)\(n", f.lines[at]).group(1)
        wrapper = Function(self.new_name("wrap"), f.file, self.dice.random() < 0.5, [f"{name}(n);"])
        wrapper.inline = self.dice.random() < 0.3
        for i in self.calls_of(f) if self.dice.random() < 0.5 else [at]:
            f.lines[i] = re.sub(rf"\b{name}\(", f"{wrapper.name}(", f.lines[i])
        self.functions.insert(self.functions.index(f), wrapper)

    def wrap_allocation(self):
        makers = [f for f in self.functions if any("malloc" in l for l in f.lines)]
        if not makers:
            return
        f = self.dice.choice(makers)
        wrapper = Function(self.new_name("get"), f.file, True, ["return malloc(n);"])
        text = wrapper.text
        wrapper.text = lambda: text().replace("void ", "void *", 1)
        f.lines = [l.replace("malloc(", f"{wrapper.name}(") for l in f.lines]
        self.functions.insert(self.functions.index(f), wrapper)

    def inline(self):
        f = self.any_function()
        plain = [i for i in self.calls_of(f) if re.fullmatch(r"\w+\(n \+ \d+\);", f.lines[i])]
        if not plain:
            return
        at = self.dice.choice(plain)
        name, added = re.fullmatch(r"(\w+)\((n \+ \d+)\);", f.lines[at]).groups()
        callee = next(g for g in self.functions if g.name == name)
        if any(re.search(rf"\b{h.name}\(", l) for h in self.functions if h.local and h.file != f.file
               for l in callee.lines):
            return
        f.lines[at:at + 1] = [re.sub(r"\bn \+", f"{added} +", l) for l in callee.lines]

    def split(self):
        f = self.any_function()
        if len(f.lines) < 2:
            return
        at = self.dice.randrange(1, len(f.lines))
        rest = Function(self.new_name("rest"), f.file, True, f.lines[at:])
        f.lines[at:] = [f"{rest.name}(n);"]
        self.functions.insert(self.functions.index(f), rest)

    EDITS = ["insert", "insert_call", "delete", "reorder", "change", "rename", "move", "wrap", "wrap_allocation",
             "inline", "split"]

    def edit(self, names):
        done = [self.dice.choice(names) for _ in range(self.dice.choice([1, 1, 2, 3]))]
        for name in done:
            getattr(self, name)()
        order = self.dice.random() < 0.3
        if order:
            self.dice.shuffle(self.functions)
        return done


def write_program(cells, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for cell in cells:
        cell.write(folder)
    entries = [c.entry.name for c in cells]
    (folder / "main.cpp").write_text(
        '#include "Tags.h"\n' + "".join(f"void {e}(unsigned n);\n" for e in entries) +
        "int main() {\n  for (int I = 0; I != 20; ++I) {\n" + "".join(f"    {e}(48);\n" for e in entries) +
        "  }\n  Tag = 0;\n  useAll();\n}\n")


def main(build, llvm, out, first, number, *names):
    tools = Tools(build, llvm)
    out = Path(out)
    first, number = int(first), int(number)
    by_edit = defaultdict(lambda: [0, 0, 0])
    total = [0, 0, 0]
    wrong = fresh_missed = 0
    for begin in range(first, first + number, CELLS):
        cells = [Cell(seed, random.Random(seed)) for seed in range(begin, min(begin + CELLS, first + number))]
        # Tags are numbers of cells.
        for place, cell in enumerate(cells):
            offset = (cell.number - place) * 4
            for f in cell.functions:
                f.lines = [re.sub(r"Tag = (\d+) \+", lambda m: f"Tag = {int(m.group(1)) - offset} +", l)
                           for l in f.lines]
            cell.number, cell.seed = place, cell.number
        write_program(cells, out / "then")
        profile = tools.profile(out / "then", out)
        fresh, _ = tools.hints(out / "then", profile, out / "fresh")
        done = {}
        for cell in cells:
            done[cell.number] = cell.edit(list(names) or Cell.EDITS)
        write_program(cells, out / "now")
        edited, said = tools.hints(out / "now", profile, out / "edited")
        for cell in cells:
            plain, hinted = fresh.get(cell.number * 4 + 2, (0, 0))
            fresh_missed += plain
            if fresh.get(cell.number * 4 + 1, (0, 0))[1]:
                wrong += 1
                print(f"cell {cell.seed}: hot bytes hinted before any edit")
            hot = edited.get(cell.number * 4 + 1, (0, 0))[1]
            plain, hinted = edited.get(cell.number * 4 + 2, (0, 0))
            if hot:
                wrong += 1
                print(f"cell {cell.seed} ({', '.join(done[cell.number])}): {hot} hot bytes hinted")
            elif plain and os.environ.get("VERBOSE"):
                print(f"cell {cell.seed} as {cell.number} ({', '.join(done[cell.number])}): {plain} of {plain + hinted} cold bytes lost")
            sums = [total]
            if len(done[cell.number]) == 1:
                sums.append(by_edit[done[cell.number][0]])
            for s in sums:
                s[0] += 1
                s[1] += hinted
                s[2] += plain + hinted
    for name in sorted(by_edit):
        n, hinted, all_cold = by_edit[name]
        print(f"{name} alone: {n} cells, {100 * hinted / max(all_cold, 1):.1f} % of cold bytes")
    print(f"all: {total[0]} cells, {100 * total[1] / max(total[2], 1):.1f} % of cold bytes hinted; "
          f"{wrong} cells with hot bytes hinted; {fresh_missed} cold bytes missed before edits")
    sys.exit(1 if wrong or fresh_missed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
