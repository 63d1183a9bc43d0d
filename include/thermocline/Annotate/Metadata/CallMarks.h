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
// for cold (docs/pointers.md). Of functions, it tells which cannot be imported,
// and not which cannot be cloned in their own module.
//
// Idea: a module with such calls tells them in a note (PackedCarrier.h). For
// each kind of mark, in the order of CallMarks::Kind, it has a count and as
// many hashes, ascending.
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
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <set>

namespace llvm {
class CallBase;
class Function;
class MDNode;
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// The marks of a module, or of all modules of a link.
class CallMarks {
public:
  CallMarks() = default;
  /// Takes the marks of the calls of \p M that have `!callsite`. Called when
  /// nothing changes calls any more.
  explicit CallMarks(const llvm::Module &M);

  /// Adds the marks in the name of a variable, if it holds any. Returns an
  /// error if it is damaged.
  llvm::Error addIn(llvm::StringRef Name);
  /// Notes these in \p M for the thin link.
  void note(llvm::Module &M) const;

  /// Whether calls with these stack ids go through a pointer, or are marked
  /// musttail.
  bool isThroughPointer(llvm::ArrayRef<uint64_t> StackIds) const;
  bool isMustTail(llvm::ArrayRef<uint64_t> StackIds) const;
  /// Whether the link has tail calls through pointers of the type of these
  /// calls, which go through pointers.
  bool hasTailCallsLike(llvm::ArrayRef<uint64_t> StackIds) const;

  // What is marked of functions, which are given by their names.
  bool isCoroutine(llvm::StringRef Function) const {
    return mayHave(Coroutine, Function);
  }
  /// Whether the body of \p Function must not be repeated; and whether it may
  /// be in its own module, though perhaps not in others.
  bool isUnclonable(llvm::StringRef Function) const {
    return mayHave(Unclonable, Function);
  }
  bool isClonable(llvm::StringRef Function) const {
    return !isNameless(Function) && mayHave(Clonable, Function);
  }
  /// Whether a tail call through a pointer leaves \p Function.
  bool leavesThroughPointer(llvm::StringRef Function) const {
    return mayHave(LeavingFunction, Function);
  }
  bool hasTailCallsThroughPointers() const {
    return !Marked[LeavingFunction].empty();
  }
  /// Whether \p Caller has a direct call marked musttail of \p Callee.
  bool endsInCallOf(llvm::StringRef Caller, llvm::StringRef Callee) const;

private:
  enum Kind : unsigned {
    /// A call through a pointer, by a hash of its stack ids.
    ThroughPointer,
    /// A call that is marked musttail, likewise.
    MustTailCall,
    /// A coroutine that is not split, by its name (NotedNames.h).
    Coroutine,
    /// A type of function that calls marked musttail through pointers have, by
    /// a hash of its text.
    TailCallType,
    /// A call through a pointer, hashed with its type as well.
    TypedCall,
    /// A function with a call marked musttail through a pointer, by its name.
    LeavingFunction,
    /// A direct call marked musttail, by a hash of the names of caller and
    /// callee.
    DirectMustTailCall,
    /// A function whose body must not be repeated, by its name.
    Unclonable,
    /// A function that may be cloned, and refers to what LLVM may not import.
    Clonable,
    NumKinds
  };

  bool mayHave(Kind Is, llvm::StringRef Function) const {
    return !Marked[Is].empty() &&
           (isNameless(Function) || Marked[Is].contains(notedNameOf(Function)));
  }
  void addClonability(const llvm::Module &M);
  void addTailCall(const llvm::Function &F, const llvm::CallBase &Call);
  void addCall(const llvm::CallBase &Call, const llvm::MDNode &Callsite);

  std::array<std::set<uint64_t>, NumKinds> Marked;
};

} // namespace thermocline::annotate

#endif
