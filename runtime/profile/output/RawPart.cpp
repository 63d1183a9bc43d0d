//===- profile/output/RawPart.cpp - A part of our own in a profile --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawPart.h"
#include "DumpPages.h"

using namespace thermocline;
using namespace thermocline::runtime;

format::PartHeader thermocline::runtime::rawPartHead(format::RawPart Kind,
                                                     uint64_t Bytes,
                                                     unsigned NumLeft) {
  format::PartHeader Head;
  Head.Kind = Kind;
  Head.Version = format::RawPartVersion;
  Head.NumLeft = NumLeft;
  Head.PackedBytes = Head.Bytes = Bytes;
  return Head;
}

RawPart::~RawPart() {
  if (Pages)
    dumppages::give(Pages, Size);
}

bool RawPart::begin(format::RawPart Kind, size_t PayloadBytes) {
  const size_t Bytes = format::partBytes(PayloadBytes);
  Pages = static_cast<char *>(dumppages::take(Bytes));
  if (!Pages)
    return false;
  Size = Bytes;
  const format::PartHeader Head = rawPartHead(Kind, PayloadBytes, 0);
  append(&Head, sizeof(Head));
  return true;
}

void RawPart::append(const void *Data, size_t Count) {
  for (size_t I = 0; I != Count; ++I)
    Pages[Used++] = static_cast<const char *>(Data)[I];
}

void RawPart::write(FileWriter &Out, unsigned NumLeft) const {
  if (!Pages)
    return;
  auto *Head = reinterpret_cast<format::PartHeader *>(Pages);
  Head->NumLeft = NumLeft;
  Head->Checksum = format::hashOf(Pages + format::PartCheckedFrom,
                                  Size - format::PartCheckedFrom);
  Out.write(Pages, Size);
}
