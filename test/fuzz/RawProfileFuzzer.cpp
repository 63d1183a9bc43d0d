//===- fuzz/RawProfileFuzzer.cpp - Any bytes as a raw profile -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw profile is read or refused; what is read refers to nothing outside of
// itself.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/RawProfile.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline::profile;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  Expected<RawProfile> Read =
      RawProfile::parse(MemoryBufferRef(Bytes, "input"));
  if (!Read) {
    if (toString(Read.takeError()).find("input") == std::string::npos)
      report_fatal_error("an error does not name the file");
    return 0;
  }
  uint64_t Sum = 0, Counters = 0;
  for (const RawContext &C : Read->contexts()) {
    Counters += C.Histogram.size();
    for (uint64_t Address : Read->addresses(C))
      Sum += Address;
    Sum += C.Info.TotalSize;
  }
  // A counter takes two bytes at least.
  if (Counters > Size / 2)
    report_fatal_error("counters that are not in the file");
  volatile uint64_t Used = Sum + Read->segments().size();
  (void)Used;
  return 0;
}
