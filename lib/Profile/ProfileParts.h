//===- Profile/ProfileParts.h - Our parts of indexed profiles ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes and reads what follows LLVM's parts (Format/ProfileParts.h): each part
// is checked, and may be compressed. What is inside is not known here.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_PROFILEPARTS_H
#define THERMOCLINE_LIB_PROFILE_PROFILEPARTS_H

#include "thermocline/Format/ProfileParts.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace thermocline::profile {

enum class Compress : uint8_t { No, Fast, Best };

/// A kind of part, as one reader and one writer know it.
struct PartOf {
  format::PartKind Kind;
  uint64_t Version;
  /// As errors name it.
  llvm::StringRef Name;
  Compress How = Compress::Fast;
};

/// What a part has inside.
class PartPayload {
public:
  explicit PartPayload(llvm::StringRef InPlace) : InPlace(InPlace) {}
  explicit PartPayload(llvm::SmallVector<uint8_t, 0> Unpacked)
      : Unpacked(std::move(Unpacked)) {}
  /// In the file, or in this object.
  llvm::StringRef bytes() const {
    return InPlace ? *InPlace
                   : llvm::StringRef(
                         reinterpret_cast<const char *>(Unpacked.data()),
                         Unpacked.size());
  }

private:
  std::optional<llvm::StringRef> InPlace;
  llvm::SmallVector<uint8_t, 0> Unpacked;
};

/// Appends a part to \p File.
void appendPart(std::string &File, const PartOf &Part, llvm::StringRef Payload);

/// Where the part that appendPart() would append to \p File begins.
uint64_t nextPart(llvm::StringRef File);

/// The payload of the part in \p Contents, a file or its end; nothing if there
/// is none of that kind. Parts of other kinds are not checked. Errors do not
/// name the file.
llvm::Expected<std::optional<PartPayload>> readPart(llvm::StringRef Contents,
                                                    const PartOf &Part);

/// Whether \p Contents, which has no such part, has what begins like one.
bool isPartCutOff(llvm::StringRef Contents, const PartOf &Part);

/// An error of such a part.
llvm::Error malformedPart(const PartOf &Part, const llvm::Twine &Message);

} // namespace thermocline::profile

#endif
