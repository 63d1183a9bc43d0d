//===- Annotate/ClangsPass.h - When clang's own pass is in vain -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -fmemory-profile-use= clang reads the profile, too, and annotates
// operator new in the middle of its pipeline. Thermocline replaces that
// annotation at the end. With many contexts clang's pass takes longer than
// Thermocline's, so it is skipped if nothing of its work would last.
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

/// Whether nothing of the work of clang's pass over \p M with the profile \p
/// ProfileFile lasts once its annotation is replaced. That is so if no remarks
/// are wanted from it, and if the profile has only what Thermocline reads: no
/// accesses to static data. A profile that cannot be read is left to clang,
/// which reports the error.
bool isClangsPassInVain(const llvm::Module &M, llvm::StringRef ProfileFile);

/// Keeps clang's pass, if it runs, from counting a call for each callee of an
/// indirect call in the profile: nobody could tell that from what PGO counted.
/// Thermocline adds these callees itself (CallTargets.h). An option of the
/// user's for that stays.
void leaveOutCallees();

} // namespace thermocline::annotate

#endif
