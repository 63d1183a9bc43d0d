//===- Profile/PackedTrailer.h - A part behind LLVM's own -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tables of calls and of data types share: a checked, compressed part
// at the end of an indexed profile (Format/CallTable.h has its layout), which
// is found from its foot.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_PACKEDTRAILER_H
#define THERMOCLINE_LIB_PROFILE_PACKEDTRAILER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace thermocline::profile {

/// One kind of such a part.
struct TrailerKind {
  /// As errors name it.
  llvm::StringRef Name;
  uint64_t Magic;
  uint64_t End;
  uint64_t OldestVersion;
  uint64_t Version;
};

struct UnpackedTrailer {
  uint64_t Version = 0;
  std::string Payload;
};

/// Appends \p Payload to \p File, in the newest version.
void appendTrailer(std::string &File, const TrailerKind &Kind,
                   llvm::StringRef Payload);

/// What is in front of that part, if \p Contents ends with it; else \p
/// Contents.
llvm::StringRef beforeTrailer(llvm::StringRef Contents,
                              const TrailerKind &Kind);

/// The part that \p Contents ends with; nothing if it ends with none of \p
/// Kind. Errors do not name the file.
llvm::Expected<std::optional<UnpackedTrailer>>
readTrailer(llvm::StringRef Contents, const TrailerKind &Kind);

/// An error of such a part.
llvm::Error malformedTrailer(const TrailerKind &Kind,
                             const llvm::Twine &Message);

} // namespace thermocline::profile

#endif
