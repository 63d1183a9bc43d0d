//===- Indexed/MemProfSection.h - The memory profile in a file --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory profile section of an indexed profile, versions 2 to 4, read in
// place. Every access is checked against the bounds of the file: LLVM's own
// reader trusts it.
//
//   all        version; offsets (u64, from the start of the file)
//   version 2  records, frame payload, frames, call stack payload, call stacks
//   version 3  call stack array, record payload, records
//   version 4  those of 3, data access profile; then a summary: the number of
//              its fields (u32), the fields (u64 each)
//   all        schema: number of fields, fields (u64)
//
// A record lists allocation sites (call stack, measures by the schema) and call
// sites (call stack; version 4: callees). Versions 3 and 4 hold frames as an
// array and call stacks as a radix tree in an array of 32-bit elements: the
// length of the stack, then frame numbers; a negative element is a jump
// onwards.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_MEMPROFSECTION_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_MEMPROFSECTION_H

#include "DiskTable.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ProfileData/MemProf.h"
#include <memory>
#include <vector>

namespace thermocline::profile {

/// The checksum of a memory profile: of all contexts and measures. It depends
/// neither on its place in the file nor on what is around it, so that who
/// writes one knows it without reading it again.
class MemProfChecksum {
public:
  MemProfChecksum(uint64_t Version, const llvm::memprof::MemProfSchema &Schema)
      : Version(Version), Schema(Schema) {}

  /// Versions 3 and 4: the bytes from the schema to the table of records.
  void setPayload(llvm::StringRef Bytes);
  /// Version 2: an entry of any of its tables. They may come in any order.
  void addEntry(llvm::StringRef Key, llvm::StringRef Data);
  uint64_t value() const;

private:
  uint64_t Version;
  const llvm::memprof::MemProfSchema &Schema;
  uint64_t Contents = 0;
};

class MemProfSection {
public:
  /// How this file names a call stack: a hash in version 2, a position later.
  using StackKey = uint64_t;

  struct AllocSite {
    StackKey Stack = 0;
    llvm::memprof::PortableMemInfoBlock Info;
  };
  struct CallSite {
    StackKey Stack = 0;
    llvm::SmallVector<llvm::GlobalValue::GUID, 1> Callees;
  };
  struct Record {
    std::vector<AllocSite> AllocSites;
    std::vector<CallSite> CallSites;
  };

  /// The section at \p Offset of \p Contents, which must outlive it. Errors do
  /// not name the file.
  static llvm::Expected<std::unique_ptr<MemProfSection>>
  open(llvm::StringRef Contents, uint64_t Offset);

  uint64_t version() const { return Version; }
  const llvm::memprof::MemProfSchema &schema() const { return Schema; }
  /// Where the profile of accesses to static data begins; 0 if there is none.
  uint64_t dataAccessOffset() const { return DataAccessOffset; }

  /// MemProfChecksum::value().
  llvm::Expected<uint64_t> checksum() const;
  /// The functions with records, ascending.
  llvm::Expected<std::vector<llvm::GlobalValue::GUID>> functions() const;
  /// The record of \p Function, or an empty one.
  llvm::Expected<Record> record(llvm::GlobalValue::GUID Function) const;
  /// The frames of a call stack, leaf first; never empty.
  llvm::Expected<std::vector<llvm::memprof::Frame>>
  callStack(StackKey Key) const;

private:
  llvm::Expected<Record> parseRecord(llvm::GlobalValue::GUID Function,
                                     llvm::StringRef Data) const;
  llvm::Expected<std::vector<llvm::memprof::Frame>>
  callStackFromTable(StackKey Key) const;
  llvm::Expected<std::vector<llvm::memprof::Frame>>
  callStackFromArray(StackKey Key) const;

  llvm::StringRef Contents;
  /// Later versions: the bytes from the schema to the buckets of the records.
  /// Nothing in them refers to a position in the file.
  llvm::StringRef Payload;
  uint64_t Version = 0;
  llvm::memprof::MemProfSchema Schema;
  uint64_t DataAccessOffset = 0;
  DiskTable Records;
  /// Version 2 only.
  DiskTable Frames;
  DiskTable CallStacks;
  /// Later versions: the bytes of the two arrays.
  llvm::StringRef FrameArray;
  llvm::StringRef RadixArray;
};

} // namespace thermocline::profile

#endif
