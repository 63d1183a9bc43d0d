//===- lto/link/LinkInputs.cpp - What else the link defines ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkInputs.h"
#include "LinkScripts.h"
#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/IRObjectFile.h"
#include "llvm/Object/IRSymtab.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;

namespace {

/// \p Name, of -l, in \p Directories; empty if it is in none.
std::string findLibrary(StringRef Name, ArrayRef<std::string> Directories,
                        bool OnlyStatic) {
  SmallVector<std::string, 2> FileNames;
  if (Name.consume_front(":")) {
    FileNames.push_back(Name.str());
  } else {
    if (!OnlyStatic)
      FileNames.push_back(("lib" + Name + ".so").str());
    FileNames.push_back(("lib" + Name + ".a").str());
  }
  for (StringRef Directory : Directories)
    for (StringRef FileName : FileNames) {
      SmallString<128> Path(Directory);
      sys::path::append(Path, FileName);
      if (sys::fs::exists(Path))
        return Path.str().str();
    }
  return "";
}

/// Told of each symbol that a file defines for others.
using SymbolVisitor = function_ref<void(StringRef)>;

/// Whether a file has the allocator of a Rust program's own, for which rustc
/// has had no symbol since 1.95: the file defines what all memory comes from,
/// and does not ask Rust's default for it.
class OwnRustAllocator {
public:
  void see(StringRef Symbol, bool IsDefined) {
    AsksDefault |= isRustDefaultAllocator(Symbol);
    if (IsDefined && isRustAllocator(Symbol))
      Allocator = Symbol;
  }
  /// Tells \p Defines of the symbol that rustc had for it.
  void tell(SymbolVisitor Defines) const {
    if (!Allocator.empty() && !AsksDefault)
      Defines(rustOwnAllocator(Allocator));
  }

private:
  StringRef Allocator;
  bool AsksDefault = false;
};

void addSymbols(const object::ELFObjectFileBase &File, SymbolVisitor Defines) {
  OwnRustAllocator Own;
  auto Add = [&](object::ELFSymbolRef Symbol) {
    Expected<uint32_t> Flags = Symbol.getFlags();
    Expected<StringRef> Name = Symbol.getName();
    if (!Flags || !Name) {
      consumeError(Flags.takeError());
      consumeError(Name.takeError());
      return;
    }
    constexpr uint32_t Global =
        object::SymbolRef::SF_Global | object::SymbolRef::SF_Weak;
    const bool IsDefined =
        *Flags & Global && !(*Flags & object::SymbolRef::SF_Undefined);
    if (IsDefined)
      Defines(*Name);
    Own.see(*Name, IsDefined);
  };
  if (File.getEType() != ELF::ET_DYN) {
    for (object::ELFSymbolRef Symbol : File.symbols())
      Add(Symbol);
    return Own.tell(Defines);
  }
  // In the order of the symbols. A version that is not the default one is not
  // reached by the name alone.
  auto Versions = File.readDynsymVersions();
  if (!Versions)
    return consumeError(Versions.takeError());
  size_t Index = 0;
  for (object::ELFSymbolRef Symbol : File.getDynamicSymbolIterators()) {
    const object::VersionEntry *Version =
        Index < Versions->size() ? &(*Versions)[Index++] : nullptr;
    if (!Version || Version->Name.empty() || Version->IsVerDef)
      Add(Symbol);
  }
}

void addSymbols(MemoryBufferRef File, SymbolVisitor Defines);

void addMembers(MemoryBufferRef File, SymbolVisitor Defines) {
  auto Opened = object::Archive::create(File);
  if (!Opened)
    return consumeError(Opened.takeError());
  Error Problem = Error::success();
  for (const object::Archive::Child &Member : (*Opened)->children(Problem)) {
    auto Contents = Member.getMemoryBufferRef();
    if (Contents)
      addSymbols(*Contents, Defines);
    else
      consumeError(Contents.takeError());
  }
  consumeError(std::move(Problem));
}

/// Adds the symbols that an object, a shared library or bitcode defines.
void addSymbols(MemoryBufferRef File, SymbolVisitor Defines) {
  switch (identify_magic(File.getBuffer())) {
  case file_magic::elf_relocatable:
  case file_magic::elf_shared_object:
    if (auto Opened = object::ObjectFile::createELFObjectFile(File))
      addSymbols(cast<object::ELFObjectFileBase>(**Opened), Defines);
    else
      consumeError(Opened.takeError());
    return;
  case file_magic::bitcode:
    if (auto Opened = object::readIRSymtab(File)) {
      OwnRustAllocator Own;
      for (const irsymtab::Reader::SymbolRef &Symbol :
           Opened->TheReader.symbols()) {
        if (!Symbol.isUndefined())
          Defines(Symbol.getName());
        Own.see(Symbol.getName(), !Symbol.isUndefined());
      }
      Own.tell(Defines);
    } else {
      consumeError(Opened.takeError());
    }
    return;
  default:
    return;
  }
}

void addSymbolsOf(MemoryBufferRef File, SymbolVisitor Defines) {
  if (identify_magic(File.getBuffer()) == file_magic::archive)
    addMembers(File, Defines);
  else
    addSymbols(File, Defines);
}

/// Whether its operators are those that a program has without its doing: of the
/// C++ library, of Thermocline, or of a shared library, behind the allocator's.
bool bringsNoOwnOperators(StringRef Path, MemoryBufferRef Contents) {
  const StringRef Name = sys::path::filename(Path);
  return Name.starts_with("libthermocline_") ||
         is_contained({"libstdc++.a", "libsupc++.a", "libc++.a", "libc++abi.a"},
                      Name) ||
         identify_magic(Contents.getBuffer()) == file_magic::elf_shared_object;
}

using FunctionFiles = std::unordered_map<GlobalValue::GUID, FunctionInFile>;

/// Adds the functions of an object or a shared library that is called \p Name.
void addFunctions(MemoryBufferRef Contents, StringRef Name,
                  FunctionFiles &Functions) {
  auto Opened = object::ObjectFile::createELFObjectFile(Contents);
  if (!Opened)
    return consumeError(Opened.takeError());
  const auto &File = cast<object::ELFObjectFileBase>(**Opened);
  auto Add = [&](object::ELFSymbolRef Symbol) {
    Expected<StringRef> SymbolName = Symbol.getName();
    Expected<uint32_t> Flags = Symbol.getFlags();
    if (SymbolName && Flags && !(*Flags & object::SymbolRef::SF_Undefined) &&
        is_contained({ELF::STT_FUNC, ELF::STT_GNU_IFUNC}, Symbol.getELFType()))
      Functions.try_emplace(thermocline::profile::sourceGUID(*SymbolName),
                            FunctionInFile{Name.str(), SymbolName->str()});
    consumeError(SymbolName.takeError());
    consumeError(Flags.takeError());
  };
  for (object::ELFSymbolRef Symbol : File.symbols())
    Add(Symbol);
  for (object::ELFSymbolRef Symbol : File.getDynamicSymbolIterators())
    Add(Symbol);
}

void addFunctionsOf(StringRef Path, MemoryBufferRef Contents,
                    FunctionFiles &Functions) {
  auto IsMachineCode = [](MemoryBufferRef File) {
    return is_contained(
        {file_magic::elf_relocatable, file_magic::elf_shared_object},
        identify_magic(File.getBuffer()));
  };
  if (IsMachineCode(Contents))
    return addFunctions(Contents, Path, Functions);
  if (identify_magic(Contents.getBuffer()) != file_magic::archive)
    return;
  auto Archive = object::Archive::create(Contents);
  if (!Archive)
    return consumeError(Archive.takeError());
  Error Problem = Error::success();
  for (const object::Archive::Child &Member : (*Archive)->children(Problem)) {
    auto MemberContents = Member.getMemoryBufferRef();
    Expected<StringRef> Name = Member.getName();
    if (MemberContents && Name && IsMachineCode(*MemberContents))
      addFunctions(*MemberContents, (Path + "(" + *Name + ")").str(),
                   Functions);
    consumeError(MemberContents.takeError());
    consumeError(Name.takeError());
  }
  consumeError(std::move(Problem));
}

} // namespace

