// Functions that end by calling themselves keep the call until it is annotated, and
// nothing of what kept it is left then. Where no link follows they become loops.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -fmemory-profile-use=%t.prof %s -o %t.ll
// RUN: %annotations --names %t.ll | %FileCheck %s --check-prefix=CALLS
// RUN: %FileCheck %s --check-prefix=IR < %t.ll
// What the user asks for stays.
// RUN: %clangxx -O2 %annotate -fno-optimize-sibling-calls -fmemory-profile-use=%t.prof %s -o %t.asked.ll
// RUN: %FileCheck %s --check-prefix=ASKED < %t.asked.ll
// RUN: %clangxx -O2 -fpass-plugin=%plugin -mllvm -thermocline-use -fmemory-profile-use=%t.prof -S %s -o %t.s 2>/dev/null
// RUN: %FileCheck %s --check-prefix=CODE < %t.s

// PROFILE: cold    2000: _Z4walki+1:8 < main+0:21
// PROFILE: notcold 1000: _Z4walki+1:8 < _Z4walki+3:5 < main+0:21

// clang-format off
void keep(char *);
void walk(int Depth) {
  keep(new char[Depth]);
  if (Depth)
    walk(Depth - 1);
}
void odd(int Depth);
void even(int Depth) {
  keep(nullptr);
  if (Depth)
    odd(Depth - 1);
}
void odd(int Depth) {
  keep(nullptr);
  if (Depth)
    even(Depth - 1);
}

// CALLS: _Z4walki: @_Z4walki at _Z4walki+3:5
// CALLS: _Z4walki: @_Znam

// IR-NOT: disable-tail-calls
// IR-NOT: thermocline-keep

// ASKED: "disable-tail-calls"="true"

// CODE:     {{^}}_Z4walki:
// CODE-NOT: {{call|jmp}}{{.*}}_Z4walki
// CODE:     .Lfunc_end
