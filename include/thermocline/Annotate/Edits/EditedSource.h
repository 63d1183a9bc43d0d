//===- Edits/EditedSource.h - A module older than its profile ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the source of a module has changed since it was profiled. Find for
// each frame of now the frames that the profile has in its place.
//
// The calls of each function are compared with those that it had
// (CallAlignment.h). Where calls were not paired, this is tried in each gap:
//
//   inlined    a call of then called a function whose calls are those of now.
//              Each of them has two frames in the profile
//   extracted  a call of now is of a function that the program did not have,
//              whose calls are those of then. The function's frames are those
//              of the one that it was drawn from, which has none for its call.
//              If it was drawn from several functions, it has none itself, and
//              each call of it is one that was there
//   wrapped    a call now goes to a function that calls what it called before,
//              maybe through others: the frame stays, and the function has
//              none. If what it calls allocates, the function's allocation has
//              the contexts of all calls that go there
//   renamed    a call goes to a function that the program did not have. Whether
//              that leads to where the contexts go on, the link sees
//
// A function that the program did not have may be one of then
// (FunctionOrigins).
//
// A frame for which none of this holds is stale. A function whose calls are as
// they were has the frames that it had.
//
// A profile may have several versions of a function, such as the entry of each
// plugin, and contexts do not tell which of them they are of. The module's
// function must be one of them. Its calls keep their frames, but where another
// version has another call at the same place: there, contexts of both are
// mixed, and the frame is stale.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_EDITS_EDITEDSOURCE_H
#define THERMOCLINE_ANNOTATE_EDITS_EDITEDSOURCE_H

#include "thermocline/Annotate/Edits/CallAlignment.h"
#include "thermocline/Annotate/Edits/SourceFrame.h"
#include "thermocline/Callsites/SourceCalls.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <set>
#include <unordered_map>

namespace thermocline::annotate {

/// A call of a function, as contexts name it without a table of all its calls.
struct ProfiledPlace {
  uint32_t LineOffset = 0;
  uint32_t Column = 0;
  /// What it led to, by the keys of calls (profile::SourceCall::Callee).
  llvm::SmallVector<uint64_t, 1> Callees;
  /// It is of an allocation function.
  bool Allocates = false;
};

class EditedSource {
public:
  /// A source that is as it was.
  EditedSource() = default;
  EditedSource(const callsites::ModuleCalls &Now,
               const profile::CallTable &Then, IsProfiledCall IsProfiled,
               CalleesThen Called);

  /// Compares \p Now, a function whose calls of then are not known, with the
  /// places that contexts have in it. It is stale if at one of them there is no
  /// call, or one that \p IsOther than that. Its calls are found again only if
  /// those of the same callees are as many, in the same order and columns.
  void comparePlaces(const profile::SourceFunction &Now,
                     llvm::ArrayRef<ProfiledPlace> Then,
                     llvm::function_ref<bool(uint64_t Callee)> Allocates,
                     llvm::function_ref<bool(uint64_t Callee)> IsProfiled);

  using Frames = llvm::SmallVector<SourceFrame, 2>;
  /// The frames that the profile has for \p Frame, innermost first. None if it
  /// is of a function that contexts do not go through. Nothing if it is stale.
  std::optional<Frames> then(const SourceFrame &Frame) const;

  /// Whether \p Frame, which then() has frames for, is not where it was, or its
  /// statement is another one. The folder and the file do not count.
  bool isEdited(const SourceFrame &Frame) const;

  /// The calls of then that allocated, where there now is \p Frame alone, which
  /// then() has none for.
  llvm::ArrayRef<SourceFrame> wrappedAt(const SourceFrame &Frame) const;

  /// Whether \p Function, one of then, is known by its calls alone: what the
  /// profile does not tell of it is not known.
  bool isByShape(llvm::GlobalValue::GUID Function) const {
    return ByShape.contains(Function);
  }
  /// Frames of then in functions of the module that are of other versions of
  /// these alone: there is nothing of them in the module.
  const std::set<SourceFrame> &ofOtherVersions() const {
    return OfOtherVersions;
  }
  /// Whether several versions have different calls at \p Frame, one of then, so
  /// that it is stale.
  bool isMixed(const SourceFrame &Frame) const {
    return MixedVersions.contains(Frame);
  }
  /// Functions of then that calls lead to which the program did not have, as
  /// far as can be told: it is not known what these calls are for.
  const std::set<llvm::GlobalValue::GUID> &entered() const { return Entered; }
  /// Calls through pointers that the program did not have: nothing tells here
  /// what they lead to.
  const std::set<SourceFrame> &newThroughPointers() const {
    return NewThroughPointers;
  }
  /// Whether the call at \p Frame, in a function that the program did not have,
  /// is for that function itself: what it makes is stored, and not returned. No
  /// context goes on through it.
  bool isKeptThere(const SourceFrame &Frame) const {
    return KeptThere.contains(Frame);
  }
  /// Whether a function of then that contexts go through is gone from the file
  /// that was compiled. Of headers, no module can tell.
  bool areFunctionsGone() const { return FunctionsAreGone; }
  /// Whether \p Function, one of the module, is not as it was.
  bool differs(llvm::GlobalValue::GUID Function) const {
    return Functions.contains(Function) || CallsRenamed.contains(Function);
  }
  bool empty() const { return Functions.empty(); }

private:
  using Place = std::pair<uint32_t, uint32_t>;
  struct Moves {
    std::map<Place, Frames> Frames;
    /// Places with calls of different origin.
    std::set<Place> Mixed;
    /// Places at which all is as it was.
    std::set<Place> Same;
  };
  class Comparison;

  // GUIDs come from names, so no DenseMap: it reserves keys.
  std::unordered_map<llvm::GlobalValue::GUID, Moves> Functions;
  std::map<SourceFrame, std::vector<SourceFrame>> Wrapped;
  std::set<llvm::GlobalValue::GUID> ByShape, Entered;
  std::set<SourceFrame> OfOtherVersions, MixedVersions, KeptThere,
      NewThroughPointers;
  /// Functions that differ only in what callees are called.
  std::set<llvm::GlobalValue::GUID> CallsRenamed;
  bool FunctionsAreGone = false;
};

} // namespace thermocline::annotate

#endif
