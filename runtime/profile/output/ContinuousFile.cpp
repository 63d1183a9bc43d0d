//===- profile/output/ContinuousFile.cpp - A profile that is always valid -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContinuousFile.h"
#include "platform/System.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>

using namespace thermocline;
using namespace thermocline::runtime;

static constexpr uint64_t CountBytes = sizeof(uint64_t);

static bool isSame(const struct stat &Status, uint64_t Device, uint64_t Inode,
                   uint64_t Size) {
  return Status.st_dev == Device && Status.st_ino == Inode &&
         static_cast<uint64_t>(Status.st_size) == Size;
}

/// Opens the file again. \returns a negative number if the file at \p Path is
/// not this process's any more.
int ContinuousFile::openAgain(const char *Path) const {
  int Fd = static_cast<int>(
      sys::call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(Path),
                O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (Fd < 0)
    return Fd;
  struct stat Status;
  if (sys::call(SYS_fstat, Fd, reinterpret_cast<long>(&Status)) == 0 &&
      isSame(Status, Device, Inode, TotalBytes))
    return Fd;
  sys::call(SYS_close, Fd);
  return -ENOENT;
}

/// The bytes of the section of records. With histograms records grow, and
/// contexts without allocations may have some soon.
static uint64_t allRecordBytes(const Snapshot &S) {
  uint64_t Result = 0;
  for (uint32_t I = 0; I != S.size(); ++I)
    Result += recordBytes(S[I]);
  return recordSectionBytes(S, S.size(), Result);
}

bool ContinuousFile::hasRoom(const Snapshot &S, const Segments &Code,
                             uint64_t NewStackBytes) const {
  uint64_t SegmentRoom = Places.Records[0] - Places.Segments - CountBytes;
  uint64_t RecordRoom = Places.Records[1] - Places.Records[0];
  uint64_t StackRoom = TotalBytes - Places.Stacks - CountBytes;
  return Code.size() * sizeof(SegmentEntry) <= SegmentRoom &&
         allRecordBytes(S) <= RecordRoom &&
         StackBytes + NewStackBytes <= StackRoom;
}

void ContinuousFile::appendSegments(const Segments &Code, FileWriter &Out) {
  uint64_t Size = Code.size();
  if (Size == NumSegments)
    return;
  format::RunningHash Hash = SegmentHash;
  Out.seek(Places.Segments + CountBytes + NumSegments * sizeof(SegmentEntry));
  Out.hashInto(&Hash);
  for (uint64_t I = NumSegments; I != Size; ++I)
    Out.writeValue(Code[I]);
  Out.hashInto(nullptr);
  Out.seek(Places.Segments);
  Out.writeValue(Size);
  if (Out.flush()) {
    NumSegments = Size;
    SegmentHash = Hash;
  }
}

/// Appends the stacks of all contexts, including those without allocations,
/// which may have some later.
void ContinuousFile::appendStacks(const Snapshot &S, FileWriter &Out) {
  if (S.size() == NumStacks)
    return;
  uint64_t Added = 0;
  format::RunningHash Hash = StackHash;
  Out.seek(Places.Stacks + CountBytes + StackBytes);
  Out.hashInto(&Hash);
  for (uint32_t I = NumStacks; I != S.size(); ++I) {
    writeStack(Snapshot::idOf(I), S[I], Out);
    Added += stackBytes(S[I]);
  }
  Out.hashInto(nullptr);
  Out.seek(Places.Stacks);
  Out.writeValue(uint64_t(S.size()));
  if (Out.flush()) {
    NumStacks = S.size();
    StackBytes += Added;
    StackHash = Hash;
  }
}

ContinuousFile::Header ContinuousFile::headerFor(unsigned WhichHalf) const {
  return {MEMPROF_RAW_MAGIC_64, MEMPROF_RAW_VERSION,       Places.End,
          Places.Segments,      Places.Records[WhichHalf], Places.Stacks};
}

/// What is behind the header; the checksums follow.
static format::ChecksumPart checksumPart() {
  format::ChecksumPart Result;
  Result.Offset = format::RawHeaderBytes + sizeof(Result);
  return Result;
}

/// \returns where the file has the checksums of a half.
static uint64_t checksumsOf(unsigned WhichHalf) {
  return checksumPart().Offset + WhichHalf * sizeof(format::RawChecksums);
}

/// Writes the records of \p S to the half, and its checksums.
void ContinuousFile::writeHalf(unsigned Which, const Snapshot &S,
                               FileWriter &Out) {
  const uint64_t Before = Out.written();
  format::RunningHash RecordHash;
  Out.seek(Places.Records[Which]);
  Out.hashInto(&RecordHash);
  writeRecords(S, Out);
  Out.hashInto(nullptr);
  format::RawChecksums C;
  C.RecordOffset = Places.Records[Which];
  C.RecordBytes = Out.written() - Before;
  C.NumSegments = NumSegments;
  C.NumStacks = NumStacks;
  C.StackBytes = StackBytes;
  C.Segments = SegmentHash.value();
  C.Records = RecordHash.value();
  C.Stacks = StackHash.value();
  const Header Head = headerFor(Which);
  const format::ChecksumPart Part = checksumPart();
  C.Header = format::headerChecksum(&Head, &Part, C);
  Out.seek(checksumsOf(Which));
  Out.writeValue(C);
}

/// \returns 0 or -errno.
long ContinuousFile::update(int Fd, const Snapshot &S, const Segments &Code) {
  FileWriter Out(Fd);
  appendSegments(Code, Out);
  appendStacks(S, Out);
  unsigned Other = 1 - Half;
  writeHalf(Other, S, Out);
  // Each seek() writes what was collected before.
  Out.seek(offsetof(Header, MIBOffset));
  Out.writeValue(Places.Records[Other]);
  if (Out.flush()) {
    Out.seek(checksumsOf(Half) + offsetof(format::RawChecksums, RecordOffset));
    Out.writeValue(uint64_t(0));
    Out.flush();
    Half = Other;
  }
  return Out.error();
}

bool ContinuousFile::writeNew(const Snapshot &S, const Segments &Code,
                              uint64_t AllStackBytes, ProfileFile &Place) {
  // Twice what is needed now, so that a file that grows is rarely replaced.
  constexpr uint64_t MinSegments = 64,
                     MinRecordBytes =
                         512 * (sizeof(uint64_t) + sizeof(MemInfoBlock)),
                     MinStackBytes = 128 * 1024;
  auto Room = [](uint64_t Needed, uint64_t Least) {
    return 2 * Needed > Least ? 2 * Needed : Least;
  };
  Places.Segments = checksumPart().Offset + sizeof(format::ChecksumSets);
  Places.Records[0] = Places.Segments + CountBytes +
                      Room(Code.size(), MinSegments) * sizeof(SegmentEntry);
  uint64_t HalfBytes = roundUp(Room(allRecordBytes(S), MinRecordBytes), 8);
  Places.Records[1] = Places.Records[0] + HalfBytes;
  Places.Stacks = Places.Records[1] + HalfBytes;
  Places.End = Places.Stacks + CountBytes + Room(AllStackBytes, MinStackBytes);
  NumSegments = NumStacks = StackBytes = 0;
  SegmentHash = StackHash = format::RunningHash();
  Half = 0;
  abandon();

  int Fd = Place.create();
  if (Fd < 0)
    return false;
  long Error = sys::call(SYS_ftruncate, Fd, static_cast<long>(Places.End));
  if (!Error) {
    FileWriter Out(Fd);
    Out.writeValue(headerFor(Half));
    Out.writeValue(checksumPart());
    appendSegments(Code, Out);
    appendStacks(S, Out);
    writeHalf(Half, S, Out);
    Out.flush();
    Error = Out.error();
  }
  struct stat Status = {};
  if (!Error)
    Error = sys::call(SYS_fstat, Fd, reinterpret_cast<long>(&Status));
  if (!Place.finish(Fd, Error))
    return false;
  Device = Status.st_dev;
  Inode = Status.st_ino;
  TotalBytes = Places.End;
  return true;
}

bool ContinuousFile::sync(const Snapshot &S, const Segments &Code,
                          ProfileFile &Place) {
  uint64_t NewStackBytes = 0, OldStackBytes = isOpen() ? StackBytes : 0;
  for (uint32_t I = isOpen() ? NumStacks : 0; I != S.size(); ++I)
    NewStackBytes += stackBytes(S[I]);
  if (isOpen() && hasRoom(S, Code, NewStackBytes)) {
    int Fd = openAgain(Place.writtenPath().text());
    if (Fd >= 0) {
      long Error = update(Fd, S, Code);
      sys::call(SYS_close, Fd);
      if (Error)
        Place.complain(Place.writtenPath(), Error);
      return !Error;
    }
    // Removed or replaced by somebody: write it again.
  }
  return writeNew(S, Code, OldStackBytes + NewStackBytes, Place);
}
