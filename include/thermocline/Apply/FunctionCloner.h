//===- FunctionCloner.h - Makes the versions of a function ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Version 0 of a function is the function; version v is a copy named as LLVM
// names it, f.memprof.v. Aliases of the function get versions likewise, since
// calls may go through them.
//
// A version has the linkage of its function, so that other modules of the link
// reach it where they reach the original. It is hidden, because no other
// program or library may know it. It has a COMDAT of its own, because the group
// of the original may be discarded for one that a native object brings, which
// has no versions.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_FUNCTIONCLONER_H
#define THERMOCLINE_APPLY_FUNCTIONCLONER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <memory>
#include <string>

namespace llvm {
class CallBase;
class Function;
class GlobalAlias;
class Module;
} // namespace llvm

namespace thermocline::apply {

/// The name of a version: \p Base for version 0, else \p Base with
/// ".memprof.VERSION".
std::string versionName(llvm::StringRef Base, unsigned Version);

/// The versions of one function. Its module owns the functions.
class FunctionVersions {
public:
  explicit FunctionVersions(llvm::Function &Original) : Functions{&Original} {}
  FunctionVersions(FunctionVersions &&) = default;
  FunctionVersions &operator=(FunctionVersions &&) = default;

  size_t size() const { return Functions.size(); }
  llvm::Function &operator[](unsigned Version) const {
    return *Functions[Version];
  }
  /// The copy in \p Version of a call of the original.
  llvm::CallBase &callIn(unsigned Version, llvm::CallBase &Call) const;

private:
  friend class FunctionCloner;
  llvm::SmallVector<llvm::Function *, 4> Functions;
  /// [v - 1] maps the values of the original to those of version v.
  llvm::SmallVector<std::unique_ptr<llvm::ValueToValueMapTy>, 4> Maps;
};

class FunctionCloner {
public:
  explicit FunctionCloner(llvm::Module &M);

  /// Adds versions 1 to \p NumVersions - 1 of \p F and of its aliases to the
  /// module. The error names a symbol that is in the way; the module is then
  /// unchanged.
  llvm::Expected<FunctionVersions> clone(llvm::Function &F,
                                         unsigned NumVersions);

private:
  llvm::Module &M;
  /// The aliases of each function, in the order of the module.
  llvm::DenseMap<llvm::Function *, llvm::SmallVector<llvm::GlobalAlias *, 1>>
      Aliases;
};

} // namespace thermocline::apply

#endif
