//===- Program/SourceFrames.h - Frames of the source by address -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: LLVM's DWARFContext tells the frames of an address, too. Once it is
// asked for a unit, it lays out all code of that by address, down to each
// inlined call, and for each address it reads names and files anew. That was a
// quarter of the time of a merge, although a profile has calls in few of the
// functions of a unit.
//
// So a unit is laid out by its functions here, and a function by its inlined
// calls once an address in it is asked for. What an entry says is read once.
//
// Invariant: frames are those that DWARFContext::getInliningInfoForAddress
// tells, as long as what is inlined lies inside what it is inlined into, and
// no two functions have the same code. If they have, as linkers fold them, the
// last one counts with all that is inlined into it; LLVM mixes the two.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_PROGRAM_SOURCEFRAMES_H
#define THERMOCLINE_PROFILE_PROGRAM_SOURCEFRAMES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include <cstdint>
#include <string>
#include <vector>

namespace thermocline::profile {

struct SourceFrame {
  /// The linkage name, which lives as long as the debug information, or
  /// DILineInfo::BadString.
  const char *Function = nullptr;
  uint32_t Line = 0;
  uint32_t Column = 0;
  /// Where the function begins.
  uint32_t StartLine = 0;
  /// Whether the call has no line, or no column where others have: the compiler
  /// made it of several. Functions that the compiler made have no lines anyway.
  bool IsMerged = false;
};

/// What a line table says of an address besides.
struct SourcePlace {
  /// The file of the innermost function, as the line table names it.
  std::string File;
  /// Whether native code is called there through a pointer
  /// (Format/NativeCalls.h).
  bool CallsNative = false;
};

class SourceFrames {
public:
  /// \p Context must outlive this object.
  explicit SourceFrames(llvm::DWARFContext &Context) : Context(Context) {}

  /// The frames at \p Address of the file, innermost inlined function first;
  /// none if no function with debug information is there.
  llvm::SmallVector<SourceFrame, 4> at(uint64_t Address, SourcePlace &Place);

  /// Whether there is a unit for \p Address whose entries cannot be read. LLVM
  /// must not be asked about that: it takes for granted that they can.
  bool isDamagedAt(uint64_t Address);

  /// How many functions of Rust, of those that were inlined where at() was
  /// asked, have no linkage name: rustc's line tables alone do not have them.
  size_t numRustWithoutNames() const { return RustWithoutNames; }

private:
  using Entry = const llvm::DWARFDebugInfoEntry *;
  /// Code of a function, or of one that is inlined.
  struct Code {
    uint64_t Begin = 0;
    uint64_t End = 0;
    Entry Die = nullptr;

    bool contains(uint64_t Address) const {
      return Begin <= Address && Address < End;
    }
  };
  /// A compile unit that was asked for.
  struct Unit {
    /// The unit itself, or, of split DWARF, that in the other file. Null if it
    /// cannot be read; then there are no functions.
    llvm::DWARFUnit *Entries = nullptr;
    /// Null if it has none.
    const llvm::DWARFDebugLine::LineTable *Lines = nullptr;
    bool HasColumns = false;
    /// By address.
    std::vector<Code> Functions;
  };
  /// What the entry of a function, or of an inlined one, says.
  struct Subroutine {
    const char *Name = nullptr;
    uint32_t StartLine = 0;
    /// It has a short name: thunks, and what makes globals, do not.
    bool IsOfSource = false;
    /// Where it was inlined.
    uint32_t CallLine = 0;
    uint32_t CallColumn = 0;
    /// What it was inlined into; invalid if it is not inlined.
    llvm::DWARFDie Caller;
  };

  const Unit &unitOf(llvm::DWARFCompileUnit &CU);
  /// The innermost function at \p Address, which may be inlined; invalid if
  /// there is none.
  llvm::DWARFDie innermostAt(const Unit &U, uint64_t Address);
  const Subroutine &subroutine(llvm::DWARFDie Die);
  void countName(llvm::DWARFDie Inlined);

  llvm::DWARFContext &Context;
  size_t RustWithoutNames = 0;
  llvm::DenseMap<const llvm::DWARFUnit *, Unit> Units;
  /// By function, what is inlined into it: what contains comes before what is
  /// contained.
  llvm::DenseMap<Entry, std::vector<Code>> Inlined;
  llvm::DenseMap<Entry, Subroutine> Subroutines;
};

} // namespace thermocline::profile

#endif
