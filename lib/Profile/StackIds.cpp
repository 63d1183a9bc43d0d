//===- Profile/StackIds.cpp - LLVM's ids of frames and contexts -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ProfileData/MemProfCommon.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/HashBuilder.h"

using namespace llvm;
using namespace thermocline;

std::string profile::describePlace(uint32_t LineOffset, uint32_t Column) {
  auto Signed = static_cast<int32_t>(LineOffset);
  if (Signed < 0 && Column == 0)
    return "+?";
  return (Signed < 0 ? "" : "+") + itostr(Signed) + ":" + utostr(Column);
}

uint32_t profile::lineOf(uint32_t Begin, uint32_t LineOffset, uint32_t Column) {
  const int64_t Signed = static_cast<int32_t>(LineOffset);
  if (Signed < 0 && Column == 0)
    return 0;
  return static_cast<uint32_t>(std::max<int64_t>(int64_t(Begin) + Signed, 0));
}

StackId profile::computeStackId(GlobalValue::GUID Function, uint32_t LineOffset,
                                uint32_t Column) {
  HashBuilder<TruncatedBLAKE3<8>, endianness::little> Builder;
  Builder.add(static_cast<uint64_t>(Function), LineOffset & LineOffsetMask,
              Column);
  BLAKE3Result<8> Hash = Builder.final();
  return StackId(support::endian::read64le(Hash.data()));
}

StackId profile::computeStackId(const memprof::Frame &F) {
  return computeStackId(F.Function, F.LineOffset, F.Column);
}

uint64_t profile::computeFullStackId(ArrayRef<memprof::Frame> Context) {
  return memprof::computeFullStackId(Context);
}

GlobalValue::GUID profile::interruptedMark(GlobalValue::GUID Callee) {
  // Another number than any other hash of it.
  SequenceHash Hash(0x7468657265206973);
  Hash.add(Callee);
  return Hash.value();
}
