"""Random programs of every linkage, for link_promises.py.

write(seed, folder) writes modules m0.cpp, m1.cpp …, linked.h, truth.c, native.c and
library.c. Their functions are static, extern, weak, inline, hidden, protected,
aliases, ifuncs, members, and reach each other by name, by pointers of all sorts, as
tail calls, through native code and a shared library, and allocate by name and by
pointers that lead to malloc, to the program's own functions and to others. A run
does the same whatever it was built by.
"""

import os
import random

TRUTH_H = """#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
extern int Busy;                     /* whether what is allocated now is used all the time */
char *keep(void *Block, long Size);  /* fills a block, and remembers it */
void useAll(void);
char *nativeMake(unsigned long Size);
void *nativeMalloc(size_t Size);
char *nativeCall(char *(*F)(long), long N);
char *nativeJump(char *(*F)(long), long N);
void nativeSet(char *(*F)(long));
char *nativeBackCall(long N);
char *nativeBackJump(long N);
char *(*nativeBack(long Which))(long);
char *libraryMake(unsigned long Size);
void *libraryMalloc(size_t Size);
char *libraryCall(char *(*F)(long), long N);
char *libraryJump(char *(*F)(long), long N);
void librarySet(char *(*F)(long));
char *libraryBackCall(long N);
char *libraryBackJump(long N);
char *(*libraryBack(long Which))(long);
#ifdef __cplusplus
}
#endif
"""

TRUTH_C = """#include "truth.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
_Bool __thermocline_pass_time(unsigned long) __attribute__((weak));
int Busy;
enum { MaxBlocks = 1 << 16 };
static struct { char *Bytes; long Size; int Busy; } Blocks[MaxBlocks];
static unsigned Used;
extern int thermocline_alloc_is_cold(const void *) __attribute__((weak));
char *keep(void *Block, long Size) {
  if (!Block || Used == MaxBlocks) abort();
  Blocks[Used].Bytes = memset(Block, 1, Size);
  Blocks[Used].Size = Size;
  Blocks[Used++].Busy = Busy;
  return Block;
}
static volatile unsigned long Sum;
void useAll(void) {
  for (int Pass = 0; Pass != 24; ++Pass) {
    for (unsigned I = 0; I != Used; ++I)
      if (Blocks[I].Busy)
        for (long At = 0; At < Blocks[I].Size; ++At)
          Sum += ((volatile char *)Blocks[I].Bytes)[At];
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }
  /* By size, which is another for each context of the roots. */
  if (getenv("LIST") && thermocline_alloc_is_cold)
    for (unsigned I = 0; I != Used; ++I)
      printf("%s %ld %d\\n", Blocks[I].Busy ? "busy" : "idle", Blocks[I].Size,
             thermocline_alloc_is_cold(Blocks[I].Bytes));
  unsigned Wrong = 0;
  for (unsigned I = 0; I != Used; ++I)
    if (thermocline_alloc_is_cold)
      Wrong += Blocks[I].Busy && thermocline_alloc_is_cold(Blocks[I].Bytes);
  printf("busy cold %u\\n", Wrong);
}
"""

NATIVE = """#include "truth.h"
#include <stdlib.h>
char *PREFIXMake(unsigned long Size) { return keep(malloc(Size), Size); }
void *PREFIXMalloc(size_t Size) { void *P = malloc(Size); if (!P) abort(); return P; }
char *PREFIXCall(char *(*F)(long), long N) { char *P = F(N); P[0] = 2; return P; }
char *PREFIXJump(char *(*F)(long), long N) { return F(N); }
static char *(*Back)(long);
void PREFIXSet(char *(*F)(long)) { Back = F; }
char *PREFIXBackCall(long N) { char *P = Back(N); P[0] = 2; return P; }
char *PREFIXBackJump(long N) { return Back(N); }
char *(*PREFIXBack(long Which))(long) { return Which & 1 ? PREFIXBackCall : PREFIXBackJump; }
"""

WRAPPED = """#include "truth.h"
#include <stdlib.h>
extern void *__real_malloc(size_t);
static unsigned Calls;
void *__wrap_malloc(size_t Size) { ++Calls; return __real_malloc(Size); }
"""

HEADER = """#pragma once
#include "truth.h"
#include <new>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
#define C extern "C"
typedef char *Make(long);
static const char Letters[] = LETTERS;
struct Guard { int N = 0; ~Guard() { asm volatile("" : : "r"(N)); } };
"""

