//===- lto/link/AllocatorLink.cpp - Thermocline's libraries in a link -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AllocatorLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline::lto;

static constexpr StringLiteral HintsName = "libthermocline_hints.a";
static constexpr StringLiteral ArchiveName = "libthermocline_alloc.a";

static bool isFile(StringRef Argument, StringRef Name) {
  Argument.consume_front("-l:");
  return sys::path::filename(Argument) == Name;
}

static bool isOption(StringRef Argument, ArrayRef<StringRef> Names) {
  return (Argument.consume_front("--") || Argument.consume_front("-")) &&
         is_contained(Names, Argument);
}

static constexpr StringRef ObjectOptions[] = {"r", "relocatable"};
static constexpr StringRef LibraryOptions[] = {"shared", "Bshareable"};

static bool isAllocator(StringRef Argument) {
  return isFile(Argument, ArchiveName) ||
         isFile(Argument, "libthermocline_alloc.so") ||
         Argument == "-lthermocline_alloc";
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
static StringRef allocatorBehindLibc(ArrayRef<StringRef> Arguments) {
  bool TakesArchives = false, HasLibc = false;
  for (StringRef Argument : Arguments) {
    if (isOption(Argument, {"Bstatic", "dn", "non_shared"}))
      TakesArchives = true;
    else if (isOption(Argument, {"Bdynamic", "dy", "call_shared"}))
      TakesArchives = false;
    else if (isAllocator(Argument) && !isFile(Argument, ArchiveName))
      return HasLibc && !(TakesArchives && Argument.starts_with("-l"))
                 ? Argument
                 : StringRef();
    else
      HasLibc |= (Argument == "-lc" && !TakesArchives) ||
                 isFile(Argument, "libc.so") || isFile(Argument, "libc.so.6");
  }
  return "";
}

std::vector<std::string>
thermocline::lto::problemsWithAllocator(ArrayRef<StringRef> Arguments) {
  auto HasAllocator = [](StringRef Argument) {
    return isFile(Argument, ArchiveName);
  };
  // Shared libraries with the archive the linkers refuse themselves, and what
  // is static has no libraries.
  auto MakesOther = [](StringRef Argument) {
    return isOption(Argument,
                    {"r", "relocatable", "shared", "Bshareable", "static"});
  };
  std::vector<std::string> Problems;
  if (any_of(Arguments, MakesOther))
    return Problems;
  if (StringRef Behind = allocatorBehindLibc(Arguments); !Behind.empty())
    Problems.push_back((Behind + ": comes after libc, whose malloc the program "
                                 "takes, so that nothing lands cold; name it "
                                 "before -lc")
                           .str());
  if (none_of(Arguments, HasAllocator))
    return Problems;
  for (size_t I = 0; I != Arguments.size(); ++I) {
    StringRef Option = Arguments[I];
    if (!Option.consume_front("--") && !Option.consume_front("-"))
      continue;
    auto [Name, Value] = Option.split('=');
    if (!is_contained({"exclude-libs", "version-script"}, Name))
      continue;
    if (!Option.contains('=') && I + 1 != Arguments.size())
      Value = Arguments[++I];
    if (Name == "exclude-libs" ? excludesArchive(Value) : hidesMallocIn(Value))
      Problems.push_back(
          (ArchiveName + ": --" + Name + "=" + Value +
           " hides its malloc, so that libraries have another one and nothing "
           "lands cold; link libthermocline_alloc.so in its place")
              .str());
  }
  return Problems;
}

std::vector<std::string>
thermocline::lto::fitAllocator(SmallVectorImpl<const char *> &Arguments) {
  auto IsAny = [&](ArrayRef<StringRef> Names) {
    return any_of(Arguments, [&](StringRef Argument) {
      return isOption(Argument, Names);
    });
  };
  bool MakesObject = IsAny(ObjectOptions);
  std::vector<std::string> Notes;
  if (!MakesObject && !IsAny(LibraryOptions)) {
    auto HasArchive = [](StringRef Argument) {
      return isFile(Argument, ArchiveName);
    };
    if (!IsAny({"static"}) && any_of(Arguments, HasArchive))
      Arguments.push_back("--undefined=dlopen");
    return Notes;
  }
  erase_if(Arguments, [&](StringRef Argument) {
    if (!isAllocator(Argument))
      return MakesObject && isFile(Argument, HintsName);
    Notes.push_back((Argument + ": left out of " +
                     (MakesObject ? "an object" : "a shared library") +
                     "; give it to the link of the program")
                        .str());
    return true;
  });
  return Notes;
}
