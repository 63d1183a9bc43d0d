//===- bench/merge/contexts.cpp - A program with very many contexts -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// contexts NUMBER CHAIN [FIRST]: allocates from NUMBER different calling
// contexts, from that with the number FIRST on. Ten levels of functions call
// the next by one of four calls, so that there are 4^10 paths; CHAIN calls of a
// function by itself lie in front of them.
//
//===----------------------------------------------------------------------===//

#include <cstdlib>

static char *volatile Sink;
static char *Kept[4096];
static unsigned Count;

/// So many functions of a level do the same, and debug information tells them
/// apart as in a program of some size.
constexpr unsigned Width = 64;

template <unsigned Level, unsigned Which>
__attribute__((noinline)) static void level(unsigned Path) {
  if constexpr (Level == 0) {
    char *Object = static_cast<char *>(malloc(16 + Path % 5 * 16));
    Object[0] = 1;
    // Some live long.
    if (Path % 8 == 0) {
      free(Kept[Count % 4096]);
      Kept[Count++ % 4096] = Object;
    } else {
      free(Object);
    }
    Sink = Object;
  } else {
    switch (Path % 4) {
    case 0:
      level<Level - 1, Which * 4 % Width>(Path / 4);
      break;
    case 1:
      level<Level - 1, Which * 4 % Width + 1>(Path / 4);
      break;
    case 2:
      level<Level - 1, Which * 4 % Width + 2>(Path / 4);
      break;
    default:
      level<Level - 1, Which * 4 % Width + 3>(Path / 4);
    }
    // Keeps calls apart, and from being tail calls.
    Sink = nullptr;
  }
}

__attribute__((noinline)) static void chain(unsigned Left, unsigned Path) {
  if (Left)
    chain(Left - 1, Path);
  else
    level<10, 0>(Path);
  Sink = nullptr;
}

int main(int Arguments, char **Argument) {
  if (Arguments < 3)
    return 2;
  const unsigned Number = atoi(Argument[1]);
  const unsigned First = Arguments > 3 ? atoi(Argument[3]) : 0;
  for (unsigned Path = First; Path != First + Number; ++Path)
    chain(atoi(Argument[2]), Path);
}
