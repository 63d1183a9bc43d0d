//===- lto/link/AllocatorLink.cpp - Thermocline's libraries in a link -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AllocatorLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline::lto;

static constexpr StringLiteral HintsName = "libthermocline_hints.a";
static constexpr StringLiteral ArchiveName = "libthermocline_alloc.a";

/// The name of the file that \p Argument names as an input or by -l:.
static StringRef fileName(const LinkArgument &Argument) {
  StringRef Path = Argument.Value;
  const bool IsFile =
      Argument.isInput() || (Argument.Name == "l" && Path.consume_front(":"));
  return IsFile ? sys::path::filename(Path) : "";
}

static bool isFile(const LinkArgument &Argument, StringRef Name) {
  return fileName(Argument) == Name;
}

/// Whether it is the allocator as a shared library, with or without a version.
static bool isSharedAllocator(const LinkArgument &Argument) {
  StringRef Name = fileName(Argument);
  return Name.consume_front("libthermocline_alloc.so") &&
         (Name.empty() || Name.starts_with("."));
}

static constexpr StringRef ObjectOptions[] = {"r", "relocatable"};
static constexpr StringRef LibraryOptions[] = {"shared", "Bshareable"};

/// Whether it is the allocator by its name for -l, which may be either.
static bool isAllocatorByName(const LinkArgument &Argument) {
  return Argument.isAny({"l", "library"}) &&
         Argument.Value == "thermocline_alloc";
}

static bool isAllocator(const LinkArgument &Argument) {
  return isFile(Argument, ArchiveName) || isSharedAllocator(Argument) ||
         isAllocatorByName(Argument);
}

static bool hasAny(ArrayRef<LinkArgument> Line, ArrayRef<StringRef> Names) {
  return any_of(Line, [&](const LinkArgument &Argument) {
    return Argument.isAny(Names);
  });
}

static bool hasArchive(ArrayRef<LinkArgument> Line) {
  return any_of(Line, [](const LinkArgument &Argument) {
    return isFile(Argument, ArchiveName);
  });
}

/// Whether a name that may end with a wildcard is one of malloc's.
static bool matchesMalloc(StringRef Pattern) {
  return Pattern.consume_back("*") ? StringRef("malloc").starts_with(Pattern)
                                   : Pattern == "malloc";
}

/// Whether a version script makes all local but names that malloc is not of.
static bool hidesMalloc(StringRef Script) {
  bool InLocal = false, HidesAll = false, Exports = false;
  while (!Script.empty()) {
    if (Script.consume_front("/*")) {
      Script = Script.substr(Script.find("*/"))
                   .drop_front(Script.contains("*/") ? 2 : 0);
      continue;
    }
    StringRef Word = Script.take_until(
        [](char C) { return isSpace(C) || C == ';' || C == '{' || C == '}'; });
    Script = Script.drop_front(std::max<size_t>(Word.size(), 1));
    if (Word.starts_with("#"))
      Script = Script.drop_until([](char C) { return C == '\n'; });
    else if (Word.consume_front("local:"))
      InLocal = true;
    else if (Word.consume_front("global:"))
      InLocal = false;
    if (InLocal)
      HidesAll |= Word == "*";
    else
      Exports |= !Word.empty() && matchesMalloc(Word);
  }
  return HidesAll && !Exports;
}

static bool hidesMallocIn(StringRef File) {
  auto Text = MemoryBuffer::getFile(File);
  return Text && hidesMalloc((*Text)->getBuffer());
}

/// Whether a value of --exclude-libs is the allocator's archive, too.
static bool excludesArchive(StringRef Libraries) {
  SmallVector<StringRef, 4> Names;
  SplitString(Libraries, Names, ",:");
  return is_contained(Names, "ALL") || is_contained(Names, ArchiveName);
}

/// The shared allocator, if libc is named before it: then the loader finds
/// libc's malloc first. Empty if that is not so.
static StringRef allocatorBehindLibc(ArrayRef<LinkArgument> Line) {
  bool TakesArchives = false, HasLibc = false;
  for (const LinkArgument &Argument : Line) {
    if (Argument.isAny({"Bstatic", "dn", "non_shared"}))
      TakesArchives = true;
    else if (Argument.isAny({"Bdynamic", "dy", "call_shared"}))
      TakesArchives = false;
    else if (isAllocator(Argument) && !isFile(Argument, ArchiveName))
      return HasLibc && !(TakesArchives && Argument.isAny({"l", "library"}))
                 ? StringRef(Argument.Words.front())
                 : StringRef();
    else
      HasLibc |= (Argument.isAny({"l", "library"}) && Argument.Value == "c" &&
                  !TakesArchives) ||
                 isFile(Argument, "libc.so") || isFile(Argument, "libc.so.6");
  }
  return "";
}

std::vector<std::string>
thermocline::lto::problemsWithAllocator(ArrayRef<LinkArgument> Line) {
  std::vector<std::string> Problems;
  // Shared libraries with the archive the linkers refuse themselves, and what
  // is static has no libraries.
  if (!makesProgram(Line) || hasAny(Line, {"static"}))
    return Problems;
  if (StringRef Behind = allocatorBehindLibc(Line); !Behind.empty())
    Problems.push_back((Behind + ": comes after libc, whose malloc the program "
                                 "takes, so that nothing lands cold; name it "
                                 "before -lc")
                           .str());
  if (!hasArchive(Line))
    return Problems;
  for (const LinkArgument &Argument : Line)
    if (Argument.Name == "exclude-libs" ? excludesArchive(Argument.Value)
                                        : Argument.Name == "version-script" &&
                                              hidesMallocIn(Argument.Value))
      Problems.push_back(
          (ArchiveName + ": --" + Argument.Name + "=" + Argument.Value +
           " hides its malloc, so that libraries have another one and nothing "
           "lands cold; link libthermocline_alloc.so in its place")
              .str());
  return Problems;
}

bool thermocline::lto::makesProgram(ArrayRef<LinkArgument> Line) {
  return !hasAny(Line, ObjectOptions) && !hasAny(Line, LibraryOptions);
}

std::string thermocline::lto::archiveBesideHints(ArrayRef<LinkArgument> Line) {
  for (const LinkArgument &Argument : Line) {
    if (!isFile(Argument, HintsName))
      continue;
    SmallString<128> Path = sys::path::parent_path(Argument.Value);
    sys::path::append(Path, ArchiveName);
    SmallString<128> Real;
    if (!sys::fs::real_path(Path, Real))
      return Real.str().str();
  }
  return ArchiveName.str();
}

std::vector<std::string>
thermocline::lto::fitAllocator(std::vector<LinkArgument> &Line,
                               SmallVectorImpl<const char *> &Words) {
  const bool MakesObject = hasAny(Line, ObjectOptions);
  std::vector<std::string> Notes;
  if (!MakesObject && !hasAny(Line, LibraryOptions)) {
    if (!hasAny(Line, {"static"}) && hasArchive(Line))
      Words.push_back("--undefined=dlopen");
    return Notes;
  }
  erase_if(Line, [&](const LinkArgument &Argument) {
    if (isAllocator(Argument))
      Notes.push_back((Twine(Argument.Words.front()) + ": left out of " +
                       (MakesObject ? "an object" : "a shared library") +
                       "; give it to the link of the program")
                          .str());
    else if (!MakesObject || !isFile(Argument, HintsName))
      return false;
    erase_if(Words, [&](const char *Word) {
      return is_contained(Argument.Words, Word);
    });
    return true;
  });
  return Notes;
}
