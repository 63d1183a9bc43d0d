#!/usr/bin/env python3
"""Writes a random program full of like calls: calls.h, one.cpp, two.cpp, three.c.

usage: random_calls.py SEED DIR

What optimizers merge, move and copy is all there: like calls in arms of if,
switch and ?:, in loops of all kinds, through inline wrappers, templates, lambdas
and macros, behind invokes and in landing pads, before like returns, of functions
that say they are pure. What a run does depends on the seed alone, not on how the
program was compiled: each build allocates in the same contexts as often.
"""

import os
import random
import sys

seed, folder = int(sys.argv[1]), sys.argv[2]
dice = random.Random(seed)
LAYERS = dice.randint(3, 5)

HEADER = """#pragma once
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <new>
#define API extern "C"
#define HEADER inline
#else
#define API
#define HEADER static inline
#endif
#define NOINLINE __attribute__((noinline))
#define ESCAPE(P) ({ char *Block = (char *)(P); __asm__ volatile("" : "+r"(Block)); Block; })
#define ALWAYS __attribute__((always_inline))
API unsigned roll(unsigned Sides);  /* 0 to Sides - 1, by the program's own dice */
API int spent(void);                /* whether enough was called */
API char *keep(char *P);            /* lets P escape */
API char *spare(void);              /* instead of an allocation */
"""

MAIN = """
static unsigned State = %dU;
static long Budget = 1500;
static char *volatile Kept[64];
static unsigned Next;
API NOINLINE unsigned roll(unsigned Sides) {
  State = State * 1664525u + 1013904223u;
  return (State >> 16) %% Sides;
}
API NOINLINE int spent(void) { return --Budget < 0; }
API NOINLINE char *keep(char *P) {
  Kept[Next++ %% 64] = P;
  return P;
}
API NOINLINE char *spare(void) { static char Spare[64]; return Spare; }
int main() {
  for (int Round = 0; Round != 40; ++Round) {
    Budget = 1500;
%s
  }
  return 0;
}
"""


class Function:
    def __init__(self, name, layer, module):
        self.name, self.layer, self.module = name, layer, module
        # How it is called, of an argument.
        self.call = name + "(%s)"
        self.text = ""
        # Where it can be called from: any module, or its own alone.
        self.shared = True
        self.cplusplus = module != "three.c"
        self.pure = False


def pick(functions, caller):
    """A function that one in module CALLER may call."""
    fit = [
        f
        for f in functions
        if (f.shared or f.module == caller)
        and (caller != "three.c" or not f.cplusplus)
    ]
    return dice.choice(fit)


# Their blocks escape, so that no allocation is optimized away.
ALLOCATIONS_C = [
    "ESCAPE(malloc(N + {k}))",
    "ESCAPE(calloc(N + {k}, 2))",
    "ESCAPE(realloc(0, N + {k}))",
    "ESCAPE(strdup(\"a string of {k}\"))",
    "ESCAPE(realloc(ESCAPE(malloc(N + 1)), N + {k}))",
]
ALLOCATIONS = ALLOCATIONS_C + [
    "ESCAPE(::operator new(N + {k}))",
    "ESCAPE(new char[N + {k}])",
    "ESCAPE(new long[{k}])",
]


def argument():
    return dice.choice(["N", "N", "N", "N + 1", "8"])


