//===- Annotate/InlinedStack.h - Where a call is in the source --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inlined call stack of an instruction, read from its debug location: one
// frame for each function that was inlined, innermost first, the last being in
// the function that holds the instruction. Frames are named as the profile
// names them, so that the two can be compared.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_INLINEDSTACK_H
#define THERMOCLINE_ANNOTATE_INLINEDSTACK_H

#include "thermocline/Annotate/Edits/SourceFrame.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalValue.h"

namespace llvm {
class DISubprogram;
class Instruction;
class Module;
} // namespace llvm

namespace thermocline::annotate {

using InlinedStack = llvm::SmallVector<SourceFrame, 8>;

class InlinedStackReader {
public:
  /// \p M must outlive the reader.
  explicit InlinedStackReader(const llvm::Module &M);

  /// The frames of \p I, innermost first; empty if it has no debug location.
  InlinedStack read(const llvm::Instruction &I);

  /// The linkage name under which profiles know the function \p Subprogram.
  llvm::StringRef nameOf(const llvm::DISubprogram &Subprogram) const;

  /// Functions with a mangled name whose debug information lacks it: compiled
  /// with -gmlt, but without -fdebug-info-for-profiling. Where such a function
  /// was inlined, the profile's frames cannot be recognized.
  unsigned numWithoutLinkageName() const { return WithoutLinkageName; }

  /// Functions with a body, and those of them that have debug information.
  unsigned numDefinitions() const { return Definitions; }
  unsigned numWithDebugInfo() const { return WithDebugInfo; }

private:
  llvm::GlobalValue::GUID guidOf(const llvm::DISubprogram &Subprogram);

  /// Names of the functions that the module still has; they stand in for
  /// linkage names that the debug information lacks. Owned by the module.
  llvm::DenseMap<const llvm::DISubprogram *, llvm::StringRef> FunctionNames;
  llvm::DenseMap<const llvm::DISubprogram *, llvm::GlobalValue::GUID> GUIDs;
  unsigned WithoutLinkageName = 0;
  unsigned Definitions = 0;
  unsigned WithDebugInfo = 0;
};

/// The compiler's flags by which the functions of \p M have names in the debug
/// information, those that were inlined, too. They depend on the language.
llvm::StringRef flagsForNames(const llvm::Module &M);

} // namespace thermocline::annotate

#endif
