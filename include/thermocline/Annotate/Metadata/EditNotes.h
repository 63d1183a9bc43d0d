//===- Metadata/EditNotes.h - What edits mean for a link --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module whose source was edited since the profile (Annotate/Edits) tells the
// link in notes (PackedCarrier.h): "salvaged" and "entered" have a count and as
// many ids, ascending, "outdated" and "profile" the two numbers of a profile.
//
// Any module that was compiled with a profile and got no context of it names
// the profile all the same ("profile"), so that a link which lost
// everything can say so. If none of its functions is of the profile, the note
// has no numbers, and does not change with the profile. If nothing could match,
// it has the option that made it so in their place.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_EDITNOTES_H
#define THERMOCLINE_ANNOTATE_METADATA_EDITNOTES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
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
  /// The checksums and cold bytes, likewise, of profiles that modules have
  /// functions of, but no contexts.
  std::map<uint64_t, uint64_t> Unmatched;
  /// There was a profile that is of no function of some module.
  bool IsOfOthers = false;
  /// Functions of the profile are in modules without debug information, or in
  /// modules all of whose functions were compiled at -O0.
  bool IsWithoutDebugInfo = false, IsNotOptimized = false;

  /// Writes them into \p M.
  void writeTo(llvm::Module &M) const;

  /// Adds what the name of a variable holds, if it holds any. Returns an error
  /// if it is damaged.
  llvm::Error addIn(llvm::StringRef Name);
  void add(const EditNotes &Other);
};

} // namespace thermocline::annotate

#endif
