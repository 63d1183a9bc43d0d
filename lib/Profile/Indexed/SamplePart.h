//===- Profile/Indexed/SamplePart.h - Errors of totals in a file -*- C++ -*-==//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of an indexed profile that says how well totals are known
// (thermocline/Format/TouchPart.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_SAMPLEPART_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_SAMPLEPART_H

#include "thermocline/Profile/Samples.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace thermocline::profile {

/// Appends the part to \p File, an indexed profile whose memory profile has the
/// checksum \p ProfileChecksum.
void appendSamples(std::string &File, uint64_t ProfileChecksum,
                   const SamplesById &Samples);

/// What the file \p Contents has; nothing if it has no such part. \p
/// ProfileChecksum is that of its memory profile. Errors do not name the file.
llvm::Expected<SamplesById> readSamples(llvm::StringRef Contents,
                                        uint64_t ProfileChecksum);

} // namespace thermocline::profile

#endif
