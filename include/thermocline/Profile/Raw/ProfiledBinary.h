//===- Profile/Raw/ProfiledBinary.h - From addresses to frames --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A binary of the process that was profiled, the program or a library: an ELF
// file with debug information. Turns the addresses of a raw profile into the
// frames of an indexed one, inlined calls expanded, exactly as LLVM's reader
// does, so that both give the same stack ids.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_PROFILEDBINARY_H
#define THERMOCLINE_PROFILE_RAW_PROFILEDBINARY_H

#include "thermocline/Profile/CallTable.h"
#include "thermocline/Profile/DataTypes.h"
#include "thermocline/Profile/Program/BinaryFiles.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/Program/ImportedCalls.h"
#include "thermocline/Profile/Program/ProgramFile.h"
#include "thermocline/Profile/Program/SourceFrames.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/DebugInfo/Symbolize/SymbolizableModule.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thermocline::profile {

/// What became of one address.
enum class AddressKind : uint8_t {
  /// The address is in a binary that is known, and has frames.
  Program,
  /// It is in such a binary, but the debug information does not cover it.
  NoDebugInfo,
  /// It is in the profiling runtime.
  Runtime,
  /// It is in a function of libthermocline_hints, which the program called for
  /// cold memory.
  ColdFunction,
  /// It is in another object: a shared library, the vdso.
  OtherObject,
  /// It was in several objects, one after the other.
  SeveralObjects,
};

struct SymbolizedAddress {
  AddressKind Kind = AddressKind::OtherObject;
  /// The call is of a function of another object that is no allocation
  /// function, as far as that is known.
  bool CallsOtherObject = false;
  /// Innermost inlined call first; only the last is not inlined.
  llvm::SmallVector<llvm::memprof::Frame, 2> Frames;
  /// For NoDebugInfo, the function by the symbol table; may be unknown.
  std::string Symbol;
};

/// A line of the source, in a function. Lines are 0 and the file empty if they
/// are not known.
struct SourceLine {
  /// The linkage name.
  std::string Function;
  std::string File;
  uint32_t Line = 0;
  uint32_t Column = 0;
  /// Where the function begins.
  uint32_t StartLine = 0;
};

class ProfiledBinary {
public:
  /// An error if \p File is not an ELF executable or shared object with a build
  /// id. Its debug file is found as ProgramFile does.
  static llvm::Expected<std::unique_ptr<ProfiledBinary>>
  open(const ChosenBinary &File, llvm::ArrayRef<std::string> DebugDirectories);

  llvm::StringRef path() const { return Path; }
  /// The name of the file that the path leads to, without directory.
  llvm::StringRef name() const { return Name; }
  llvm::ArrayRef<uint8_t> id() const { return Id; }
  /// Whether the program has line tables at all.
  bool hasDebugInfo() const { return File->hasDebugInfo(); }
  /// Problems of its debug file, as ProgramFile::problems().
  llvm::ArrayRef<std::string> debugFileProblems() const {
    return File->problems();
  }
  /// Files of split DWARF (.dwo) that the program names and that are neither
  /// there nor in its package. Reads the first entry of each unit.
  std::vector<std::string> missingDwoFiles() const;

  /// Sets the addresses at which \p Raw's process ran this binary. Returns
  /// whether it did. An error if the segments are not those of the file. To be
  /// called before symbolize, again for every raw profile.
  llvm::Expected<bool> locate(const RawProfile &Raw);

  /// The frames of the call at \p Address of the located process. They are
  /// looked up once, in however many processes the call is. The result stays
  /// valid.
  const SymbolizedAddress &symbolize(uint64_t Address);

  struct Range {
    uint64_t Begin = 0;
    uint64_t End = 0;
    /// The difference that turns an address of the process into one of the
    /// file.
    uint64_t ToFile = 0;
  };
  /// Where the located process ran it.
  llvm::ArrayRef<Range> ranges() const { return Ranges; }
  /// The source of the call at \p Address, which this binary contains,
  /// innermost inlined function first: from debug information, or else, only
  /// the name, from the symbol table, in a stripped library that of the
  /// functions it exports. None if neither knows.
  llvm::SmallVector<SourceLine, 2> linesAt(uint64_t Address) const;

  /// Adds the calls that the source of its functions has, if the program tells
  /// them. The error, that this is damaged, names the file.
  llvm::Error addCalls(CallTable &Calls) const;
  /// Does the same for the types that its calls allocate.
  llvm::Error addTypes(DataTypes &Types) const;

  /// Names of all functions that symbolize met.
  const FunctionNames &names() const { return Names; }

private:
  /// Calls \p Add with each section \p Name.
  llvm::Error
  forEachSection(llvm::StringRef Name,
                 llvm::function_ref<llvm::Error(llvm::StringRef)> Add) const;
  ProfiledBinary() = default;
  const Range *rangeOf(uint64_t Address) const;
  /// The id of a function, given a name that SourceFrames told.
  llvm::GlobalValue::GUID functionGUID(const char *Name);

  std::string Path, Name;
  std::optional<ProgramFile> File;
  /// Refers to File.
  std::unique_ptr<llvm::symbolize::SymbolizableModule> Symbolizer;
  /// Knows the symbol table alone.
  std::unique_ptr<llvm::symbolize::SymbolizableModule> Symbols;
  /// Refers to what Symbolizer owns.
  std::unique_ptr<SourceFrames> Source;
  std::unique_ptr<ImportedCalls> Imported;
  BuildId Id;
  /// Addresses in the file of its executable segments.
  std::vector<uint64_t> ExecutableSegments;
  std::vector<Range> Ranges;
  /// By the address in the file. That comes from the profile, and a DenseMap
  /// reserves two keys: so keys have a second part, which is 0.
  llvm::DenseMap<std::pair<uint64_t, uint8_t>,
                 std::unique_ptr<SymbolizedAddress>>
      Cache;
  FunctionNames Names;
  /// By the place of the name in the debug information.
  llvm::DenseMap<const char *, llvm::GlobalValue::GUID> GUIDs;
};

} // namespace thermocline::profile

#endif