/// The script that an option names; empty if it names none.
static StringRef scriptOf(const LinkArgument &Argument) {
  if (Argument.isAny({"T", "script", "dT", "default-script"}))
    return Argument.Value;
  // `-Tx.lds`, but not `-Ttext=0`.
  StringRef Name = Argument.Name;
  const bool IsAttached =
      Name.consume_front("T") && !Argument.HasValue && Name.contains('.');
  return IsAttached ? Name : StringRef();
}

LinkInputs LinkInputs::find(ArrayRef<LinkArgument> Line) {
  LinkInputs Result;
  std::vector<std::pair<std::string, /*OnlyStatic=*/bool>> Libraries;
  bool IsBinary = false;
  // What --push-state saves.
  SmallVector<bool, 2> WereOnlyStatic;
  for (const LinkArgument &Argument : Line) {
    // A directory may be given after the libraries that are in it.
    if (Argument.isAny({"l", "library"}))
      Libraries.push_back({Argument.Value.str(), Result.OnlyStatic});
    else if (Argument.isAny({"L", "library-path"}))
      Result.Directories.push_back(Argument.Value.str());
    else if (Argument.Name == "sysroot")
      Result.Sysroot = Argument.Value.str();
    else if (Argument.Name == "just-symbols")
      Result.Files.push_back(Argument.Value.str());
    else if (Argument.isAny({"format", "b"}))
      IsBinary = Argument.Value == "binary";
    else if (Argument.isAny({"Bstatic", "dn", "non_shared", "static"}))
      Result.OnlyStatic = true;
    else if (Argument.isAny({"Bdynamic", "dy", "call_shared"}))
      Result.OnlyStatic = false;
    else if (Argument.Name == "push-state")
      WereOnlyStatic.push_back(Result.OnlyStatic);
    else if (Argument.Name == "pop-state")
      Result.OnlyStatic =
          !WereOnlyStatic.empty() && WereOnlyStatic.pop_back_val();
    else if (Argument.isInput() && !IsBinary)
      Result.Files.push_back(Argument.Value.str());
    else if (StringRef Script = scriptOf(Argument); !Script.empty())
      Result.Scripts.push_back(Script.str());
  }
  for (std::string &Directory : Result.Directories) {
    StringRef Rest = Directory;
    if (Rest.consume_front("=") || Rest.consume_front("$SYSROOT"))
      Directory = (Result.Sysroot + Rest).str();
  }
  for (const auto &[Name, Static] : Libraries)
    if (std::string File = findLibrary(Name, Result.Directories, Static);
        !File.empty())
      Result.Files.push_back(std::move(File));
  return Result;
}

