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
//   payload    a word: 1 for order, 0 for size classes
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_ORDERNOTES_H
#define THERMOCLINE_ANNOTATE_METADATA_ORDERNOTES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// What the modules of a link say.
class OrderNotes {
public:
  /// Leaves a note in \p M.
  static void write(llvm::Module &M, bool InOrder);

  /// Adds what the name of a variable tells, if it does. Returns an error if it
  /// is damaged.
  llvm::Error addIn(llvm::StringRef Name);
  void add(const OrderNotes &Other);

  /// Whether modules say that objects should lie in order, and none says that
  /// they should not.
  bool agreeOnOrder() const { return AnyOrder && !AnyClasses; }

private:
  bool AnyOrder = false;
  bool AnyClasses = false;
};

} // namespace thermocline::annotate

#endif
