//===- profile/output/ContinuousFile.h - Always valid profiles --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a raw profile on disk is to be brought up to date again and again,
// and readers of the format must accept it whenever the process is killed.
//
// The header says where each section begins, and readers take as many entries
// of a section as its count says. So sections may have room to spare:
//
//   header
//   checksums  of A and of B
//   segments   count, entries, room            grows at its end
//   records A  count, records, samples, room   one of these two is named by
//   records B  count, records, samples, room   the header
//   stacks     count, call stacks, room        grows at its end
//
// A sync appends segments and stacks, then stores their counts; writes all
// records to the half that is not named, and its checksums; then stores that
// half's offset in the header. Each store of 8 aligned bytes is one write,
// which a kill cannot divide, and each is made after what it makes visible: the
// file is valid before and after each. Last, it takes away the checksums of the
// other half: if the header's offset is damaged so that it names that one,
// nobody takes old records for the newest. A file that has become too small is
// replaced by a larger one, by rename.
//
// Pages that were written belong to the kernel and outlive the process, as
// those of a shared mapping would. But if the disk is full or somebody
// truncates the file, the result here is an error, and not the end of the
// program (SIGBUS).
//
// Cost: a sync writes a record for each context, and what is new.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_CONTINUOUSFILE_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_CONTINUOUSFILE_H

#include "RawProfile.h"

namespace thermocline::runtime {

class ContinuousFile {
public:
  /// Makes the file say what \p S and \p Code say: the one that the last call
  /// wrote, or a new one put in place through \p Place. \returns false, with a
  /// message on standard error, if that failed; the file is then as it was.
  bool sync(const Snapshot &S, const Segments &Code, ProfileFile &Place);

  /// Forgets the file, because another took its place.
  void abandon() { TotalBytes = 0; }

  /// Whether there is a file in place.
  bool isOpen() const { return TotalBytes; }

private:
  using Header = ::llvm::memprof::Header;

  /// The offsets of the sections, and thus which of them have room.
  struct Layout {
    uint64_t Segments = 0;
    uint64_t Records[2] = {};
    uint64_t Stacks = 0;
    uint64_t End = 0;
  };

  bool hasRoom(const Snapshot &S, const Segments &Code,
               uint64_t NewStackBytes) const;
  bool writeNew(const Snapshot &S, const Segments &Code, uint64_t AllStackBytes,
                ProfileFile &Place);
  long update(int Fd, const Snapshot &S, const Segments &Code);
  void appendSegments(const Segments &Code, FileWriter &Out);
  void appendStacks(const Snapshot &S, FileWriter &Out);
  Header headerFor(unsigned WhichHalf) const;
  void writeHalf(unsigned Which, const Snapshot &S, FileWriter &Out);
  int openAgain(const char *Path) const;

  Layout Places;
  /// 0 if there is no file.
  uint64_t TotalBytes = 0;
  /// The number of segments and calls that the file has already.
  uint64_t NumSegments = 0;
  uint32_t NumStacks = 0;
  uint64_t StackBytes = 0;
  /// The checksums of these.
  format::RunningHash SegmentHash, StackHash;
  /// The half that the header names.
  unsigned Half = 0;
  /// Device and inode, by which the file is recognized.
  uint64_t Device = 0;
  uint64_t Inode = 0;
};

} // namespace thermocline::runtime

#endif
