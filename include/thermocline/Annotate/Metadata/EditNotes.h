//===- Metadata/EditNotes.h - What edits mean for a link --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module whose source was edited since the profile (Annotate/Edits) tells the
// link in the names of variables, as packed contexts travel (PackedCarrier.h):
// "thermocline.salvaged." or "thermocline.entered.", and 16 hexadecimal digits
// for each id. Regular LTO, which drops variables, finds the names in metadata
// of the module that is called so.
//
// Any module that was compiled with a profile and got no context of it names
// the profile all the same ("thermocline.profile."), so that a link which lost
// everything can say so. If none of its functions is of the profile, the name
// has no numbers, and does not change with the profile.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_EDITNOTES_H
#define THERMOCLINE_ANNOTATE_METADATA_EDITNOTES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <set>

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

struct EditNotes {
  /// What was found again: stack ids of calls that were moved or edited, and
  /// ids of contexts whose allocation is one of them.
  std::set<uint64_t> Salvaged;
  /// What calls that the program did not have may lead to: GUIDs of functions
  /// that such calls enter, and the stack ids of their calls. What contexts do
  /// not list there is not known to be cold.
  std::set<uint64_t> Entered;
  /// Where calls of the profile were not found, the profile: what a basis keeps
  /// of its checksum, and the bytes of its cold contexts.
  std::map<uint64_t, uint64_t> Outdated;
  /// The same of profiles that modules have functions of, but no contexts.
  std::map<uint64_t, uint64_t> Unmatched;
  /// There was a profile that is of no function of some module.
  bool IsOfOthers = false;

  /// Writes them into \p M.
  void writeTo(llvm::Module &M) const;

  /// Adds what the name of a variable holds, if it holds any.
  void addIn(llvm::StringRef Name);
  /// Adds those of all modules that \p M was merged of.
  void addIn(const llvm::Module &M);
  void add(const EditNotes &Other);
};

} // namespace thermocline::annotate

#endif