def statement(below, caller, depth=0):
    """Statements in which P is set by calls of functions BELOW."""
    f = pick(below, caller)
    like = lambda: f.call % argument()
    same = f.call % "N"
    other = lambda: pick(below, caller).call % argument()
    inner = lambda: statement(below, caller, depth + 1) if depth < 2 else "P = %s;" % like()
    forms = [
        lambda: "if (roll(2)) P = %s; else P = %s;" % (same, same),
        lambda: "if (roll(2)) { P = %s; } else { keep(%s); P = %s; }" % (same, other(), same),
        lambda: "if (roll(2)) { P = %s; P[0] = 1; } else { P = %s; P[0] = 2; }" % (same, same),
        lambda: "P = roll(2) ? %s : %s;" % (like(), like()),
        lambda: "P = roll(2) ? %s : roll(3) ? %s : %s;" % (same, same, same),
        lambda: "if (roll(3) == 0) return %s; if (roll(3) == 1) return %s;" % (same, same),
        lambda: "if (roll(3) == 0) return keep(%s); P = %s;" % (same, same),
        lambda: "switch (roll(6)) { case 0: P = %s; break; case 1: P = %s; break; case 2: P = %s; break;"
        " case 3: P = %s; break; default: P = %s; }" % (same, same, like(), same, same),
        lambda: "switch (roll(5)) { case 0: P = %s; case 1: P = %s; break; case 2: return %s; case 3: return %s; }"
        % (same, same, same, same),
        lambda: "for (int I = 0; I != 4; ++I) { P = keep(%s); }" % like(),
        lambda: "for (unsigned I = roll(9); I != 0; --I) { P = keep(%s); if (N == 99) %s }" % (like(), inner()),
        lambda: "{ int Odd = N & 1; for (unsigned I = roll(6); I != 0; --I) { if (Odd) P = keep(%s); else P = keep(%s); } }"
        % (same, same),
        lambda: "for (int I = 0; I != 3; ++I) { if (I == 0) P = keep(%s); else P = keep(%s); }" % (same, same),
        lambda: "while (roll(3)) { P = keep(%s); if (roll(7) == 0) break; }" % like(),
        lambda: "while ((P = keep(%s)) && roll(2)) { keep(%s); }" % (like(), same),
        lambda: "do { keep(%s); %s } while (roll(3) == 0);" % (same, inner()),
        lambda: "for (int I = 0; I != 2; ++I) for (int J = 0; J != 2; ++J) { if (I == J) keep(%s); else keep(%s); }" % (same, same),
        lambda: "keep(%s); keep(%s);" % (same, same),
        lambda: "if (roll(2)) keep(%s); %s if (roll(2)) keep(%s);" % (same, inner(), same),
        lambda: "{ int Both = roll(2); if (Both) P = %s; keep(%s); if (Both) P = %s; }" % (same, other(), same),
        lambda: "if ((roll(2) && (P = %s)) || (P = %s)) { %s }" % (same, same, inner()),
        lambda: "{ unsigned I = 0; again: P = keep(%s); if (++I < roll(4)) goto again; }".replace("again", "again%d" % dice.randrange(10**9)) % same,
        lambda: "TWICE(P, %s);" % same,
        lambda: "{ char *A = %s, *B = roll(2) ? %s : A; P = A == B ? A : (keep(A), B); }" % (same, same),
    ]
    if caller != "three.c":
        forms += [
            lambda: "{ Guard G(N); if (roll(2)) P = %s; else P = %s; }" % (same, same),
            lambda: "{ Guard G(N); Guard H(N + 1); switch (roll(3)) { case 0: P = %s; break; case 1: P = %s; break; default: P = %s; } }" % (same, same, like()),
            lambda: "try { if (roll(2)) P = %s; else P = %s; if (roll(4) == 0) throw 1; } catch (int) { if (roll(2)) P = %s; else P = %s; }" % (same, same, same, same),
            lambda: "try { Guard G(N); P = mayThrow(%s); } catch (int) { P = %s; } catch (long) { P = %s; }" % (same, same, same),
            lambda: "{ auto Inner = [&](int M) { return M & 1 ? %s : %s; }; P = roll(2) ? Inner(N) : Inner(N + 1); }" % (same, same),
            lambda: "{ auto Inner = [&] { return keep(%s); }; for (int I = 0; I != 3; ++I) P = Inner(); }" % same,
            lambda: "P = roll(2) ? apply([=] { return %s; }) : apply([=] { return %s; });" % (same, same),
            lambda: "P = roll(2) ? pass<0>(%s) : pass<1>(%s);" % (same, same),
        ]
    return dice.choice(forms)()


def body(below, module, width):
    lines = ["  char *P = spare();", "  if (spent()) return P;"]
    if dice.random() < 0.4:
        lines.append("  P = %s;" % (pick(below, module).call % "N"))
    for _ in range(width):
        lines.append("  " + statement(below, module))
    tail = pick(below, module).call
    lines.append(
        dice.choice(
            [
                "  return P == spare() ? %s : P;" % (tail % "N"),
                "  if (P && roll(2)) return %s;\n  return keep(P), %s;" % (tail % "N", tail % "N"),
                "  return keep(P), %s;" % (tail % "N"),
            ]
        )
    )
    return "\n".join(lines)


