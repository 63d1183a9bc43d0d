"""Edits that give a call another purpose, by hand; or that do not.

purposes.py BUILD LLVM-BIN OUT CASES [--kept] [--alone] [NAME...]

Profiles a program that has all cases of the file CASES, builds the edited program with that
profile, and says of which cases hot blocks are hinted. A case is

    === name: what the edit is
    C++ source
    then >>> now

The lines with >>> replace what is there once in the source; \\n in them ends a line. The
source defines work(int), which is called N times, and uses(), which says by HOT(Table) and
COLD(Table) what is used of the tables of N blocks; of MIX(Table) it is each second one. It
may use Grid, Log and Mixed, which are such tables, and make(Bytes). The last line says how
many cases there are, and how many of the blocks in cold tables were hinted in the program as
it was. With --alone, each case is a program of its own. In one program, a new call through
a pointer takes the hints from all that it may lead to, also in other cases. With --kept, the edits keep what calls are for: each case in which a block has lost
its hint is wrong as well.
"""

import os
import re
import sys
from pathlib import Path

from edited import Tools, blocks_by_name

HEAD = """#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#define NOINLINE __attribute__((noinline))
enum { N = 60 };
extern "C" {
int thermocline_alloc_is_cold(const void *) __attribute__((weak));
bool __thermocline_pass_time(unsigned long) __attribute__((weak));
}
static volatile long Sum;
static bool Judging;
static const char *Case;
static void judge(bool EvenAreHot, bool OddAreHot, void *const *Table) {
  int Cold = 0, Hinted = 0, Wrong = 0;
  for (int I = 0; I != N; ++I) {
    const auto *Block = static_cast<const unsigned char *>(Table[I]);
    if (!Block)
      continue;
    const bool IsHot = I % 2 ? OddAreHot : EvenAreHot;
    const bool Is = thermocline_alloc_is_cold && thermocline_alloc_is_cold(Block);
    Cold += !IsHot;
    Hinted += !IsHot && Is;
    Wrong += IsHot && Is;
    for (int At = 0; IsHot && !Judging && At != 32; ++At)
      Sum = Sum + Block[At];
  }
  if (Judging)
    printf("%s %d %d %d\\n", Case, Cold, Hinted, Wrong);
}
#define JUDGE(Even, Odd, Table)                                                \\
  judge(Even, Odd, reinterpret_cast<void *const *>(Table))
#define HOT(Table) JUDGE(true, true, Table)
#define COLD(Table) JUDGE(false, false, Table)
#define MIX(Table) JUDGE(false, true, Table)
static inline void tick(int I) { Sum = Sum + I; }
"""

OF_CASE = """
static char *Grid[N], *Log[N], *Mixed[N];
NOINLINE static char *make(int Bytes) {
  char *P = (char *)malloc(Bytes);
  memset(P, 1, Bytes);
  return P;
}
NOINLINE static int even(int I) { return I % 2 == 0; }
NOINLINE static int odd(int I) { return I % 2; }
NOINLINE static void put(char **To, int I, char *P) { To[I] = P; }
"""


def read(path, names):
    """By name, the source of then and of now."""
    result = {}
    for text in re.split(r"^=== ", Path(path).read_text(), flags=re.M)[1:]:
        head, _, body = text.partition("\n")
        name = head.split(":")[0]
        if names and name not in names:
            continue
        source, edits = [], []
        for line in body.splitlines():
            (edits if ">>>" in line else source).append(line)
        then = now = "\n".join(source) + "\n"
        for edit in edits:
            before, after = (part.strip().replace("\\n", "\n") for part in edit.split(">>>"))
            if now.count(before) != 1:
                sys.exit(f"{path}: {name}: {before!r} is there {now.count(before)} times")
            now = now.replace(before, after)
        result[name] = (then, now)
    return result


def write_program(cases, number, folder):
    """The program of then is number 0, that of now 1."""
    folder.mkdir(parents=True, exist_ok=True)
    text = [HEAD]
    for name, sources in cases.items():
        text += [f"namespace {name} {{", OF_CASE, sources[number], "}"]
    text += ["int main() {", "  for (int I = 0; I != N; ++I) {"]
    text += [f"    {name}::work(I);" for name in cases]
    text += ["  }", "  for (int Round = 0; Round != 100; ++Round) {"]
    text += [f"    {name}::uses();" for name in cases]
    text += ["    if (__thermocline_pass_time)", "      __thermocline_pass_time(1000);", "  }"]
    text += ["  Judging = true;"]
    text += [f'  Case = "{name}", {name}::uses();' for name in cases]
    text += ["}"]
    (folder / "main.cpp").write_text("\n".join(text) + "\n")


def judge(tools, out, cases, is_kept):
    """Returns how many cases are wrong, and how many cold blocks were hinted before the edits."""
    for number, name in enumerate(("then", "now")):
        write_program(cases, number, out / name)
    quiet = ["-Wno-unused-function"]
    tools.build_one("generate", quiet, out / "then/main.cpp", out, "profiled")
    use = [f"-fmemory-profile-use={tools.record(out)}", *quiet]
    allocator = [tools.build / "lib/libthermocline_alloc.a"]
    tools.build_one("use", use, out / "then/main.cpp", out, "fresh", allocator)
    wrong = 0
    fresh = blocks_by_name(out / "fresh")
    for name, (cold, hinted, hot) in fresh.items():
        if hot or hinted != cold:
            wrong += 1
            print(f"{name}: before the edit {hinted} of {cold} cold blocks are hinted, and {hot} hot ones")
    said = tools.build_one("use", use, out / "now/main.cpp", out, "edited", allocator)
    if os.environ.get("VERBOSE"):
        print(said)
    for name, (_, hinted, hot) in blocks_by_name(out / "edited").items():
        if hot:
            wrong += 1
            print(f"{name}: {hot} hot blocks are hinted")
        elif is_kept and hinted != fresh[name][1]:
            wrong += 1
            print(f"{name}: {hinted} of {fresh[name][1]} cold blocks are hinted")
    return wrong, sum(of[1] for of in fresh.values())


def main(build_folder, llvm, out, path, *words):
    tools = Tools(build_folder, llvm)
    cases = read(path, [word for word in words if not word.startswith("--")])
    programs = {"": cases}
    if "--alone" in words:
        programs = {name: {name: sources} for name, sources in cases.items()}
    wrong = hinted = 0
    for name, of_program in programs.items():
        judged = judge(tools, Path(out) / name, of_program, "--kept" in words)
        wrong, hinted = wrong + judged[0], hinted + judged[1]
    print(f"{len(cases)} cases; {wrong} wrong; {hinted} cold blocks hinted before the edits")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
