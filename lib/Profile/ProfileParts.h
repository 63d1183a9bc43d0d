//===- Profile/ProfileParts.h - Our parts of indexed profiles ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Appends parts to an indexed profile, and finds them there
// (Format/ProfileParts.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_PROFILEPARTS_H
#define THERMOCLINE_LIB_PROFILE_PROFILEPARTS_H

#include "thermocline/Format/ProfileParts.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace thermocline::profile {

/// Appends a part to \p File.
void appendPart(std::string &File, const PartForm &Part,
                llvm::StringRef Payload);

/// Where the part that appendPart() would append to \p File begins.
uint64_t nextPart(llvm::StringRef File);

/// The payload of the part in \p Contents, a file or its end; nothing if there
/// is none of that kind. Parts of other kinds are not checked. Errors do not
/// name the file.
llvm::Expected<std::optional<PartPayload>> readPart(llvm::StringRef Contents,
                                                    const PartForm &Part);

/// Reads the end of a payload of \p Part, a count and as many items: calls \p
/// Read for each, which returns whether it is sound. Returns an error if one is
/// not, or they do not fill the payload; it names \p One of them, or \p All.
llvm::Error readItems(WordReader &Words, const PartForm &Part,
                      llvm::StringRef One, llvm::StringRef All,
                      llvm::function_ref<bool()> Read);

/// Whether \p Contents, which has no such part, has what begins like one.
bool isPartCutOff(llvm::StringRef Contents, const PartForm &Part);

} // namespace thermocline::profile

#endif
