#!/usr/bin/env python3
"""Prints a random C++ program that accesses its heap in every way it can think of.

usage: random_program.py SEED

For comparing counts of accesses (compare_random_programs.sh): the program is
deterministic, prints a checksum, and does nothing undefined. Its functions mix loops of
all forms (up, down, strided, by pointer, endless with breaks, irreducible), narrow and
wide counters that may wrap or not run at all, pointers that are one of two objects,
chains of pointers, searches along them, objects freed, moved and allocated anew inside
of loops, calls that access the same objects, throw, jump out or synchronize, and copies
and fills.
"""

import random
import sys

LENGTH = 64  # elements of every array; all indices are taken modulo this
ELEMENTS = ["unsigned char", "short", "int", "long", "unsigned"]
COUNTERS = ["unsigned char", "unsigned short", "int", "unsigned", "long",
            "unsigned long"]

PROLOGUE = r"""// Made by random_program.py %d.
#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static volatile long Budget = 300000;
static unsigned long Sum;
static std::atomic<long> Shared;
static jmp_buf Jump;
static long Depth;

struct Node {
  Node *Next;
  long Value;
  long Others[%d];
};

template <int Site> __attribute__((noinline)) static void *make(size_t Size) {
  unsigned char *Bytes = static_cast<unsigned char *>(malloc(Size));
  for (size_t I = 0; I < Size; ++I)
    Bytes[I] = static_cast<unsigned char>((I * 7 + Site) & 0x3f);
  return Bytes;
}
template <int Site> __attribute__((noinline)) static Node *ring() {
  Node *First = nullptr, *Last = nullptr;
  for (int I = 0; I < 5; ++I) {
    Node *N = static_cast<Node *>(make<Site>(sizeof(Node)));
    N->Next = First;
    N->Value = Site + I;
    First = N;
    if (!Last)
      Last = N;
  }
  Last->Next = First;
  return First;
}
static bool spend() { return --Budget > 0; }
__attribute__((noinline)) static void mayThrow(long X) {
  if ((X & 31) == 5)
    throw X;
}
__attribute__((noinline)) static void mayJump(long X) {
  if ((X & 15) == 3)
    longjmp(Jump, 1);
}
template <typename T> __attribute__((noinline)) static void replace(T *&P) {
  T *New = static_cast<T *>(make<1000>(sizeof(T) * %d));
  New[0] = P[1];
  free(P);
  P = New;
}
template <typename T> __attribute__((noinline)) static long look(const T *P) {
  unsigned long Result = 0;
  for (int I = 0; I < 9; ++I)
    Result += static_cast<unsigned long>(P[I * 7]);
  return static_cast<long>(Result);
}
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.sites = 0
        self.names = 0
        self.functions = []
        self.lines = []
        self.level = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def below(self, limit):
        return self.random.randrange(limit)

    def line(self, text):
        self.lines.append("  " * self.level + text)

    def name(self, prefix):
        self.names += 1
        return "%s%d" % (prefix, self.names)

    def site(self):
        self.sites += 1
        return self.sites

    # -- expressions -----------------------------------------------------------

    def number(self, scope):
        form = self.below(6)
        if form < 3 and scope.numbers:
            return "(long)" + self.random.choice(scope.numbers)
        if form == 3:
            return "(long)Sum % 13"
        return str(self.below(20))

    def index(self, scope):
        text = self.number(scope)
        if self.below(2):
            text = "(%s) * %d + %s" % (text, self.below(9), self.number(scope))
        return "((unsigned long)(%s) %% %d)" % (text, LENGTH)

    def array(self, scope):
        return self.random.choice(scope.arrays)[0]

    def access(self, scope):
        return "%s[%s]" % (self.array(scope), self.index(scope))

    def condition(self, scope):
        form = self.below(5)
        if form == 0:
            return "(long)%s %% 3 == 0" % self.access(scope)
        if form == 1:
            return "(long)Sum & %d" % (1 << self.below(4))
        if form == 2 and scope.nodes:
            return "%s->Value & 1" % self.random.choice(scope.nodes)
        return "((%s) + %d) %% %d == 0" % (self.number(scope), self.below(5),
                                           2 + self.below(6))

    # -- statements ------------------------------------------------------------

    def block(self, scope, depth, count=None):
        self.level += 1
        inner = scope.copy()
        for _ in range(count if count is not None else 1 + self.below(4)):
            self.statement(inner, depth)
        self.level -= 1

    def statement(self, scope, depth):
        kinds = [self.do_read, self.do_write, self.do_update] * 3
        kinds += [self.do_node, self.do_field, self.do_select, self.do_search]
        if scope.quiet and depth > 0:
            kinds += [self.do_if] * 2 + [self.do_leave, self.do_seldom]
        elif not scope.quiet:
            kinds += [self.do_rare]
        if depth > 0:
            kinds += [self.do_if] * 2 + [self.do_loop] * 4 + [self.do_quiet_loop] * 4
            kinds += [self.do_goto_loop]
        self.random.choice(kinds)(scope, depth)

    def do_read(self, scope, depth):
        self.line("Sum += (unsigned long)(long)%s;" % self.access(scope))

    def do_write(self, scope, depth):
        self.line("%s = (%s) & 0x3f;" % (self.access(scope), self.number(scope)))

    def do_update(self, scope, depth):
        array, index = self.array(scope), self.index(scope)
        self.line("%s[%s] = (%s + 1) > 100 ? 0 : %s + 1;" % (
            array, index, self.access(scope), self.access(scope)))

    def do_node(self, scope, depth):
        if scope.nodes:
            node = self.random.choice(scope.nodes)
            self.line("%s = %s->Next;" % (node, node))

    def do_search(self, scope, depth):
        """A walk along a list until something is found, which is then looked at."""
        if not scope.nodes:
            return
        node, steps = self.name("N"), self.name("I")
        found = "%s->%s %% %d == 1" % (
            node, self.pick("Value", "Others[%d]" % self.below(LENGTH)),
            2 + self.below(5))
        self.line("Node *%s = %s;" % (node, self.random.choice(scope.nodes)))
        self.line("for (int %s = 0; !(%s); ++%s) {" % (steps, found, steps))
        self.line("  if (%s == %d)" % (steps, 1 + self.below(7)))
        self.line("    break;")
        if self.below(2):
            self.line("  Sum += (unsigned long)%s->Others[%s & 7];" % (node, steps))
        if self.below(3) == 0:
            self.line("  if (Sum & %d)" % (1 << self.below(4)))
            self.line("    %s->Others[3] ^= 1;" % node)
        self.line("  %s = %s->Next;" % (node, node))
        self.line("}")
        self.line("%s->Value ^= 1;" % node)
        scope.nodes.append(node)

    def do_field(self, scope, depth):
        if scope.nodes:
            node = self.random.choice(scope.nodes)
            self.line("%s->Value += %s->Others[%s]++ & 7;" % (
                node, node, self.index(scope)))

    def do_select(self, scope, depth):
        kind = self.random.choice(scope.arrays)[1]
        same = [a for a, k in scope.arrays if k == kind]
        name = self.name("P")
        self.line("%s *%s = %s ? %s : %s;" % (
            kind, name, self.condition(scope), self.random.choice(same),
            self.random.choice(same)))
        self.line("%s[%s] = 1;" % (name, self.index(scope)))
        self.line("Sum += (unsigned long)(long)%s[%s];" % (name, self.index(scope)))

    def do_rare(self, scope, depth):
        own = [a for a in scope.arrays if a[0] in scope.owned]
        form = self.below(12)
        if form == 0 and own:
            array, kind = self.random.choice(own)
            self.line("free(%s);" % array)
            self.line("%s = (%s *)make<%d>(sizeof(%s) * %d);" % (
                array, kind, self.site(), kind, LENGTH))
        elif form == 1 and own:
            array, kind = self.random.choice(own)
            self.line("%s = (%s *)realloc(%s, sizeof(%s) * %d);" % (
                array, kind, array, kind, LENGTH))
        elif form == 2 and own:
            self.line("replace(%s);" % self.random.choice(own)[0])
        elif form == 3:
            self.line("Sum += (unsigned long)look(%s);" % self.array(scope))
        elif form == 4:
            self.line("Shared.fetch_add(%s);" % self.number(scope))
        elif form == 5:
            self.line("mayThrow(%s);" % self.number(scope))
        elif form == 6 and scope.jumps:
            self.line("mayJump(%s);" % self.number(scope))
        elif form == 7:
            array, kind = self.random.choice(scope.arrays)
            other = self.random.choice([a for a, k in scope.arrays if k == kind])
            size = self.pick(str(8 * (1 + self.below(8))),
                             "(unsigned long)(%s) %% 60" % self.number(scope))
            if self.below(2):
                self.line("memmove(%s, %s, %s);" % (array, other, size))
            else:
                self.line("if (%s != %s)" % (array, other))
                self.line("  memcpy(%s, %s, %d);" % (array, other, self.below(65)))
        elif form == 8:
            self.line("memset(%s, 1, %d);" % (self.array(scope), 1 + self.below(60)))
        elif form == 9 and self.functions:
            self.call(scope)
        elif form == 10:
            self.line("*(volatile char *)%s = 1;" % self.array(scope))
        elif form == 11:
            self.do_leave(scope, depth)

    def do_leave(self, scope, depth):
        self.line("if (%s)" % self.condition(scope))
        self.line("  %s;" % ("break" if scope.loops and self.below(2) else
                             "continue" if scope.loops and scope.continues else
                             "return"))

    def do_seldom(self, scope, depth):
        self.line("if (%s && %s) {" % (self.condition(scope), self.condition(scope)))
        self.level += 1
        self.do_rare(scope, depth)
        self.level -= 1
        self.line("}")

    def do_quiet_loop(self, scope, depth):
        """Loops without calls, or nearly, whose counts can leave them."""
        inner = scope.copy()
        inner.quiet = True
        self.do_loop(inner, min(depth, 2))

    def call(self, scope):
        name, kinds = self.random.choice(self.functions)
        arguments = []
        for kind in kinds:
            fitting = [a for a, k in scope.arrays if k == kind]
            if not fitting:
                return
            arguments.append(self.random.choice(fitting))
        node = self.random.choice(scope.nodes) if scope.nodes else None
        if node:
            self.line("%s(%s);" % (name, ", ".join(
                [self.number(scope), node] + arguments)))

    def do_if(self, scope, depth):
        self.line("if (%s) {" % self.condition(scope))
        self.block(scope, depth - 1)
        if self.below(2):
            self.line("} else {")
            self.block(scope, depth - 1)
        self.line("}")

    def do_loop(self, scope, depth):
        inner = scope.copy()
        inner.loops = True
        inner.continues = True
        form = self.below(8)
        counter = self.name("I")
        kind = self.random.choice(COUNTERS)
        limit = self.pick(str(self.below(12)), "(%s) %% 9" % self.number(scope),
                          "Count", "(long)%s %% 7" % self.access(scope))
        check = "spend()" if self.below(6) == 0 and not scope.quiet else "true"
        if form == 0:
            self.line("for (%s %s = 0; %s < (%s)(%s); ++%s) {" % (
                kind, counter, counter, kind, limit, counter))
        elif form == 1:
            self.line("for (long %s = (%s); %s > 0; %s -= %d) {" % (
                counter, limit, counter, counter, 1 + self.below(3)))
        elif form == 2:
            self.line("for (%s %s = %d; %s < %d; %s += %d) {" % (
                kind, counter, self.below(5), counter, self.below(40), counter,
                1 + self.below(5)))
        elif form == 3:
            # A pointer that walks.
            array, element = self.random.choice(scope.arrays)
            walker = self.name("W")
            inner.owned = inner.owned - {array}
            self.line("long %s = 0;" % counter)
            self.line("for (%s *%s = %s, *E%s = %s + (unsigned long)(%s) %% %d; %s != "
                      "E%s; ++%s) {" % (element, walker, array, walker, array, limit,
                                       LENGTH, walker, walker, walker))
            self.line("  Sum += (unsigned long)(long)*%s;" % walker)
            self.line("  ++%s;" % counter)
        elif form == 4:
            # Left by what is read only; at most once through the array.
            self.line("unsigned %s = 0;" % counter)
            self.line("while (%s < %d && (long)%s[%s] %% %d != 1) {" % (
                counter, LENGTH, self.array(scope), counter, 3 + self.below(9)))
            self.line("  ++%s;" % counter)
        elif form == 5:
            self.line("%s %s = 0;" % (kind, counter))
            self.line("do {")
            inner.continues = False
        elif form == 6 and scope.numbers:
            # Triangular, or wrapping round.
            self.line("for (unsigned char %s = (unsigned char)(%s); %s != (unsigned "
                      "char)(%s); ++%s) {" % (
                          counter, self.random.choice(scope.numbers), counter,
                          self.random.choice(scope.numbers), counter))
            self.line("  if (!spend())")
            self.line("    break;")
        elif scope.nodes:
            node = self.name("N")
            start = self.random.choice(scope.nodes)
            self.line("long %s = 0;" % counter)
            self.line("for (Node *%s = %s; %s < (%s); %s = %s->Next) {" % (
                node, start, counter, limit, node, node))
            self.line("  ++%s;" % counter)
            inner.nodes.append(node)
        else:
            self.line("for (int %s = 0; %s < 3; ++%s) {" % (counter, counter, counter))
        inner.numbers.append(counter)
        if check != "true":
            self.line("  if (!spend())")
            self.line("    break;")
        self.block(inner, depth - 1)
        if form == 5:
            self.line("} while (++%s < (%s)(%s) && spend());" % (counter, kind, limit))
        else:
            self.line("}")

    def do_goto_loop(self, scope, depth):
        """A cycle with two entries: a function of its own, for its labels."""
        array = self.array(scope)
        condition = self.condition(scope)
        self.line("[&](long Left) {")
        self.line("  if (%s)" % condition)
        self.line("    goto Second;")
        self.line("First:")
        self.line("  Sum += (unsigned long)(long)%s[Left & 31];" % array)
        self.line("Second:")
        self.line("  %s[5] = (long)%s[6] & 15;" % (array, array))
        self.line("  if (--Left > 0)")
        self.line("    goto First;")
        self.line("}((%s) %% 7);" % self.number(scope))

    # -- functions -------------------------------------------------------------

    def function(self):
        name = self.name("work")
        kinds = [self.random.choice(ELEMENTS) for _ in range(1 + self.below(3))]
        scope = Scope()
        parameters = ["long Count", "Node *Ring"]
        for i, kind in enumerate(kinds):
            parameters.append("%s *%sA%d" % (
                kind, "__restrict " if self.below(8) == 0 and len(kinds) == 1 else "", i))
            scope.arrays.append(("A%d" % i, kind))
        scope.nodes.append("Ring")
        scope.numbers.append("Count")
        self.line("%sstatic void %s(%s) {" % (
            "__attribute__((noinline)) " if self.below(3) else "", name,
            ", ".join(parameters)))
        self.level = 1
        self.line("if (++Depth > 20 || !spend())")
        self.line("  return;")
        self.line("Count %= 11;")
        owned = []
        for i in range(self.below(3)):
            kind = self.random.choice(ELEMENTS)
            array = "O%d" % i
            self.line("%s *%s = (%s *)make<%d>(sizeof(%s) * %d);" % (
                kind, array, kind, self.site(), kind, LENGTH))
            scope.arrays.append((array, kind))
            owned.append(array)
        scope.owned = set(owned)
        form = self.below(6)
        if form == 0:
            self.line("try {")
            self.block(scope, 3, 5)
            self.line("} catch (long Thrown) {")
            self.level += 1
            for _ in range(3):
                self.do_read(scope, 0)
            self.level -= 1
            self.line("}")
        elif form == 1:
            # Locals that change may not be looked at after the jump.
            inner = scope.copy()
            inner.arrays = [a for a in scope.arrays if a[0] not in scope.owned]
            inner.owned = set()
            inner.jumps = True
            self.line("if (setjmp(Jump) == 0) {")
            self.block(inner, 3, 5)
            self.line("} else {")
            self.level += 1
            self.line("Sum += (unsigned long)(long)A0[3];")
            self.level -= 1
            self.line("}")
        else:
            self.block(scope, 3, 6)
        for array in owned:
            self.line("free(%s);" % array)
        self.level = 0
        self.line("}")
        self.line("")
        # A jump out of a nested call would go to a frame that is gone.
        if form != 1:
            self.functions.append((name, kinds))
        return name, kinds

    def text(self):
        self.lines.append(PROLOGUE % (self.seed, LENGTH, LENGTH))
        made = [self.function() for _ in range(12)]
        self.line("int main() {")
        self.level = 1
        self.line("for (long Round = 0; Round < 5; ++Round) {")
        self.level = 2
        for name, kinds in made:
            self.line("{")
            self.level += 1
            arguments = []
            for i, kind in enumerate(kinds):
                self.line("%s *A%d = (%s *)make<%d>(sizeof(%s) * %d);" % (
                    kind, i, kind, self.site(), kind, LENGTH))
                arguments.append("A%d" % i)
            self.line("Node *Ring = ring<%d>();" % self.site())
            self.line("Depth = 0;")
            self.line("Budget = 20000;")
            self.line("try {")
            self.line("  %s(Round * 3, Ring, %s);" % (name, ", ".join(arguments)))
            if len(set(kinds)) < len(kinds):
                twins = [arguments[kinds.index(k)] for k in kinds]
                self.line("  %s(Round, Ring, %s);" % (name, ", ".join(twins)))
            self.line("} catch (long Thrown) {")
            self.line("  Sum += (unsigned long)Thrown;")
            self.line("}")
            self.level -= 1
            self.line("}")
        self.level = 1
        self.line("}")
        self.line('printf("%lu\\n", Sum);')
        self.level = 0
        self.line("}")
        return "\n".join(self.lines)


class Scope:
    def __init__(self):
        self.arrays, self.nodes, self.numbers = [], [], []
        self.owned = set()
        self.loops = self.continues = self.jumps = self.quiet = False

    def copy(self):
        other = Scope()
        other.__dict__.update(self.__dict__)
        other.arrays = list(self.arrays)
        other.nodes, other.numbers = list(self.nodes), list(self.numbers)
        return other


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[2])
    print(Program(int(sys.argv[1])).text())
