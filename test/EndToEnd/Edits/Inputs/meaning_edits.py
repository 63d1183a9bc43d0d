"""Random programs whose edits change what memory is for: nothing hot may get a hint.

meaning_edits.py BUILD LLVM-BIN OUT FIRST NUMBER [NAME...]

A program has many cells, each of a few functions that nothing else calls. A line of a cell
stores what one function returns in one array, by whose name it is hot or cold. Each cell is
edited by one of the edits below, or by one of those that are named: lines are replaced,
swapped, copied, and get comments, other arguments or other conditions; functions go, and like
ones come; those that store what they get, or say where, do it elsewhere. All that an array holds after that is as hot as the array is; what is new is hot.
Of some arrays, the even elements are cold and the odd ones hot. NUMBER is of edited cells,
from the seed FIRST on.

Prints by edit how many of the blocks in cold arrays are hinted. Fails if a block of a hot
array is, or if the profile before the edits leaves a block of a cold one without.
"""

import os
import random
import re
import sys
from collections import defaultdict
from pathlib import Path

from edited import INPUTS, Tools, blocks_by_name

CELLS = 200
ROUNDS = 10
COLD, HOT, ODD = 0, 1, 2


class Cell:
    """Names of functions and arrays have the cell's number at their end."""

    def __init__(self, number, dice):
        self.number, self.dice = number, dice
        self.count = 0
        self.arrays = {}
        # By name, the array in which a function stores, or which it tells.
        self.helpers = {}
        self.functions = {}
        self.makers = [self.name("make") for _ in range(dice.randint(1, 2))]
        self.passes = {self.name("pass"): dice.choice(self.makers) for _ in range(dice.randint(0, 1))}
        for _ in range(dice.randint(1, 3)):
            self.functions[self.name("load")] = [self.line() for _ in range(dice.randint(1, 3))]
        self.conditional = None
        if dice.random() < 0.5:
            self.conditional = dice.randrange(len(self.CONDITIONAL))
            self.functions[self.name("load")] = [self.conditional_line()]
        self.idle = []

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}_{self.number}"

    def array(self, hot):
        name = self.name(self.dice.choice(["Grid", "Log", "Cache", "Text"]))
        self.arrays[name] = hot
        return name

    def line(self, array=None):
        """What is left of the call, the callee, the arguments, and what is right of it."""
        array = array or self.array(self.dice.choice([COLD, HOT]))
        callee = self.dice.choice(self.makers + list(self.passes))
        argument = self.dice.choice(["n", "n + 8", "64"])
        form = self.dice.randrange(8)
        if form == 0:
            return [f"{array}[i] = ", callee, argument, ";"]
        if form == 1:
            return ["char *p = ", callee, argument, f"; {array}[i] = p;"]
        if form == 2:
            return [f"store({array}, i, ", callee, argument, ");"]
        if form == 3:
            return [f"if (n) {array}[i] = ", callee, argument, ";"]
        if form == 4:
            return [f"*{self.helper('slot', array)}(i) = ", callee, argument, ";"]
        if form == 5:
            return [f"{self.helper('put', array)}(i, ", callee, argument, ");"]
        if form == 6:
            return ["char *p = ", callee, argument, f";\n  p[1] = 3;\n  {self.helper('put', array)}(i, p);"]
        return ["char *p = ", callee, argument, f";\n  p[1] = 3;\n  {array}[i] = p;"]

    def helper(self, kind, array):
        self.helpers[kind + array] = array
        return kind + array

    def array_of(self, line):
        text = "".join(line)
        for name, array in self.helpers.items():
            if re.search(rf"\b{name}\b", text):
                return array
        return next(a for a in self.arrays if re.search(rf"\b{a}\b", text))

    # Each makes even elements, and some odd ones. All say so by EVEN.
    CONDITIONAL = [
        ("if (EVEN(i)) ARRAY[i] = ", ";"),
        ("if (EVEN(i)) {{\n  ARRAY[i] = ", ";\n  }}"),
        ("if (n && EVEN(i)) {{\n  char *p = ", ";\n  ARRAY[i] = p;\n  }}"),
        ("while (EVEN(i) && !ARRAY[i])\n  ARRAY[i] = ", ";"),
        ("do {{\n  if (EVEN(i)) {{\n  ARRAY[i] = ", ";\n  }} }} while (n < 0);"),
        ("ARRAY[i] = EVEN(i) ? ", " : 0;"),
        ("if (n) switch (EVEN(i)) {{\n  case 1:\n  ARRAY[i] = ", ";\n  }}"),
        ("if (!EVEN(i)) {{\n  note(i);\n  }} else {{\n  ARRAY[i] = ", ";\n  }}"),
        ("if (EVEN(i)) {{\n  ARRAY[i] = ", ";\n  }} else {{\n  ARRAY[i] = CALL;\n  }}"),
        ("if (EVEN(i))\n  ARRAY[i] = ", ";\n  else\n  ARRAY[i] = CALL;"),
        ("ARRAY[i] = EVEN(i) ? ", " : CALL;"),
        ("switch (EVEN(i)) {{\n  case 1:\n  ARRAY[i] = ", ";\n  break;\n  default:\n  ARRAY[i] = CALL;\n  }}"),
        ("for (int k = 0; k != 1; ++k) {{\n  if (EVEN(i)) {{\n  ARRAY[i] = ",
         ";\n  continue;\n  }}\n  ARRAY[i] = CALL;\n  }}"),
        ("{{\n  __label__ end;\n  if (EVEN(i)) {{\n  ARRAY[i] = ", ";\n  goto end;\n  }}\n  ARRAY[i] = CALL;\n  end:;\n  }}"),
    ]

    def conditional_line(self):
        array = self.array(ODD)
        callee = self.dice.choice(self.makers + list(self.passes))
        left, right = self.CONDITIONAL[self.conditional]
        fill = lambda part: (part.replace("{{", "{").replace("}}", "}").replace("ARRAY", array)
                             .replace("EVEN", "even").replace("CALL", f"{callee}(n)"))
        return [fill(left), callee, "n", fill(right)]

    def shown(self, line):
        return f"{{ {''.join([line[0], line[1], '(', line[2], ')', line[3]])} }}" if line[0].startswith("char") \
            else "".join([line[0], line[1], "(", line[2], ")", line[3]])

    def text(self):
        out = []
        for name in self.arrays:
            out.append(f"char *{name}[{ROUNDS}];")
        for name in self.makers:
            out.append(f"NOINLINE char *{name}(int n) {{\n  char *p = (char *)malloc(n);\n  memset(p, 1, n);\n"
                       "  return p;\n}")
        for name, callee in self.passes.items():
            out.append(f"NOINLINE char *{name}(int n) {{\n  char *p = {callee}(n);\n  p[0] = 2;\n  return p;\n}}")
        for name, array in self.helpers.items():
            out.append(f"NOINLINE static char **{name}(int i) {{\n  return &{array}[i];\n}}" if name.startswith("slot")
                       else f"NOINLINE static void {name}(int i, char *p) {{\n  {array}[i] = p;\n}}")
        for name, lines in self.functions.items():
            # Comments and other names of the parameter are part of a line.
            parameter = getattr(self, "parameters", {}).get(name, "n")
            body = "\n".join("  " + re.sub(r"\bn\b", parameter, self.shown(l)) + (l[4] if len(l) > 4 else "")
                             for l in lines)
            out.append(f"NOINLINE void {name}(int i, int {parameter}) {{\n{body}\n}}")
        idle = "\n".join("  " + self.shown(l) for l in self.idle)
        out.append(f"NOINLINE void idle{self.number}(int i, int n) {{\n  note(i);\n{idle}\n}}")
        calls = "\n".join(f"  {name}(i, 48);" for name in self.functions)
        out.append(f"void run{self.number}(int i) {{\n{calls}\n  idle{self.number}(i, 48);\n}}")
        uses = "\n".join(f"  use({name}, {int(hot)}, {self.number});" for name, hot in self.arrays.items())
        out.append(f"void use{self.number}(void) {{\n{uses}\n}}")
        return "\n".join(out)

    #===-- Edits -----------------------------------------------------------===#

    def any_function(self):
        return self.dice.choice(list(self.functions))

    def other_purpose(self, line):
        """The same call for another array, which is hot if the old one was cold."""
        old = self.array_of(line)
        new = self.array(HOT if self.arrays[old] != HOT else COLD)
        result = list(line)
        for name in list(self.helpers):
            if re.search(rf"\b{name}\b", "".join(line)):
                to = self.helper("slot" if name.startswith("slot") else "put", new)
                result = [re.sub(rf"\b{name}\b", to, part) for part in result]
        result = [re.sub(rf"(?<![a-z]){old}\b", new, part) for part in result]
        if self.dice.random() < 0.5:
            result[2] = self.dice.choice(["n", "n + 16", "72", "n * 2"])
        return result

    def replace(self):
        lines = self.functions[self.any_function()]
        at = self.dice.randrange(len(lines))
        lines[at] = self.other_purpose(lines[at])

    def swap(self):
        name = self.any_function()
        lines = self.functions[name]
        self.dice.shuffle(lines)
        self.touch(name)

    def touch(self, name=None):
        """Comments, and another name of the parameter, on all lines."""
        name = name or self.any_function()
        for line in self.functions[name]:
            if self.dice.random() < 0.5:
                line.append(self.dice.choice(["  // Of this round.", "  /* Kept. */"]))
        if self.dice.random() < 0.6:
            self.parameters = {name: self.dice.choice(["bytes", "size"])}

    def copy(self):
        lines = self.functions[self.any_function()]
        line = self.dice.choice(lines)
        lines.insert(self.dice.randint(0, len(lines)), self.other_purpose(line))

    def repurpose(self):
        """All lines of a function are for something else now."""
        name = self.any_function()
        self.functions[name] = [self.other_purpose(l) for l in self.functions[name]]
        self.touch(name)

    def function(self):
        """A function goes, and one of another purpose comes."""
        name = self.any_function()
        lines = [self.other_purpose(l) for l in self.functions.pop(name)]
        self.functions[self.name("fill")] = lines

    def swap_purposes(self):
        """Two arrays change places."""
        names = list(self.arrays)
        if len(names) < 2:
            return
        one, two = self.dice.sample(names, 2)
        swapped = {one: two, two: one}
        for lines in self.functions.values():
            for line in lines:
                for at in (0, 3):
                    line[at] = re.sub(rf"\b({one}|{two})\b", lambda m: swapped[m.group(1)], line[at])

    def callee(self):
        lines = self.functions[self.any_function()]
        line = self.dice.choice(lines)
        line[1] = self.dice.choice(self.makers + list(self.passes))

    def insert(self):
        name = self.any_function()
        line = self.line()
        self.arrays[self.array_of(line)] = HOT
        self.functions[name].insert(0, line)

    def condition(self):
        """What is made under a condition is now made under another one."""
        if self.conditional is None:
            return
        line = next(l for l in self.functions[list(self.functions)[-1]] if "even(" in l[0])
        to = self.dice.choice(["odd(i)", "!even(i)", "even(i + 1)"])
        if to == "even(i + 1)":
            to = "even(i) == 0"
        line[0] = line[0].replace("!even(i)", "even(i)" if to != "odd(i)" else "!odd(i)") \
            if "!even(i)" in line[0] else line[0].replace("even(i)", to)

    def idle_no_more(self):
        """A function that had no contexts now makes memory that is hot."""
        self.idle = [self.line(self.array(HOT)) for _ in range(self.dice.randint(1, 2))]

    def body(self):
        """A function stores what it gets in another array, or tells another one."""
        for name, old in self.helpers.items():
            if self.dice.random() < 0.7:
                self.helpers[name] = self.array(HOT if self.arrays[old] != HOT else COLD)

    EDITS = ["replace", "swap", "touch", "copy", "repurpose", "function", "swap_purposes", "callee", "insert",
             "condition", "idle_no_more", "body"]


HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
static inline void store(char **to, int i, char *p) { to[i] = p; }
extern int isHinted(const void *) __attribute__((weak));
_Bool __thermocline_pass_time(unsigned long) __attribute__((weak));
static long Sum;
static int Judging;
static void use(char **of, int hot, int cell) {
  int cold = 0, hinted = 0, wrong = 0;
  for (int i = 0; i != %d; ++i)
    if (of[i]) {
      const int isHot = hot == 1 || (hot == 2 && i %% 2);
      const int is = isHinted ? isHinted(of[i]) : 0;
      cold += !isHot;
      hinted += !isHot && is;
      wrong += isHot && is;
      if (isHot && !Judging)
        for (int k = 0; k != 48; ++k)
          Sum += of[i][k];
    }
  if (Judging && cold + wrong)
    printf("%%d %%d %%d %%d\\n", cell, cold, hinted, wrong);
}
NOINLINE static int even(int i) { return i %% 2 == 0; }
NOINLINE static int odd(int i) { return i %% 2; }
NOINLINE static void note(int i) { Sum += i; }
""" % ROUNDS


def write_program(cells, folder):
    folder.mkdir(parents=True, exist_ok=True)
    text = [HEAD, *(c.text() for c in cells), "int main(void) {", f"  for (int i = 0; i != {ROUNDS}; ++i) {{"]
    text += [f"    run{c.number}(i);" for c in cells]
    text += ["  }", "  for (int round = 0; round != 100; ++round) {"]
    text += [f"    use{c.number}();" for c in cells]
    text += ["    if (__thermocline_pass_time)", "      __thermocline_pass_time(1000);"]
    text += ["  }", "  Judging = isHinted != 0;"]
    text += [f"  use{c.number}();" for c in cells]
    text += ["  return Sum == 1;", "}"]
    (folder / "main.c").write_text("\n".join(text) + "\n")


def main(build_folder, llvm, out, first, number, *names):
    tools, out = Tools(build_folder, llvm), Path(out)
    first, number = int(first), int(number)
    by_edit = defaultdict(lambda: [0, 0, 0])
    wrong = missed = 0
    out.mkdir(parents=True, exist_ok=True)
    cold_set = out / "coldset.o"
    tools.compile(["-fno-builtin"], INPUTS / "ColdSet.c", cold_set)
    for begin in range(first, first + number, CELLS):
        seeds = range(begin, min(begin + CELLS, first + number))
        cells = [Cell(place, random.Random(seed)) for place, seed in enumerate(seeds)]
        write_program(cells, out / "then")
        tools.build_one("generate", [], out / "then/main.c", out, "profiled")
        use = [f"-fmemory-profile-use={tools.record(out)}"]
        tools.build_one("use", use, out / "then/main.c", out, "fresh", [cold_set])
        for cell, (cold, hinted, hot) in blocks_by_name(out / "fresh").items():
            missed += cold - hinted
            if hot:
                wrong += 1
                print(f"cell {seeds[int(cell)]}: {hot} hot blocks hinted before any edit")
        done = {}
        for cell in cells:
            done[cell.number] = cell.dice.choice(names or Cell.EDITS)
            getattr(cell, done[cell.number])()
        write_program(cells, out / "now")
        said = tools.build_one("use", use, out / "now/main.c", out, "edited", [cold_set])
        if os.environ.get("VERBOSE"):
            print(said)
        for name, (cold, hinted, hot) in blocks_by_name(out / "edited").items():
            cell = int(name)
            if hot:
                wrong += 1
                print(f"cell {seeds[cell]} as {cell} ({done[cell]}): {hot} hot blocks hinted")
            sums = by_edit[done[cell]]
            sums[0] += 1
            sums[1] += hinted
            sums[2] += cold
    for name in sorted(by_edit):
        n, hinted, cold = by_edit[name]
        print(f"{name}: {n} cells, {100 * hinted / max(cold, 1):.1f} % of cold blocks hinted")
    print(f"all: {number} cells; {wrong} with hot blocks hinted; {missed} cold blocks missed before edits")
    sys.exit(1 if wrong or missed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
