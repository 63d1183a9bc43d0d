//===- pkgindex/StringArena.cpp - Many small strings in few chunks --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chunk starts with a link to the one before it. Chunks are small, because an
// arena often holds the strings of one package only.
//
//===----------------------------------------------------------------------===//

#include "StringArena.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace pkgindex;

static constexpr size_t ChunkBytes = 320;

StringArena::~StringArena() {
  while (Last != nullptr) {
    Chunk *Previous = Last->Previous;
    delete[] reinterpret_cast<char *>(Last);
    Last = Previous;
  }
}

void StringArena::addChunk(size_t MinBytes) {
  size_t Bytes = std::max(ChunkBytes, sizeof(Chunk) + MinBytes);
  char *Storage = new char[Bytes];
  Last = new (Storage) Chunk{Last};
  Next = Storage + sizeof(Chunk);
  Free = Bytes - sizeof(Chunk);
}

const char *StringArena::copy(std::string_view Text) {
  if (Free < Text.size() + 1)
    addChunk(Text.size() + 1);
  char *Copy = Next;
  std::memcpy(Copy, Text.data(), Text.size());
  Copy[Text.size()] = '\0';
  Next += Text.size() + 1;
  Free -= Text.size() + 1;
  return Copy;
}
