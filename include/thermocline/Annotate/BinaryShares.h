//===- Annotate/BinaryShares.h - Parts of a profile -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A link says how much of the profile's cold memory it found. If the profile is
// of a process with several binaries, only the part of the binary that the link
// makes counts, and which one that is shows only in the link: it has most of
// the functions that the profile has in one binary alone. So each module tells
// which of these it has, what its contexts belong to, and which of their frames
// are in other binaries, in a note (PackedCarrier.h) of these numbers:
//
//   the profile's checksum
//   for each binary that the module has to do with, by its key:
//     the key, a hash of the build id
//     the bytes of cold contexts that were allocated in it alone
//     how many functions of the profile only it has
//     a count, and the GUIDs of those that the module has
//     a count, and the ids of the module's cold contexts that were allocated in
//       it, if the module has no such function of it
//     a count, and the stack ids of its cold contexts' frames in it, likewise
//     a count, and the ids of its cold contexts that were allocated in it and
//     in
//       another one
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_BINARYSHARES_H
#define THERMOCLINE_ANNOTATE_BINARYSHARES_H

#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// The cold contexts that a module's allocations have.
struct ColdContexts {
  /// Their full stack ids.
  std::set<uint64_t> Ids;
  /// The stack ids of all of their frames.
  std::set<uint64_t> Frames;
};

struct BinaryShare {
  uint64_t ColdBytes = 0;
  uint64_t NumOwnFunctions = 0;
  std::set<uint64_t> OwnFunctions;
  std::set<uint64_t> Contexts;
  std::set<uint64_t> Frames;
  std::set<uint64_t> Shared;
};

/// The functions of the profile that several of its binaries have.
std::set<uint64_t> functionsOfSeveral(const profile::BinaryMap &Binaries);

/// What the modules of a link tell of their profiles.
class BinaryShares {
public:
  /// Notes in \p M, which has \p Cold, what \p Profile says of its binaries,
  /// which are \p Binaries, if they are several. Returns an error if the
  /// profile is damaged.
  static llvm::Error note(llvm::Module &M,
                          const profile::IndexedProfile &Profile,
                          const profile::BinaryMap &Binaries,
                          const profile::ColdThresholds &Thresholds,
                          const ColdContexts &Cold);

  /// Adds what the name of a variable tells, if it does. Returns an error if it
  /// is damaged.
  llvm::Error addIn(llvm::StringRef Name);
  void add(const BinaryShares &Other);

  /// The part of the profile that a link of these modules has.
  struct Part {
    /// The bytes of the cold contexts that were allocated in it alone.
    uint64_t ColdBytes = 0;
    /// Ids of contexts that are not only its own.
    std::set<uint64_t> OtherContexts;
    /// Stack ids of frames in other binaries.
    std::set<uint64_t> OtherFrames;
  };
  /// The checksum of the profile, if all modules that tell any tell one.
  std::optional<uint64_t> onlyProfile() const {
    return ByProfile.size() == 1 ? std::optional(ByProfile.begin()->first)
                                 : std::nullopt;
  }
  /// Whether modules tell of binaries of the profile with this checksum.
  bool tellsOf(uint64_t ProfileChecksum) const {
    return ByProfile.contains(ProfileChecksum);
  }
  /// Whether any of them has cold contexts.
  bool anyCold(uint64_t ProfileChecksum) const;
  /// The part of the profile with this checksum. Nothing if it cannot be told:
  /// the modules have only functions that several binaries have.
  std::optional<Part> part(uint64_t ProfileChecksum) const;

private:
  /// By checksum of a profile, and key of a binary.
  std::map<uint64_t, std::map<uint64_t, BinaryShare>> ByProfile;
};

} // namespace thermocline::annotate

#endif