ALLOCATIONS = [
    "malloc(N)",
    "malloc(N)",
    "calloc(1, N)",
    "realloc(nullptr, N)",
    "aligned_alloc(16, N)",
    "::operator new(N)",
    "new char[N]",
    "new (std::nothrow) char[N]",
]

# What a pointer of malloc's type may lead to.
POINTEES = ["malloc", "malloc", "nativeMalloc", "libraryMalloc", "ownMalloc"]


class Function:
    def __init__(self, name, module, linkage):
        self.name, self.module, self.linkage = name, module, linkage
        self.names = [name]
        # Of a member function: whether all modules see its class.
        self.is_whole = False

    def is_local(self):
        return self.linkage in ("static", "unnamed")


class Program:
    def __init__(self, seed, exports_all):
        self.exports_all = exports_all
        self.dice = random.Random(seed)
        self.modules = ["m%d.cpp" % I for I in range(self.dice.randint(2, 3))]
        self.text = {M: [] for M in self.modules + ["linked.h"]}
        self.functions = []
        self.number = 0
        self.wrapped = []

    def fresh(self, prefix):
        self.number += 1
        return "%s%d" % (prefix, self.number)

    def own_mallocs(self):
        for module in self.modules:
            self.text[module].append(
                "static NOINLINE void *ownMalloc(size_t Size) { return %s; }\n"
                % self.dice.choice(["calloc(1, Size)", "malloc(Size)", "nativeMalloc(Size)"])
            )

    def allocation(self, before):
        form = self.dice.randrange(10)
        if form < 6:
            return self.dice.choice(ALLOCATIONS)
        pointer = self.fresh("allocate")
        pointee = self.dice.choice(POINTEES)
        other = self.dice.choice(POINTEES)
        if form == 6:
            before.append("static void *(*volatile %s)(size_t) = %s;\n" % (pointer, pointee))
            return "%s(N)" % pointer
        if form == 7:
            before.append(
                "static void *(*volatile %s[])(size_t) = {%s, %s};\n" % (pointer, pointee, other)
            )
            return "%s[N & 1](N)" % pointer
        if form == 8:
            before.append(
                "struct %s_t { int Kind; void *(*F)(size_t); }; static %s_t %s = {1, %s};\n"
                "__attribute__((used)) void %s_set(void *(*F)(size_t)) { %s.F = F; }\n"
                % (pointer, pointer, pointer, pointee, pointer, pointer)
            )
            return "%s.F(N)" % pointer
        before.append("static char *(*volatile %s)(const char *) = strdup;\n" % pointer)
        return "%s(&Letters[sizeof Letters - N])" % pointer

    def call(self, module, below, before):
        """An expression that calls one of the functions BELOW with N."""
        dice = self.dice
        fit = [F for F in below if not F.is_local() or F.module == module]
        f = dice.choice(fit)
        name = dice.choice(f.names)
        form = dice.randrange(16)
        if f.linkage == "member":
            ways = ["%s_at(N)->get(N)", "%s_at(N)->get(N)"]
            if f.is_whole:
                ways.append("%s().get(N)")
            return dice.choice(ways) % f.name
        if form < 6:
            return "%s(N)" % name
        if form == 6:
            pointer = self.fresh("p")
            before.append("static Make *volatile %s = %s;\n" % (pointer, name))
            return "%s(N)" % pointer
        if form == 7:
            other = dice.choice(fit)
            while other.linkage == "member":
                other = f
            table = self.fresh("t")
            before.append(
                "static Make *const volatile %s[] = {%s, %s};\n"
                % (table, name, dice.choice(other.names))
            )
            return "%s[N & 1](N)" % table
        if form == 8:
            return "native%s(%s, N)" % (dice.choice(["Call", "Jump"]), name)
        if form == 9:
            return "library%s(%s, N)" % (dice.choice(["Call", "Jump"]), name)
        if form >= 14:
            return self.called_back(name, before)
        if form == 10:
            return "[](long M) { return %s(M); }(N)" % name
        if form == 11:
            pointer = self.fresh("p")
            before.append(
                "Make *%s = %s;\n" % (pointer, name)
            )
            return "%s(N)" % pointer
        return "%s(N)" % name

    def called_back(self, name, before):
        """NAME is called by native code, which mostly leaves no frame."""
        dice = self.dice
        native = dice.choice(["native", "library"])
        way = dice.choice(["BackJump", "BackJump", "BackCall"])
        pointer = self.fresh("b")
        form = dice.randrange(6)
        if form == 0:
            return "(%sSet(%s), %s%s(N))" % (native, name, native, way)
        if form == 1:
            before.append(
                "static char *(*volatile %s)(Make *, long) = %sJump;\n" % (pointer, native)
            )
            return "%s(%s, N)" % (pointer, name)
        if form == 2:
            return "(%sSet(%s), %sBack(N)(N))" % (native, name, native)
        if form == 3:
            # The pointer leads there at times, and at times to what leads there.
            before.append(
                "static Make *const volatile %s[] = {%s, %s%s};\n" % (pointer, name, native, way)
            )
            return "(%sSet(%s), %s[N >> 3 & 1](N))" % (native, name, pointer)
        if form == 4:
            return "(%sSet(%s), [](Make *F, long M) { return F(M); }(%s%s, N))" % (
                native, name, native, way,
            )
        before.append("static Make *volatile %s = %s%s;\n" % (pointer, native, way))
        return "(%sSet(%s), %s(N))" % (native, name, pointer)

    def body(self, layer, module, below, before):
        dice = self.dice
        if layer == 0:
            if dice.random() < 0.15:
                return "return %s(N);" % dice.choice(["nativeMake", "libraryMake"])
            if dice.random() < 0.25:
                return "Guard G; return keep(%s, N);" % self.allocation(before)
            return "return keep(%s, N);" % self.allocation(before)
        call = lambda: self.call(module, below, before)
        return dice.choice(
            [
                lambda: "return %s;" % call(),
                lambda: "return %s;" % call(),
                lambda: "char *P = %s; P[0] = 3; return P;" % call(),
                lambda: "char *P = %s; P[1] = 3; if (N > 900) return %s; return P;" % (call(), call()),
                lambda: "Guard G; char *P = %s; P[0] = 4; return P;" % call(),
                lambda: "char *P = nullptr; for (int I = 0; I != 2; ++I) P = %s; return P;" % call(),
                lambda: "if (N & 2) { char *P = %s; P[0] = 5; return P; } return %s;" % (call(), call()),
                lambda: "static int Depth; if (Depth < 2 && N & 1) { ++Depth; char *P = SELF(N); P[0] = 1; --Depth; return P; } return %s;"
                % call(),
                lambda: "keep(%s, 8); return %s;" % (call(), call()),
            ]
        )()

    def function(self, layer, below):
        dice = self.dice
        name = self.fresh("f")
        module = dice.choice(self.modules)
        linkage = dice.choice(
            ["static", "unnamed", "extern", "extern", "weak", "inline", "inline", "hidden",
             "protected", "alias", "weakalias", "ifunc", "member", "noinline", "weakodr"]
        )
        if linkage == "hidden" and self.exports_all:
            linkage = "protected"
        if linkage == "ifunc" and self.exports_all and module == self.modules[0]:
            # A library cannot refer to an ifunc of the program that loads it.
            linkage = "noinline"
        f = Function(name, module, linkage)
        before = []
        header = linkage in ("inline", "member") and dice.random() < 0.7
        # What the header has may call what all modules see.
        where = "linked.h" if header else module
        fit = [F for F in below if not F.is_local()] if header else below
        if layer and not [F for F in fit if not F.is_local() or F.module == module]:
            where, header, fit = module, False, below
            if not [F for F in fit if not F.is_local() or F.module == module]:
                f.module = module = dice.choice([F.module for F in fit])
                where = module
        text = self.body(layer, where if header else module, fit, before)
        if header and before:
            header, where = False, module
        noinline = dice.choice(["NOINLINE ", "NOINLINE ", ""])
        text = text.replace("SELF", name + "().get" if linkage == "member" else name)
        declare = self.text["linked.h"].append
        if linkage == "static":
            made = "static %schar *%s(long N) { %s }\n" % (noinline, name, text)
        elif linkage == "unnamed":
            made = "namespace { %schar *%s(long N) { %s } }\n" % (noinline, name, text)
        elif linkage == "member":
            base = name + "_base"
            made = (
                "struct %s : %s { char *get(long N) override; };\n" % (name, base)
                + ("inline " if header else "")
                + "%schar *%s::get(long N) { %s }\n" % (noinline, name, text)
            )
            shape = "struct %s { virtual char *get(long) = 0; virtual ~%s() = default; };\n" % (base, base)
            at = "%s *%s_at(long N);\n" % (base, name)
            f.is_whole = header
            if header:
                declare(shape + at)
                self.text[module].append(
                    "%s *%s_at(long) { static %s Only; return &Only; }\n" % (base, name, name)
                )
            else:
                # Others call it through the base alone.
                declare(shape + at)
                made += "%s *%s_at(long) { static %s Only; return &Only; }\n" % (base, name, name)
        elif linkage == "inline":
            made = "inline %schar *%s(long N) { %s }\n" % (noinline, name, text)
            if not header:
                # Only this module has it.
                f.linkage = "unnamed"
        else:
            attribute = {
                "weak": "__attribute__((weak)) ",
                "weakodr": "__attribute__((weak)) ",
                "hidden": "__attribute__((visibility(\"hidden\"))) ",
                "protected": "__attribute__((visibility(\"protected\"))) ",
                "noinline": "NOINLINE ",
            }.get(linkage, "")
            declare("C %schar *%s(long N);\n" % (attribute if linkage == "hidden" else "", name))
            if linkage == "ifunc":
                made = (
                    "static %schar *%s_made(long N) { %s }\n"
                    "C __attribute__((visibility(\"hidden\"))) Make *%s_resolve(void) { return %s_made; }\n"
                    "C __attribute__((ifunc(\"%s_resolve\"))) char *%s(long N);\n"
                    % (noinline, name, text, name, name, name, name)
                )
            else:
                made = "C %s%schar *%s(long N) { %s }\n" % (attribute, noinline, name, text)
            if linkage in ("alias", "weakalias"):
                alias = name + "_alias"
                weak = "weak, " if linkage == "weakalias" else ""
                made += "C __attribute__((%salias(\"%s\"))) char *%s(long N);\n" % (weak, name, alias)
                declare("C char *%s(long N);\n" % alias)
                f.names = [name, alias]
            if linkage in ("extern", "noinline", "hidden"):
                self.wrapped.append((name, module))
        self.text[where] += before + [made]
        return f

    def make(self):
        self.own_mallocs()
        below = []
        layers = self.dice.randint(3, 4)
        for layer in range(layers):
            fresh = [self.function(layer, below) for _ in range(self.dice.randint(3, 6))]
            below = fresh + self.dice.sample(below, min(len(below), 2))
            self.functions += fresh
        module = self.modules[0]
        roots = []
        for number in range(self.dice.randint(8, 12)):
            before = []
            fit = [F for F in below if not F.is_local() or F.module == module]
            if not fit:
                fit = [F for F in self.functions if not F.is_local() or F.module == module]
            call = self.call(module, fit, before)
            self.text[module] += before
            busy = int(self.dice.random() < 0.45)
            roots.append(
                "static NOINLINE void root%d() { Busy = %d; long N = %d; for (int I = 0; I != 4; ++I) { %s; asm volatile(\"\" : \"+r\"(N)); } }\n"
                % (number, busy, 320 + number * 8 + number % 4 + 600 * (number % 2), call)
            )
        self.text[module] += roots
        self.text[module].append(
            "int main() { %s useAll(); return 0; }\n"
            % " ".join("root%d();" % N for N in range(len(roots)))
        )


def write(seed, folder, exports_all):
    """Returns the names of the modules, the functions that --wrap may name with their
    modules, and whether there is an ifunc. Modules may be in several libraries if
    EXPORTS_ALL."""
    program = Program(seed, exports_all)
    program.make()
    os.makedirs(folder, exist_ok=True)

    def save(name, text):
        with open(os.path.join(folder, name), "w") as out:
            out.write(text)

    save("truth.h", TRUTH_H)
    save("truth.c", TRUTH_C)
    save("native.c", NATIVE.replace("PREFIX", "native"))
    save("library.c", NATIVE.replace("PREFIX", "library"))
    save("wrapped.c", WRAPPED)
    save("linked.h", HEADER.replace("LETTERS", '"%s"' % ("x" * 1300)) + "".join(program.text["linked.h"]))
    for module in program.modules:
        save(module, '#include "linked.h"\n' + "".join(program.text[module]))
    has_ifunc = any(F.linkage == "ifunc" for F in program.functions)
    return program.modules, program.wrapped, has_ifunc