std::string LinkInputs::findNamed(StringRef Name, StringRef Script) const {
  if (Name.consume_front("-l"))
    return findLibrary(Name, Directories, OnlyStatic);
  const auto Under = [](StringRef Directory, StringRef File) {
    SmallString<128> Path(Directory);
    sys::path::append(Path, File);
    return Path.str().str();
  };
  const bool IsOfSysroot = !Sysroot.empty() && Script.starts_with(Sysroot);
  if (Name.consume_front("=") || Name.consume_front("$SYSROOT") ||
      (IsOfSysroot && sys::path::is_absolute(Name)))
    return Under(Sysroot, Name);
  if (sys::path::is_absolute(Name))
    return Name.str();
  SmallVector<StringRef, 8> Bases = {sys::path::parent_path(Script), ""};
  append_range(Bases, Directories);
  for (StringRef Base : Bases)
    if (std::string Path = Under(Base, Name); sys::fs::exists(Path))
      return Path;
  return "";
}

std::vector<std::string> LinkInputs::filesWithThoseOfScripts() const {
  std::vector<std::string> Result = Files;
  StringSet<> Known(llvm::from_range, Files);
  forEachContents([&](StringRef Path, MemoryBufferRef) {
    if (Known.insert(Path).second)
      Result.push_back(Path.str());
  });
  return Result;
}

