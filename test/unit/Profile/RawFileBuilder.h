//===- unit/Profile/RawFileBuilder.h - Raw profiles by hand -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes raw memory profiles byte by byte, from the layout that the format
// documents and not with the reader's own types, so that a shared mistake
// shows.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_UNIT_PROFILE_RAWFILEBUILDER_H
#define THERMOCLINE_UNIT_PROFILE_RAWFILEBUILDER_H

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace thermocline::profile {

struct RawMib {
  uint64_t StackId;
  uint32_t AllocCount = 1;
  uint64_t Size = 64;
  uint32_t AllocMs = 10;
  uint32_t DeallocMs = 30;
  std::vector<uint64_t> Histogram = {};
};

struct RawStack {
  uint64_t Id;
  std::vector<uint64_t> Addresses;
};

/// What a sampled profile has of each MIB.
struct RawSample {
  uint64_t Measured = 5;
  uint64_t Flags = 3;
  double Fields[6] = {1, 4, 9, 16, 0.25, 0.5};
};

/// A part behind the MIBs, without what its head has besides.
struct RawPart {
  std::string Kind;
  std::string Payload;
  uint64_t Version = 1;
  /// How many parts follow; by default those that do.
  uint64_t NumLeft = ~uint64_t(0);
  /// What the head says.
  uint64_t NumBytes = Payload.size();
};

struct RawFile {
  uint64_t Version = 5;
  uint64_t Magic = 0xff6d70726f667281;
  unsigned Segments = 1;
  std::vector<RawMib> Mibs = {{1}, {2}};
  /// Whether the section of MIBs ends at a multiple of 8 bytes.
  bool Padded = true;
  std::vector<RawStack> Stacks = {{1, {0x1010, 0x1020}}, {2, {0x1030}}};

  /// None: without that part.
  std::vector<RawSample> Samples = {};
  uint64_t SampleInterval = 100;

  /// When the run began and ended; none: without that part.
  std::vector<uint64_t> Run = {};

  /// How long windows took; none: without that part.
  std::vector<uint64_t> Windows = {};
  uint64_t PageBytes = 4096;
  std::vector<std::string> Phases = {};
  /// How long their bursts took, and their phases; 0 for those not given.
  std::vector<uint64_t> Bursts = {};
  std::vector<uint64_t> WindowPhases = {};
  /// What each MIB has of them, encoded.
  std::vector<std::string> Touches = {};

  /// Changes parts before they have checksums.
  std::function<void(std::vector<RawPart> &)> ChangeParts;

  /// With checksums behind the header, as Thermocline's runtime writes them.
  bool Checksums = false;
  uint64_t ChecksumVersion = 1;
  /// How many call stacks they cover; by default all.
  size_t CheckedStacks = ~size_t(0);

  std::string bytes() const;

  std::vector<RawPart> parts() const;
  static void putPart(std::string &Out, const RawPart &P, uint64_t NumLeft);

  /// The checksum of \p Bytes.
  static uint64_t checksum(std::string Bytes) {
    const uint64_t Size = Bytes.size();
    // The last block may be all zeros.
    Bytes.resize(Size / 32 * 32 + 32);
    uint64_t States[4] = {}, Result = Size;
    auto Mix = [](uint64_t &State, uint64_t Word) {
      State = (State ^ Word) * 0x9E3779B97F4A7C15;
      State ^= State >> 32;
    };
    for (size_t Offset = 0; Offset != Bytes.size(); Offset += 8) {
      uint64_t Word = 0;
      for (unsigned I = 0; I != 8; ++I)
        Word |= uint64_t(static_cast<unsigned char>(Bytes[Offset + I]))
                << 8 * I;
      Mix(States[Offset / 8 % 4], Word);
    }
    for (uint64_t State : States)
      Mix(Result, State);
    return Result;
  }
  /// As ULEB128.
  static void putVariable(std::string &Out, uint64_t Value) {
    for (; Value >= 128; Value /= 128)
      Out += static_cast<char>(Value % 128 + 128);
    Out += static_cast<char>(Value);
  }
  static void put(std::string &Out, uint64_t Value, unsigned Size) {
    for (unsigned I = 0; I != Size; ++I)
      Out += static_cast<char>(Value >> (8 * I));
  }
};

inline void RawFile::putPart(std::string &Out, const RawPart &P,
                             uint64_t NumLeft) {
  std::string Checked;
  put(Checked, P.Version, 8);
  put(Checked, P.NumLeft == ~uint64_t(0) ? NumLeft : P.NumLeft, 8);
  put(Checked, P.NumBytes, 8);
  put(Checked, P.NumBytes, 8);
  Checked += P.Payload;
  Checked.resize((Checked.size() + 7) / 8 * 8);
  Out += P.Kind;
  put(Out, checksum(Checked), 8);
  Out += Checked;
}

inline std::vector<RawPart> RawFile::parts() const {
  std::vector<RawPart> Result;
  if (!Samples.empty()) {
    std::string All;
    put(All, SampleInterval, 8);
    for (const RawSample &S : Samples) {
      put(All, S.Measured, 8);
      put(All, S.Flags, 8);
      for (double Field : S.Fields) {
        uint64_t Bits;
        memcpy(&Bits, &Field, sizeof(Bits));
        put(All, Bits, 8);
      }
    }
    Result.push_back({"tcsample", All});
  }
  if (!Run.empty()) {
    std::string All;
    for (uint64_t Ms : Run)
      put(All, Ms, 8);
    Result.push_back({"tcrtimes", All});
  }
  if (!Windows.empty()) {
    std::string All;
    for (uint64_t Number : {uint64_t(Windows.size()), uint64_t(Touches.size()),
                            PageBytes, uint64_t(Phases.size())})
      putVariable(All, Number);
    for (const std::string &Name : Phases) {
      putVariable(All, Name.size());
      All += Name;
    }
    for (size_t I = 0; I != Windows.size(); ++I) {
      putVariable(All, Windows[I]);
      putVariable(All, I < Bursts.size() ? Bursts[I] : 0);
      putVariable(All, I < WindowPhases.size() ? WindowPhases[I] : 0);
    }
    for (const std::string &T : Touches)
      All += T;
    Result.push_back({"tcwindow", All});
  }
  return Result;
}

inline std::string RawFile::bytes() const {
  std::string SegmentSection, MibSection, StackSection;
  put(SegmentSection, Segments, 8);
  for (unsigned I = 0; I != Segments; ++I) {
    put(SegmentSection, 0x1000 * (I + 1), 8);
    put(SegmentSection, 0x1000 * (I + 2), 8);
    put(SegmentSection, 0, 8);
    put(SegmentSection, 4, 8);
    std::string BuildId = {'i', 'd', 'e', static_cast<char>('0' + I)};
    BuildId.resize(32);
    SegmentSection += BuildId;
  }
  put(MibSection, Mibs.size(), 8);
  for (const RawMib &M : Mibs) {
    const uint32_t Lifetime = M.DeallocMs - M.AllocMs;
    put(MibSection, M.StackId, 8);
    put(MibSection, M.AllocCount, 4);
    for (uint64_t Accesses : {6, 6, 6})
      put(MibSection, Accesses, 8);
    put(MibSection, M.Size, 8);
    put(MibSection, M.Size, 4);
    put(MibSection, M.Size, 4);
    put(MibSection, M.AllocMs, 4);
    put(MibSection, M.DeallocMs, 4);
    put(MibSection, Lifetime, 8);
    put(MibSection, Lifetime, 4);
    put(MibSection, Lifetime, 4);
    for (uint32_t Cpu : {3, 4, 1, 0, 0, 0})
      put(MibSection, Cpu, 4);
    put(MibSection, 0, 8);
    for (unsigned Densities = 0; Densities != 2; ++Densities) {
      put(MibSection, 9, 8);
      put(MibSection, 9, 4);
      put(MibSection, 9, 4);
    }
    if (Version >= 4) {
      put(MibSection, M.Histogram.size(), 4);
      put(MibSection, 0x7fff0000, 8);
      for (uint64_t Counter : M.Histogram)
        put(MibSection, Counter, Version >= 5 ? 2 : 8);
    }
  }
  if (Padded)
    MibSection.resize((MibSection.size() + 7) / 8 * 8);
  std::vector<RawPart> Parts = parts();
  if (ChangeParts)
    ChangeParts(Parts);
  for (size_t I = 0; I != Parts.size(); ++I)
    putPart(MibSection, Parts[I], Parts.size() - I - 1);
  put(StackSection, Stacks.size(), 8);
  for (const RawStack &S : Stacks) {
    put(StackSection, S.Id, 8);
    put(StackSection, S.Addresses.size(), 8);
    for (uint64_t Address : S.Addresses)
      put(StackSection, Address, 8);
  }
  const uint64_t PartBytes = Checksums ? 24 : 0;
  std::string Header, Offsets;
  put(Header, Magic, 8);
  put(Header, Version, 8);
  uint64_t Offset = 48 + PartBytes;
  const uint64_t MibOffset = Offset + SegmentSection.size();
  for (const std::string *Section :
       {&SegmentSection, &MibSection, &StackSection}) {
    put(Offsets, Offset, 8);
    Offset += Section->size();
  }
  std::string Part, Sets;
  put(Header, Offset + (Checksums ? 144 : 0), 8);
  Header += Offsets;
  if (Checksums) {
    std::string Fields;
    uint64_t NumStacks = 0, StackBytes = 0;
    for (; NumStacks != Stacks.size() && NumStacks != CheckedStacks;
         ++NumStacks)
      StackBytes += 16 + 8 * Stacks[NumStacks].Addresses.size();
    for (uint64_t Field :
         {MibOffset, uint64_t(MibSection.size()), uint64_t(Segments), NumStacks,
          StackBytes, checksum(SegmentSection.substr(8)), checksum(MibSection),
          checksum(StackSection.substr(8, StackBytes))})
      put(Fields, Field, 8);
    Part = "tcchecks";
    put(Part, ChecksumVersion, 8);
    put(Part, Offset, 8);
    Sets = Fields;
    put(Sets, checksum(Header + Part + Fields), 8);
    Sets.resize(144);
  }
  return Header + Part + SegmentSection + MibSection + StackSection + Sets;
}

} // namespace thermocline::profile

#endif