functions = []
wrappers_header = []
modules = {"one.cpp": [], "two.cpp": [], "three.c": [], "calls.h": []}
number = 0

for layer in range(LAYERS):
    fresh = []
    for _ in range(dice.randint(3, 5)):
        module = dice.choice(["one.cpp", "two.cpp", "three.c"])
        number += 1
        name = "f%d" % number
        f = Function(name, layer, module)
        kind = "static" if fresh and dice.random() < 0.5 else "extern"
        attribute = dice.choice(["NOINLINE ", "", "", "__attribute__((flatten)) " if layer > 1 else ""])
        if layer == 0:
            choices = ALLOCATIONS_C if module == "three.c" else ALLOCATIONS
            a, b = dice.choice(choices), dice.choice(choices)
            k = dice.randint(1, 40)
            text = dice.choice(
                [
                    "  return %s;" % a,
                    "  if (roll(2)) return %s;\n  return %s;" % (a, a),
                    "  char *P = %s;\n  P[0] = 1;\n  return P;" % a,
                    "  char *P = roll(2) ? %s : %s;\n  P[0] = 1;\n  return P;" % (a, b),
                    "  switch (roll(4)) {\n  case 0: return %s;\n  case 1: return %s;\n  case 2: return %s;\n"
                    "  default: return %s;\n  }" % (a, b, a, a),
                ]
            ).replace("{k}", str(k))
        else:
            text = body(functions, module, dice.randint(1, 3))
        if kind == "static":
            f.shared = False
            f.text = "static %schar *%s(int N) {\n%s\n}\n" % (attribute, name, text)
        else:
            modules["calls.h"].append("API char *%s(int N);\n" % name)
            f.text = "%sAPI %schar *%s(int N) {\n%s\n}\n" % ("" if module != "three.c" else "", attribute, name, text)
            f.cplusplus = False
        if layer == 0:
            f.text = f.text.replace("    ", "  ")
        modules[module].append(f.text)
        fresh.append(f)
    # Wrappers of these, in the header or in a module.
    for _ in range(dice.randint(2, 5)):
        number += 1
        where = dice.choice(["calls.h", "one.cpp", "two.cpp", "three.c"])
        fit = [f for f in fresh if (f.shared and not f.cplusplus) or f.module == where]
        if where == "calls.h":
            fit = [f for f in fresh if f.shared and not f.cplusplus]
        if not fit:
            continue
        target = dice.choice(fit)
        name = "w%d" % number
        f = Function(name, layer, where)
        f.shared = where == "calls.h"
        form = dice.choice(["inline", "always", "template", "member", "virtual", "lambda", "inline", "pointer", "pure", "alias"])
        inner = target.call % "N"
        cplusplus = where in ("one.cpp", "two.cpp") or where == "calls.h"
        if form == "always":
            f.cplusplus = False if where == "calls.h" else cplusplus
            f.text = "ALWAYS static inline char *%s(int N) { return %s; }\n" % (name, inner)
        elif form == "inline" or not cplusplus:
            f.cplusplus = False if where == "calls.h" else cplusplus
            f.text = "static inline char *%s(int N) { char *P = %s; P[0] = 3; return P; }\n" % (name, inner)
        elif form == "pure":
            # Says that it is pure, and allocates when it is first called.
            f.pure = True
            mark = dice.choice(["pure", "const"])
            f.text = (
                "%sNOINLINE __attribute__((%s)) char *%s_get(int N) { static char *Known[4]; "
                "char **At = &Known[N & 3]; if (!*At) { *At = ESCAPE(malloc(N + 3)); **At = 0; } return *At; }\n"
                "%schar *%s(int N) { char *P = spare(); for (unsigned I = roll(4); I != 0; --I) { char *Q = %s_get(N); P = Q ? Q : P; keep(%s); } "
                "return roll(2) ? (keep(%s), %s) : %s; }\n"
                % ("inline " if where == "calls.h" else "", mark, name, "inline " if where == "calls.h" else "static ", name, name, inner,
                   "ESCAPE(malloc(1 + *%s_get(N) %% 2))" % name, inner, inner)
            )
        elif form == "template":
            f.call = name + "<%d>(%%s)" % dice.randint(0, 3)
            f.text = "template <int K> char *%s(int N) { if constexpr (K & 1) return %s; else return roll(2) ? %s : %s; }\n" % (name, inner, inner, inner)
        elif form == "member":
            f.call = "%s{%d}.get(%%s)" % (name, dice.randint(0, 9))
            f.text = "struct %s { int K; char *get(int N) const { return K == N ? %s : %s; } };\n" % (name, inner, inner)
        elif form == "virtual":
            # Bases side by side, so that calls go through thunks.
            f.text = (
                "OPEN struct {n}A {{ virtual char *a(int) = 0; virtual ~{n}A() = default; }};\n"
                "struct {n}B {{ virtual char *b(int) = 0; virtual ~{n}B() = default; }};\n"
                "struct {n}C : {n}A, {n}B {{ char *a(int N) override {{ return {i}; }} char *b(int N) override {{ return {i}; }} }};\n"
                "struct {n}D : {n}C {{ char *b(int N) override {{ return roll(2) ? {i} : {n}C::b(N); }} }};\n"
                "VARIABLE {n}C {n}c; VARIABLE {n}D {n}d;\n"
                "VARIABLE {n}B *{n}bs[] = {{&{n}c, &{n}d}}; VARIABLE {n}A *{n}as[] = {{&{n}c, &{n}d}}; CLOSE\n"
                "static char *{n}(int N) {{ return roll(2) ? {n}bs[roll(2)]->b(N) : {n}as[roll(2)]->a(N); }}\n"
            ).format(n=name, i=inner)
            inline = where == "calls.h"
            for word, text in [("OPEN", "" if inline else "namespace {"), ("CLOSE", "" if inline else "}"), ("VARIABLE", "inline" if inline else "")]:
                f.text = f.text.replace(word, text)
        elif form == "lambda":
            f.text = "static char *%s(int N) { auto L = [](int M) { return %s; }; char *(*F)(int) = roll(2) ? +L : +[](int M) { return %s; }; return F(N); }\n" % (
                name, target.call % "M", target.call % "M")
        elif form == "pointer":
            f.text = "static char *%s_1(int N) { return %s; }\nstatic char *%s_2(int N) { return %s; }\nstatic char *(*volatile %s_f[])(int) = {%s_1, %s_2};\n" \
                "static char *%s(int N) { return %s_f[roll(2)](N); }\n" % (name, inner, name, inner, name, name, name, name, name)
        else:
            # Two functions whose code is the same.
            f.text = "NOINLINE static char *%s_1(int N) { return %s; }\nNOINLINE static char *%s_2(int N) { return %s; }\n" \
                "static char *%s(int N) { return roll(2) ? %s_1(N) : %s_2(N); }\n" % (name, inner, name, inner, name, name, name)
        if where == "calls.h" and f.cplusplus:
            f.text = "#ifdef __cplusplus\n" + f.text.replace("static char *%s" % name, "inline char *%s" % name) + "#endif\n"
        elif where == "calls.h":
            f.text = f.text.replace("static inline", "HEADER", 1)
        modules[where].append(f.text)
        fresh.append(f)
    functions += fresh

