//===- Engine/Split/SlicePool.h - Many short sequences ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sequences of which nearly all have one element, in 8 bytes each: it is kept
// in place of a pointer to it, where reading it costs no further cache miss.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_SLICEPOOL_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_SLICEPOOL_H

#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <memory>
#include <vector>

namespace thermocline::context {

/// A sequence that does not know its size: its owner keeps that.
template <typename T> class Slice {
public:
  Slice() : First(nullptr) {}
  /// \p Elements must stay where they are, if they are several.
  explicit Slice(llvm::ArrayRef<T> Elements) {
    if (Elements.size() == 1)
      Only = Elements.front();
    else
      First = Elements.data();
  }
  /// A single element lies in the slice itself.
  llvm::ArrayRef<T> elements(uint32_t Size) const {
    return Size == 1 ? llvm::ArrayRef(Only) : llvm::ArrayRef(First, Size);
  }

private:
  union {
    T Only;
    const T *First;
  };
  static_assert(sizeof(T) <= sizeof(First));
};

/// A stack of sequences that stay where they are.
template <typename T> class SlicePool {
public:
  llvm::ArrayRef<T> push(llvm::ArrayRef<T> Elements) {
    while (Top == Chunks.size() || Chunks[Top].Size - Used < Elements.size()) {
      if (Top == Chunks.size() || Used == 0)
        grow(Elements.size());
      else
        ++Top;
      Used = 0;
    }
    T *Begin = Chunks[Top].Elements.get() + Used;
    std::copy(Elements.begin(), Elements.end(), Begin);
    Used += Elements.size();
    return llvm::ArrayRef(Begin, Elements.size());
  }

  /// A height of the stack, to go back to.
  struct Mark {
    size_t Top, Used;
  };
  Mark mark() const { return {Top, Used}; }
  void dropTo(Mark M) {
    Top = M.Top;
    Used = M.Used;
  }

private:
  struct Chunk {
    std::unique_ptr<T[]> Elements;
    size_t Size;
  };
  static constexpr size_t ChunkSize = 1 << 14;

  /// Makes a chunk at the top that has room for \p Size elements.
  void grow(size_t Size) {
    Size = std::max(Size, ChunkSize);
    Chunks.insert(Chunks.begin() + Top, {std::make_unique<T[]>(Size), Size});
  }

  std::vector<Chunk> Chunks;
  /// The chunk with the end of the stack, and what is used of it.
  size_t Top = 0, Used = 0;
};

} // namespace thermocline::context

#endif
