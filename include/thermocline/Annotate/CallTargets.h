//===- Annotate/CallTargets.h - What indirect calls led to ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The heap profile says which function each call of a context led to: the next
// frame. For an indirect call these functions become targets in its value
// profile, from where LLVM's module summary takes them to the link. Not those
// that it cannot have called: coroutines, which are called in parts, and
// functions of another type.
//
// The heap profile does not say how often. So the count of such a target is 0,
// and the total at least 1: no share of it is worth a promotion by LLVM, before
// the link or after it. Whatever the compiler does by counts stays as it is
// without the heap profile. Clang's own pass writes a count of 1 for each, by
// which LLVM then promotes them all. What PGO counted stays, in its place,
// ahead of what is added. The backends remove targets without count again
// (Apply/CallPromoter.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_CALLTARGETS_H
#define THERMOCLINE_ANNOTATE_CALLTARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalValue.h"
#include <optional>
#include <unordered_map>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// Whether \p F may be what \p Call calls. What has other parameters was
/// reached by something else, which left no frame. Structures are taken for
/// equal: modules may know one by several names.
bool mayCall(const llvm::CallBase &Call, const llvm::Function &F);

class CallTargets {
public:
  /// \p M must outlive the object.
  explicit CallTargets(llvm::Module &M) : M(M) {}

  /// Adds the functions \p Callees, by their GUIDs in the heap profile, to the
  /// value profile of the indirect call \p Call. Returns how many it lacked.
  unsigned attach(llvm::CallBase &Call,
                  llvm::ArrayRef<llvm::GlobalValue::GUID> Callees);

private:
  /// A function of the profile in a value profile.
  struct Target {
    /// What the link knows it by.
    llvm::GlobalValue::GUID GUID;
    /// What PGO's counters may know it by as well.
    llvm::GlobalValue::GUID Counted;
  };
  void addTargets(const llvm::CallBase &Call, llvm::GlobalValue::GUID Callee,
                  llvm::SmallVectorImpl<Target> &Targets);

  llvm::Module &M;
  /// The functions of the module by their GUIDs in the heap profile, once they
  /// are needed. GUIDs come from profiles, so no DenseMap: it reserves keys.
  std::optional<std::unordered_map<llvm::GlobalValue::GUID,
                                   llvm::SmallVector<llvm::Function *, 1>>>
      Functions;
};

} // namespace thermocline::annotate

#endif
