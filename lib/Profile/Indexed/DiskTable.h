//===- Profile/Indexed/DiskTable.h - LLVM's on-disk hash tables -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what llvm::OnDiskChainedHashTableGenerator wrote, without trusting it.
// A table is, at any offset of the file: the number of buckets and of entries
// (u64 each), then the offset of every bucket in the file, 0 for an empty one.
// A bucket is a number of items (u16); an item is its hash (u64), the sizes of
// its key (where the kind of table stores it) and of its data (u64), key, data.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_DISKTABLE_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_DISKTABLE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace thermocline::profile {

class DiskTable {
public:
  struct Item {
    uint64_t Hash = 0;
    llvm::StringRef Key;
    llvm::StringRef Data;
  };

  /// The kinds of tables of an indexed profile.
  enum class KeySize : uint8_t { Stored, Always8 };

  DiskTable() = default;

  /// The table at \p Offset of \p Contents, both of which must outlive it.
  /// \p What names it in errors, which do not name the file.
  static llvm::Expected<DiskTable> open(llvm::StringRef Contents,
                                        uint64_t Offset, llvm::StringRef What,
                                        KeySize Keys);

  uint64_t numEntries() const { return NumEntries; }

  /// Calls \p Visit for every item, in the order of the file.
  llvm::Error
  forEach(llvm::function_ref<llvm::Error(const Item &)> Visit) const;

  /// The data of the 8-byte key \p Key, whose hash is the key itself.
  llvm::Expected<std::optional<llvm::StringRef>> find(uint64_t Key) const;

  /// An error unless the items lie back to back from \p Begin on, as readers
  /// assume that go through them without the buckets.
  llvm::Error checkContiguous(uint64_t Begin) const;

private:
  /// Visits the items of the bucket at \p Offset until \p Visit says false;
  /// returns where the bucket ends, or where the visit did.
  llvm::Expected<uint64_t> visitBucket(
      uint64_t Offset,
      llvm::function_ref<llvm::Expected<bool>(const Item &)> Visit) const;
  uint64_t bucket(uint64_t Index) const;
  llvm::Error malformed(const llvm::Twine &Message) const;

  llvm::StringRef Contents;
  std::string What;
  KeySize Keys = KeySize::Stored;
  uint64_t BucketsOffset = 0;
  uint64_t NumBuckets = 0;
  uint64_t NumEntries = 0;
};

} // namespace thermocline::profile

#endif
