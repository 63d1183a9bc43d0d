//===- Annotate/ClangsPass.h - When clang's own pass is in vain -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -fmemory-profile-use= clang reads the profile, too, and annotates
// operator new in the middle of its pipeline. Thermocline replaces all of that
// at the end. With many contexts clang's pass takes longer than ours, so it is
// skipped where nothing of what it does would last.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_CLANGSPASS_H
#define THERMOCLINE_ANNOTATE_CLANGSPASS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// The name of clang's pass.
inline constexpr llvm::StringLiteral ClangsPass = "MemProfUsePass";

/// Whether clang's pass over \p M with the profile \p ProfileFile leaves
/// nothing if its annotation is replaced: no remarks are wanted from it, and
/// the profile has nothing but what Thermocline reads, neither callees for
/// value profiles nor accesses to static data. A profile that cannot be read is
/// left to clang to complain about.
bool isClangsPassInVain(const llvm::Module &M, llvm::StringRef ProfileFile);

} // namespace thermocline::annotate

#endif
