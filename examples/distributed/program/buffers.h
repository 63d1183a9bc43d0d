//===- buffers.h - Whom the program gets its buffers from -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every buffer, hot or cold, comes from one of these, so that only the callers
// tell them apart: from an inline function, of which every module has a copy;
// from a class that two modules instantiate, whose constructor has an alias;
// from virtual functions; and from a C function that calls malloc.
//
//===----------------------------------------------------------------------===//

#ifndef EXAMPLE_BUFFERS_H
#define EXAMPLE_BUFFERS_H

#include <memory>

/// Writes the buffer once.
void *touch(void *Buffer, unsigned long Size);

extern "C" void *takeFromPool(unsigned long Size);

/// Counts who is inside. Its destructor makes calls in its scope invokes.
struct Visit {
  explicit Visit(int *Inside) : Inside(Inside) { ++*Inside; }
  ~Visit() { --*Inside; }
  int *Inside;
};

inline char *makeInline(int *Inside, unsigned long Size) {
  Visit V(Inside);
  char *Buffer = new char[Size];
  touch(Buffer, Size);
  return Buffer;
}

template <typename T> struct Box {
  explicit Box(unsigned long Size);
  T *Items;
  unsigned long Size;
};

template <typename T>
__attribute__((noinline)) Box<T>::Box(unsigned long Size)
    : Items(new T[Size]), Size(Size) {
  touch(Items, Size * sizeof(T));
}

struct Maker {
  virtual ~Maker() = default;
  virtual char *make(unsigned long Size) = 0;
};
std::unique_ptr<Maker> createMaker(bool IsSecond);

char *makeForSetUp(int *Inside, unsigned long Size);
char *makeForWork(int *Inside, unsigned long Size);

#endif