std::vector<std::string> LinkInputs::namesAssigned() const {
  std::vector<std::string> Result;
  forEachContents([&](StringRef, MemoryBufferRef Contents) {
    if (isScript(Contents.getBuffer()))
      for (StringRef Name : namesAssignedIn(Contents.getBuffer()))
        Result.push_back(Name.str());
  });
  llvm::sort(Result);
  Result.erase(llvm::unique(Result), Result.end());
  return Result;
}

void LinkInputs::forEachContents(
    function_ref<void(StringRef, MemoryBufferRef)> Look) const {
  // The next one is the last.
  std::vector<std::string> Worklist, Given = Files;
  append_range(Given, Scripts);
  // Linkers look for scripts where libraries are, too.
  for (const std::string &File : reverse(Given))
    if (std::string Path = findNamed(File, /*Script=*/""); !Path.empty())
      Worklist.push_back(std::move(Path));
  StringSet<> Named;
  while (!Worklist.empty()) {
    const std::string Path = std::move(Worklist.back());
    Worklist.pop_back();
    // A stream is the linker's to read.
    if (!sys::fs::is_regular_file(Path))
      continue;
    auto Contents = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
    if (!Contents)
      continue;
    Look(Path, **Contents);
    if (!isScript((*Contents)->getBuffer()))
      continue;
    const std::vector<StringRef> Names =
        inputsNamedIn((*Contents)->getBuffer());
    for (StringRef Name : reverse(Names))
      if (std::string File = findNamed(Name, Path);
          !File.empty() && Named.insert(File).second)
        Worklist.push_back(std::move(File));
  }
}

bool LinkInputs::defines(StringRef Symbol) {
  if (!Defined) {
    Defined.emplace();
    forEachContents([&](StringRef, MemoryBufferRef Contents) {
      addSymbolsOf(Contents, [&](StringRef Name) { Defined->insert(Name); });
    });
  }
  return Defined->contains(Symbol);
}

void OwnOperators::add(StringRef Symbol, StringRef Where) {
  const bool IsOperator =
      any_of(ArrayRef<StringRef>{"_Znw", "_Zna", "_Zdl", "_Zda"},
             [&](StringRef Prefix) { return Symbol.starts_with(Prefix); });
  if (!IsOperator)
    return;
  std::string &First = Symbol.contains("align_val_t") ? Aligned : Plain;
  if (First.empty())
    First = Where.str();
}

OwnOperators LinkInputs::ownOperators() const {
  // Another allocator that takes hints has those with a hint as well, and what
  // hinted calls reach is these.
  OwnOperators Result, Hinted;
  forEachContents([&](StringRef Path, MemoryBufferRef Contents) {
    if (!bringsNoOwnOperators(Path, Contents))
      addSymbolsOf(Contents, [&](StringRef Name) {
        (Name.contains("__hot_cold_t") ? Hinted : Result).add(Name, Path);
      });
  });
  if (!Hinted.Plain.empty())
    Result.Plain.clear();
  if (!Hinted.Aligned.empty())
    Result.Aligned.clear();
  return Result;
}

FunctionInFile LinkInputs::machineCode(GlobalValue::GUID Function) {
  if (!Functions) {
    Functions.emplace();
    forEachContents([&](StringRef Path, MemoryBufferRef Contents) {
      // What Thermocline defines stands before what it calls.
      if (!sys::path::filename(Path).starts_with("libthermocline_"))
        addFunctionsOf(Path, Contents, *Functions);
    });
  }
  auto Known = Functions->find(Function);
  return Known == Functions->end() ? FunctionInFile() : Known->second;
}