HELPERS = """
#define TWICE(P, CALL) do { if (roll(2)) P = keep(CALL); else P = keep(CALL); } while (0)
#ifdef __cplusplus
struct Guard {
  int N;
  explicit Guard(int N) : N(N) {}
  ~Guard() { if (roll(2)) keep(ESCAPE(malloc(N + 5))); else keep(ESCAPE(malloc(N + 5))); }
};
NOINLINE inline char *mayThrow(char *P) { switch (roll(4)) { case 0: throw 1; case 1: throw 2L; } return P; }
template <class F> char *apply(F Call) { return roll(2) ? Call() : Call(); }
template <int K> char *pass(char *P) { P[0] = K; return P; }
#endif
"""

top = [f for f in functions if f.layer >= LAYERS - 2]
calls = "\n".join("    keep(%s);" % (pick(top, "one.cpp").call % "Round") for _ in range(6))
os.makedirs(folder, exist_ok=True)


def write(name, text):
    with open(os.path.join(folder, name), "w") as out:
        out.write(text)


write("calls.h", HEADER + HELPERS + "".join(modules["calls.h"]))
for module in ("one.cpp", "two.cpp", "three.c"):
    text = '#include "calls.h"\n' + "".join(modules[module])
    if module == "one.cpp":
        text += MAIN % (seed, calls)
    write(module, text)
