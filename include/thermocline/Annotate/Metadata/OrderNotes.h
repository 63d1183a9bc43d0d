//===- Metadata/OrderNotes.h - How small objects should lie -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile may say whether small objects should lie in order of allocation or
// by size class (thermocline/Placement/Order.h). That is for the allocator of
// the program, and the link puts it there. So each module with cold contexts
// has a note of it (PackedCarrier.h):
//
//   kind       "order"
//   payload    a word: 1 for order, 0 for size classes; then what decided it,
//              for reports: the ratios of pages and of pairs of lines, and the
//              share of what is replaced (double each)
//
// | version | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
// | 2 | 0.1 | what decided it |
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_ORDERNOTES_H
#define THERMOCLINE_ANNOTATE_METADATA_ORDERNOTES_H

#include "thermocline/Placement/Order.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// What the modules of a link say.
class OrderNotes {
public:
  /// Leaves a note of a choice that is known in \p M.
  static void write(llvm::Module &M, const placement::OrderVerdict &Verdict);

  /// Adds what the name of a variable tells, if it does. Returns an error if it
  /// is damaged.
  llvm::Error addIn(llvm::StringRef Name);
  void add(const OrderNotes &Other);

  /// Whether modules say that objects should lie in order, and none says that
  /// they should not.
  bool agreeOnOrder() const {
    return !Verdicts.empty() &&
           llvm::all_of(Verdicts, [](const placement::OrderVerdict &V) {
             return V.Choice == placement::OrderChoice::Order;
           });
  }
  /// What they say, each once: modules may have been compiled with several
  /// profiles.
  llvm::ArrayRef<placement::OrderVerdict> verdicts() const { return Verdicts; }

private:
  void add(const placement::OrderVerdict &Verdict) {
    if (!llvm::is_contained(Verdicts, Verdict))
      Verdicts.push_back(Verdict);
  }

  llvm::SmallVector<placement::OrderVerdict, 1> Verdicts;
};

} // namespace thermocline::annotate

#endif
