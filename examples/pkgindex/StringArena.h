//===- pkgindex/StringArena.h - Small strings in few chunks -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strings of one owner, packed into chunks. They live as long as the arena.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_STRINGARENA_H
#define PKGINDEX_STRINGARENA_H

#include <cstddef>
#include <string_view>

namespace pkgindex {

class StringArena {
public:
  StringArena() = default;
  StringArena(const StringArena &) = delete;
  StringArena &operator=(const StringArena &) = delete;
  ~StringArena();

  /// Copies Text and ends the copy with a NUL.
  const char *copy(std::string_view Text);

private:
  struct Chunk {
    Chunk *Previous;
  };

  void addChunk(size_t MinBytes);

  Chunk *Last = nullptr;
  char *Next = nullptr; ///< First free byte of the last chunk.
  size_t Free = 0;      ///< Bytes left from there.
};

/// Texts of any length: small ones share an arena, a large one has a buffer of
/// its own from the string pool.
class TextStore {
public:
  TextStore() = default;
  TextStore(const TextStore &) = delete;
  TextStore &operator=(const TextStore &) = delete;
  ~TextStore();

  /// Copies Text and ends the copy with a NUL.
  const char *keep(std::string_view Text);

private:
  struct LargeText;

  StringArena Small;
  LargeText *Large = nullptr;
};

} // namespace pkgindex

#endif
