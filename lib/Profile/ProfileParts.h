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
#include <set>
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

/// The ascending items that \p Part in \p Contents consists of, as above; none
/// if there is no such part. \p Take returns nothing for one that is damaged.
template <class T>
llvm::Expected<std::set<T>>
readSet(llvm::StringRef Contents, const PartForm &Part, llvm::StringRef One,
        llvm::StringRef All,
        llvm::function_ref<std::optional<T>(WordReader &)> Take) {
  std::set<T> Result;
  auto Read = readPart(Contents, Part);
  if (!Read)
    return Read.takeError();
  if (!*Read)
    return Result;
  WordReader Words((*Read)->bytes());
  if (llvm::Error E = readItems(Words, Part, One, All, [&] {
        std::optional<T> Each = Take(Words);
        const bool IsSound =
            Each && (Result.empty() || *Result.rbegin() < *Each);
        if (IsSound)
          Result.insert(Result.end(), std::move(*Each));
        return IsSound;
      }))
    return std::move(E);
  return Result;
}

/// An error of \p Part if it was written for the memory profile with the
/// checksum \p Found, or says none, and not for that with \p Is.
llvm::Error checkProfile(std::optional<uint64_t> Found, uint64_t Is,
                         const PartForm &Part);

/// Whether \p Contents, which has no such part, has what begins like one.
bool isPartCutOff(llvm::StringRef Contents, const PartForm &Part);

} // namespace thermocline::profile

#endif
