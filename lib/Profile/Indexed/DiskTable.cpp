//===- Profile/Indexed/DiskTable.cpp - LLVM's on-disk hash tables ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DiskTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <vector>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static constexpr uint64_t TableHeaderSize = 2 * sizeof(uint64_t);

Error DiskTable::malformed(const Twine &Message) const {
  return createStringError(inconvertibleErrorCode(), What + ": " + Message);
}

Expected<DiskTable> DiskTable::open(StringRef Contents, uint64_t Offset,
                                    StringRef What, KeySize Keys) {
  DiskTable Result;
  Result.Contents = Contents;
  Result.What = What.str();
  Result.Keys = Keys;
  if (Offset > Contents.size() || Contents.size() - Offset < TableHeaderSize)
    return Result.malformed("offset " + Twine(Offset) +
                            " is beyond the end of the file");
  Result.NumBuckets = support::endian::read64le(Contents.data() + Offset);
  Result.NumEntries =
      support::endian::read64le(Contents.data() + Offset + sizeof(uint64_t));
  Result.BucketsOffset = Offset + TableHeaderSize;
  if (!isPowerOf2_64(Result.NumBuckets) ||
      Result.NumBuckets >
          (Contents.size() - Result.BucketsOffset) / sizeof(uint64_t))
    return Result.malformed("impossible number of buckets (" +
                            Twine(Result.NumBuckets) + ")");
  return Result;
}

uint64_t DiskTable::bucket(uint64_t Index) const {
  return support::endian::read64le(Contents.data() + BucketsOffset +
                                   Index * sizeof(uint64_t));
}

Expected<uint64_t>
DiskTable::visitBucket(uint64_t Offset,
                       function_ref<Expected<bool>(const Item &)> Visit) const {
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(Offset);
  const uint16_t NumItems = Data.getU16(Cursor);
  for (uint16_t I = 0; I != NumItems && Cursor; ++I) {
    Item Found;
    Found.Hash = Data.getU64(Cursor);
    const uint64_t KeyLength =
        Keys == KeySize::Stored ? Data.getU64(Cursor) : sizeof(uint64_t);
    const uint64_t DataLength = Data.getU64(Cursor);
    Found.Key = Data.getBytes(Cursor, KeyLength);
    Found.Data = Data.getBytes(Cursor, DataLength);
    if (!Cursor)
      break;
    Expected<bool> More = Visit(Found);
    if (!More || !*More) {
      consumeError(Cursor.takeError());
      if (!More)
        return More.takeError();
      return Cursor.tell();
    }
  }
  const uint64_t End = Cursor.tell();
  if (Error E = Cursor.takeError()) {
    consumeError(std::move(E));
    return malformed("the bucket at byte " + Twine(Offset) +
                     " reaches past the end of the file");
  }
  return End;
}

Error DiskTable::forEach(function_ref<Error(const Item &)> Visit) const {
  uint64_t Seen = 0;
  for (uint64_t I = 0; I != NumBuckets; ++I) {
    const uint64_t Offset = bucket(I);
    if (Offset == 0)
      continue;
    Expected<uint64_t> End =
        visitBucket(Offset, [&](const Item &Found) -> Expected<bool> {
          if (++Seen > NumEntries)
            return malformed("has more entries than the " + Twine(NumEntries) +
                             " that it counts");
          if (Error E = Visit(Found))
            return std::move(E);
          return true;
        });
    if (!End)
      return End.takeError();
  }
  if (Seen != NumEntries)
    return malformed("has " + Twine(Seen) + " entries, but counts " +
                     Twine(NumEntries));
  return Error::success();
}

Expected<std::optional<StringRef>> DiskTable::find(uint64_t Key) const {
  std::optional<StringRef> Result;
  if (NumBuckets == 0)
    return Result;
  const uint64_t Offset = bucket(Key & (NumBuckets - 1));
  if (Offset == 0)
    return Result;
  Expected<uint64_t> End =
      visitBucket(Offset, [&](const Item &Found) -> Expected<bool> {
        if (Found.Key.size() != sizeof(uint64_t) ||
            support::endian::read64le(Found.Key.data()) != Key)
          return true;
        Result = Found.Data;
        return false;
      });
  if (!End)
    return End.takeError();
  return Result;
}

Error DiskTable::checkContiguous(uint64_t Begin) const {
  if (Error E = forEach([](const Item &) { return Error::success(); }))
    return E;
  std::vector<uint64_t> Offsets;
  for (uint64_t I = 0; I != NumBuckets; ++I)
    if (uint64_t Offset = bucket(I))
      Offsets.push_back(Offset);
  llvm::sort(Offsets);
  for (uint64_t Offset : Offsets) {
    if (Offset != Begin)
      return malformed("no bucket at byte " + Twine(Begin));
    Expected<uint64_t> End = visitBucket(
        Offset, [](const Item &) -> Expected<bool> { return true; });
    if (!End)
      return End.takeError();
    Begin = *End;
  }
  return Error::success();
}
