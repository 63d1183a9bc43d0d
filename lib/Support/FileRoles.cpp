//===- Support/FileRoles.cpp - No output onto another file ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/FileRoles.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace thermocline;

std::string FileRoles::identityOf(StringRef Path) {
  if (Path.empty() || Path == "-")
    return "";
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status)) {
    if (Status.type() == sys::fs::file_type::character_file)
      return "";
    const sys::fs::UniqueID Id = Status.getUniqueID();
    return (Twine(Id.getDevice()) + ":" + Twine(Id.getFile())).str();
  }
  auto Target = OutputTarget::of(Path);
  if (!Target) {
    consumeError(Target.takeError());
    return "";
  }
  StringRef Directory = sys::path::parent_path(Target->Path);
  SmallString<256> Result;
  if (sys::fs::real_path(Directory.empty() ? "." : Directory, Result))
    Result = Directory;
  sys::path::append(Result, sys::path::filename(Target->Path));
  return Result.str().str();
}

void FileRoles::uses(StringRef Path, const Twine &Role) {
  if (std::string Identity = identityOf(Path); !Identity.empty())
    Used.try_emplace(Identity, Entry{Path.str(), Role.str(), Identity});
}

std::vector<std::string> FileRoles::givenTwice(ArrayRef<std::string> Paths) {
  std::vector<std::string> Result;
  StringMap<unsigned> Times;
  for (const std::string &Path : Paths)
    if (std::string Identity = identityOf(Path);
        !Identity.empty() && ++Times[Identity] == 2)
      Result.push_back(Path);
  return Result;
}

void FileRoles::writes(StringRef Path, const Twine &Role) {
  if (Path.empty() || Path == "-")
    return;
  Written.push_back({Path.str(), Role.str(), identityOf(Path)});
  if (const std::string &Identity = Written.back().Identity; !Identity.empty())
    FirstWritten.try_emplace(Identity, Written.size() - 1);
}

bool FileRoles::writesOntoElf() const {
  constexpr StringLiteral Magic("\177ELF");
  return any_of(Written, [&](const Entry &E) {
    if (!sys::fs::is_regular_file(E.Path))
      return false;
    auto Begin = MemoryBuffer::getFileSlice(E.Path, Magic.size(), 0);
    return Begin && (*Begin)->getBuffer() == Magic;
  });
}

bool FileRoles::usesIfWritten(StringRef Path, const Twine &Role) {
  std::string Identity = identityOf(Path);
  if (!FirstWritten.contains(Identity))
    return false;
  Used.try_emplace(Identity, Entry{Path.str(), Role.str(), Identity});
  return true;
}

void FileRoles::usesResponseFiles(ArrayRef<const char *> Arguments) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 64> Words(Arguments);
  StringSet<> Seen;
  for (size_t I = 0; I != Words.size(); ++I) {
    StringRef Path = Words[I];
    // A stream cannot be read again, nor written onto.
    if (!Path.consume_front("@") || !Seen.insert(Path).second ||
        !sys::fs::is_regular_file(Path))
      continue;
    auto Contents = MemoryBuffer::getFile(Path, /*IsText=*/true);
    // Then it is no response file.
    if (!Contents)
      continue;
    uses(Path, "a response file");
    cl::TokenizeGNUCommandLine((*Contents)->getBuffer(), Saver, Words);
  }
}

void FileRoles::usesWord(StringRef Word, StringRef Directory,
                         const Twine &Role) {
  auto Try = [&](StringRef Path) {
    if (usesIfWritten(Path, Role) || Directory.empty() ||
        sys::path::is_absolute(Path))
      return;
    SmallString<256> Inside(Directory);
    sys::path::append(Inside, Path);
    usesIfWritten(Inside, Role);
  };
  Try(Word);
  for (StringRef Rest = Word; Rest.contains('=');) {
    Rest = Rest.split('=').second;
    Try(Rest);
  }
  if (Word.size() > 2 && Word[0] == '-' && Word[1] != '-')
    Try(Word.drop_front(2));
}

void FileRoles::usesWords(StringRef Text, StringRef Directory,
                          const Twine &Role) {
  if (Written.empty())
    return;
  SmallVector<StringRef, 64> Words;
  SplitString(Text, Words, " \t\r\n\v\f\"'(),;");
  for (StringRef Word : Words)
    usesWord(Word, Directory, Role);
}

/// " (OTHER)" if that is another path of the file than \p Path.
static std::string spelled(StringRef Path, StringRef Other) {
  return Path == Other ? "" : (" (" + Other + ")").str();
}

Error FileRoles::check() const {
  for (const auto &[Position, E] : enumerate(Written)) {
    auto Is = [&E = E](const Entry &Other) {
      return fileError(E.Path, "is " + Other.Role +
                                   spelled(E.Path, Other.Path) +
                                   " as well as " + E.Role);
    };
    if (auto Found = Used.find(E.Identity); Found != Used.end())
      return Is(Found->second);
    if (auto Found = FirstWritten.find(E.Identity);
        Found != FirstWritten.end() && Found->second != Position)
      return Is(Written[Found->second]);
    auto Target = OutputTarget::of(E.Path);
    if (!Target)
      return Target.takeError();
    if (sys::fs::is_directory(Target->Path))
      return fileError(E.Path, "is a directory, and cannot be " + E.Role);
    StringRef Directory = sys::path::parent_path(Target->Path);
    if (!Target->IsOpenFile && !Directory.empty() &&
        !sys::fs::is_directory(Directory))
      return fileError(E.Path, "there is no directory " + Directory);
  }
  return Error::success();
}
