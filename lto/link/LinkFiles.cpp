//===- lto/link/LinkFiles.cpp - What a link reads and writes --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkFiles.h"
#include "options/LinkOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;

/// Options whose value, in the next word, is the name of something else.
static constexpr StringLiteral NamesNoFile[] = {
    "defsym", "e", "entry",  "fini",      "h",    "init", "m",
    "rpath",  "u", "soname", "undefined", "wrap", "z"};

/// More is no script that a person wrote.
static constexpr uint64_t MaxScriptSize = 1 << 20;

/// \p Word as an option, without what hands it on to LTO.
static StringRef optionOf(StringRef Word) {
  Word = Word.ltrim('-');
  if (Word.consume_front("plugin-opt=") || Word.consume_front("mllvm="))
    Word = Word.ltrim('-');
  return Word;
}

static bool isOurOutput(StringRef Name) {
  return any_of(linkerOptions(), [&](const cl::Option *O) {
    return onlyWrites(*O) && O->ArgStr == Name;
  });
}

/// The indexes that the link writes beside its modules.
static void enterIndexes(FileRoles &Files, ArrayRef<const char *> Words) {
  bool AnyIndex = false;
  StringRef Old, New;
  for (StringRef Word : Words) {
    auto [Name, Value] = optionOf(Word).split('=');
    AnyIndex |=
        Name == "thinlto-index-only" || Name == "thinlto-emit-index-files";
    if (Name == "thinlto-prefix-replace")
      std::tie(Old, New) = Value.split(';');
  }
  if (!AnyIndex)
    return;
  for (StringRef Word : Words) {
    if (Word.starts_with("-"))
      continue;
    StringRef Rest = Word;
    std::string Path =
        Rest.consume_front(Old) ? (New + Rest).str() : Word.str();
    for (StringRef Suffix : {".thinlto.bc", ".imports"})
      Files.usesWord((Path + Suffix).str(), "", "an index of the link");
  }
}

void thermocline::lto::enterLinkArguments(FileRoles &Files,
                                          ArrayRef<const char *> Arguments,
                                          ArrayRef<StringRef> OwnOutputs) {
  // Of each option the last one counts.
  std::map<StringRef, StringRef> Outputs;
  std::vector<StringRef> Others;
  for (size_t I = 0; I != Arguments.size(); ++I) {
    StringRef Word = Arguments[I];
    auto [Name, Value] = optionOf(Word).split('=');
    const bool HasValue = Word.contains('=');
    if (isOurOutput(Name)) {
      if (!HasValue && I + 1 != Arguments.size() &&
          StringRef(Arguments[I + 1]) == "-mllvm")
        ++I;
      if (!HasValue && I + 1 != Arguments.size())
        Value = Arguments[++I];
      Outputs[Name] = Value;
    } else if (is_contained(OwnOutputs, Name) ||
               (Word.starts_with("-") && is_contained(NamesNoFile, Name))) {
      I += !HasValue && Word.starts_with("-");
    } else {
      Others.push_back(Word);
    }
  }
  for (auto [Name, Value] : Outputs)
    Files.writes(Value, "the file of --" + Name);
  for (StringRef Word : Others)
    Files.usesWord(Word, "",
                   Word.starts_with("-") ? "the file of '" + Word + "'"
                                         : Twine("a file of the link"));
  enterIndexes(Files, Arguments);
}

void thermocline::lto::enterLinkInput(FileRoles &Files, StringRef Path) {
  Files.uses(Path, "a file of the link");
  // A stream is the linker's to read.
  if (!sys::fs::is_regular_file(Path))
    return;
  auto Contents = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
  if (!Contents)
    return;
  StringRef Text = (*Contents)->getBuffer();
  if (Text.starts_with(object::ThinArchiveMagic)) {
    auto Archive = object::Archive::create(**Contents);
    if (!Archive)
      return consumeError(Archive.takeError());
    Error Problem = Error::success();
    for (const object::Archive::Child &Member : (*Archive)->children(Problem)) {
      if (auto Name = Member.getFullName())
        Files.uses(*Name, "a member of " + Path);
      else
        consumeError(Name.takeError());
    }
    return consumeError(std::move(Problem));
  }
  if (identify_magic(Text) == file_magic::unknown &&
      Text.size() <= MaxScriptSize && !Text.contains('\0'))
    Files.usesWords(Text, sys::path::parent_path(Path), "named in " + Path);
}
