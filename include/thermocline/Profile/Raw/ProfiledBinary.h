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
// does, so that both give the same stack ids. The file is read by a process of
// its own, since it may be damaged (ReaderProcess).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_PROFILEDBINARY_H
#define THERMOCLINE_PROFILE_RAW_PROFILEDBINARY_H

#include "thermocline/Profile/CallTable.h"
#include "thermocline/Profile/DataTypes.h"
#include "thermocline/Profile/Program/BinaryFiles.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "thermocline/Profile/Raw/SymbolizedAddress.h"
#include "thermocline/Support/Message.h"
#include "thermocline/Support/ReaderProcess.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thermocline::profile {

enum class BinaryDetail : uint8_t;
enum class BinaryRequest : uint8_t;

class ProfiledBinary {
public:
  /// An error if \p File, whose build id is \p Id, is not an ELF executable or
  /// shared object. Its debug file is found as ProgramFile does. If reading it
  /// ends the process that does so, here or later, a warning says so, and it
  /// has no debug information, or, if its symbols do that as well, nothing. \p
  /// Process reads several, which \p Number tells apart.
  static llvm::Expected<std::unique_ptr<ProfiledBinary>>
  open(const ChosenBinary &File, llvm::ArrayRef<uint8_t> Id,
       llvm::ArrayRef<std::string> DebugDirectories, uint32_t Number,
       std::shared_ptr<ReaderProcess> Process);

  llvm::StringRef path() const { return File.Path; }
  /// The name of the file that the path leads to, without directory.
  llvm::StringRef name() const { return Name; }
  llvm::ArrayRef<uint8_t> id() const { return Id; }
  /// The name that LLVM's triples have for its architecture; empty if they have
  /// none, or it cannot be read.
  llvm::StringRef architecture() const { return Architecture; }
  /// Whether the program has line tables at all that can be read.
  bool hasDebugInfo() const { return HasDebugInfo; }
  /// Whether it has parts that cannot be read.
  bool isDamaged() const { return IsDamaged; }
  /// Problems of its debug file, as ProgramFile::problems().
  llvm::ArrayRef<std::string> debugFileProblems() const {
    return DebugFileProblems;
  }
  /// Files of split DWARF (.dwo) that the program names and that are neither
  /// there nor in its package. Reads the first entry of each unit.
  std::vector<std::string> missingDwoFiles();

  /// Sets the addresses at which \p Raw's process ran this binary. Returns
  /// whether it did. An error if the segments are not those of the file. To be
  /// called before symbolize, again for every raw profile.
  llvm::Expected<bool> locate(const RawProfile &Raw);

  /// Looks up those of \p Addresses of the located process that are in this
  /// binary, all at once, which is faster than to look up each.
  void prepare(llvm::ArrayRef<uint64_t> Addresses);
  void prepareLines(llvm::ArrayRef<uint64_t> Addresses);

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
  /// functions it exports. None if neither knows. The result stays valid until
  /// another call is looked up.
  llvm::ArrayRef<SourceLine> linesAt(uint64_t Address);

  /// Adds the calls that the source of its functions has, if the program tells
  /// them. The error, that this is damaged, names the file, and nothing is
  /// added.
  llvm::Error addCalls(CallTable &Calls);
  /// Does the same for the types that its calls allocate.
  llvm::Error addTypes(DataTypes &Types);

  /// Names of all functions that symbolize met.
  const FunctionNames &names() const { return Names; }

private:
  ProfiledBinary(const ChosenBinary &File, llvm::ArrayRef<uint8_t> Id,
                 llvm::ArrayRef<std::string> DebugDirectories, uint32_t Number,
                 std::shared_ptr<ReaderProcess> Process);
  MessageWriter requestFor(BinaryRequest Kind) const;
  llvm::Error openReader();
  llvm::Expected<std::string> openedBy(BinaryDetail Wanted);
  /// Lets \p Take read the answer, again if it is not complete. If there is
  /// none, less is read from now on. False if nothing can be read.
  bool ask(const std::string &Request,
           llvm::function_ref<bool(MessageReader &)> Take);
  /// Reads less from now on, because of \p Damage.
  void doWithout(llvm::Error Damage);
  /// Calls \p Add with each section \p Name.
  llvm::Error
  forEachSection(llvm::StringRef Name,
                 llvm::function_ref<llvm::Error(llvm::StringRef)> Add);
  const Range *rangeOf(uint64_t Address) const;
  /// Enters addresses of the file into the cache.
  void lookUp(llvm::ArrayRef<uint64_t> InFile);
  bool readSymbolized(MessageReader &Reader, llvm::ArrayRef<uint64_t> InFile);
  void lookUpLines(llvm::ArrayRef<uint64_t> InFile);
  /// The id of the function \p Name, which was met for the first time.
  llvm::GlobalValue::GUID functionGUID(llvm::StringRef Name);

  ChosenBinary File;
  std::vector<std::string> DebugDirectories;
  std::string Name;
  std::string Architecture;
  BuildId Id;
  uint32_t Number;
  std::shared_ptr<ReaderProcess> Process;
  /// Which of its children has opened the file; 0 if none has.
  unsigned OpenedBy = 0;
  bool HasDebugInfo = false;
  bool IsDamaged = false;
  /// Reading it has ended the process without debug information as well.
  bool IsUnreadable = false;
  std::vector<std::string> DebugFileProblems;
  /// Addresses in the file of its executable segments.
  std::vector<uint64_t> ExecutableSegments;
  std::vector<Range> Ranges;
  /// By the address in the file. That comes from the profile, and a DenseMap
  /// reserves two keys: so keys have a second part, which is 0.
  llvm::DenseMap<std::pair<uint64_t, uint8_t>,
                 std::unique_ptr<SymbolizedAddress>>
      Cache;
  llvm::DenseMap<std::pair<uint64_t, uint8_t>, llvm::SmallVector<SourceLine, 2>>
      Lines;
  FunctionNames Names;
  /// The GUIDs of the functions that symbolize met, in the order of the child.
  std::vector<llvm::GlobalValue::GUID> GUIDs;
};

} // namespace thermocline::profile

#endif
