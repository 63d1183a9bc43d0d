//===- Support/Part.h - Writes and reads a part -----------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one writer and the one reader of parts (Format/Part.h). A part is
// checked, and may be compressed. What is inside is not known here.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_PART_H
#define THERMOCLINE_SUPPORT_PART_H

#include "thermocline/Format/Part.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace thermocline {

enum class Compress : uint8_t { No, Fast, Best };

/// A kind of part, as one reader and one writer know it.
struct PartForm {
  uint64_t Kind;
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

/// Appends a part to \p Into, whose size is a multiple of 8. \p NumLeft parts
/// are read after it.
void writePart(std::string &Into, const PartForm &Form, llvm::StringRef Payload,
               uint64_t NumLeft = 0);

/// The payload of the part \p Whole, from its head to its end. Errors do not
/// name the file.
llvm::Expected<PartPayload> parsePart(llvm::StringRef Whole,
                                      const PartForm &Form);

/// What the checksum in the head of the part \p Whole has to be.
uint64_t partChecksum(llvm::StringRef Whole);

/// An error of such a part.
llvm::Error malformedPart(const PartForm &Form, const llvm::Twine &Message);

} // namespace thermocline

#endif
