//===- Metadata/CallMarks.h - Calls as summaries do not tell ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the record of a call in a module summary does not tell whether the
// call goes through a pointer, nor whether it is a tail call, which leaves no
// frame. Nor does the summary tell of a function that it is a coroutine, which
// ThinLTO splits after the link. Without that, the link would take hot memory
// for cold (docs/pointers.md).
//
// Idea: a module with such calls tells them in the name of a variable, as
// packed contexts travel (PackedCarrier.h): "thermocline.calls.", and for each
// mark a letter and 16 hexadecimal digits.
//
//   p  a call through a pointer, by a hash of its stack ids
//   t  a call that is marked musttail, likewise
//   c  a coroutine that is not split, by its name (NotedNames.h)
//   y  a type of function that calls marked musttail through pointers have, by
//      a hash of its text
//   q  a call through a pointer, as p, hashed with its type as well
//   i  a function with a call marked musttail through a pointer, by its name
//   m  a direct call marked musttail, by a hash of the names of caller and
//      callee
//
// Calls with the same stack ids share their marks, and so do functions of one
// name. Regular LTO has the calls themselves, and needs no marks.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_CALLMARKS_H
#define THERMOCLINE_ANNOTATE_METADATA_CALLMARKS_H

#include "thermocline/Annotate/Metadata/NotedNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <set>
#include <unordered_set>

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// Leaves the marks of the calls of \p M that have `!callsite` in \p M. Called
/// when nothing changes calls any more.
void noteCallMarks(llvm::Module &M);

/// The marks of all modules of a link.
class CallMarks {
public:
  /// Adds the marks in the name of a variable, if it holds any.
  void addIn(llvm::StringRef Name);

  /// Of the calls with these stack ids.
  bool isThroughPointer(llvm::ArrayRef<uint64_t> StackIds) const;
  bool isMustTail(llvm::ArrayRef<uint64_t> StackIds) const;
  /// Whether the link has tail calls through pointers of the type of these
  /// calls, which go through pointers.
  bool hasTailCallsLike(llvm::ArrayRef<uint64_t> StackIds) const;

  // Of functions by their names.
  bool isCoroutine(llvm::StringRef Function) const {
    return mayHave(Coroutines, Function);
  }
  /// Whether a tail call through a pointer leaves \p Function.
  bool leavesThroughPointer(llvm::StringRef Function) const {
    return mayHave(Leaving, Function);
  }
  bool hasTailCallsThroughPointers() const { return !Leaving.empty(); }
  /// Whether \p Caller has a direct call marked musttail of \p Callee.
  bool endsInCallOf(llvm::StringRef Caller, llvm::StringRef Callee) const;

private:
  // Hashes take any value, so no DenseSet: it reserves two.
  using Hashes = std::unordered_set<uint64_t>;

  static bool mayHave(const Hashes &Noted, llvm::StringRef Function) {
    return !Noted.empty() &&
           (isNameless(Function) || Noted.count(notedNameOf(Function)));
  }

  Hashes ThroughPointers, MustTail, Coroutines, TypedCalls, Leaving,
      DirectMustTail;
  std::set<uint64_t> TailCallTypes;
};

} // namespace thermocline::annotate

#endif
