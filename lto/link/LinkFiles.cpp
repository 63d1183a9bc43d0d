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
static constexpr StringRef NamesNoFile[] = {
    "defsym", "e", "entry",  "fini",      "h",    "init", "m",
    "rpath",  "u", "soname", "undefined", "wrap", "z"};

/// More is no script that a person wrote.
static constexpr uint64_t MaxScriptSize = 1 << 20;

/// The option that \p Argument hands on to LTO, or itself: its name and value.
static std::pair<StringRef, StringRef> optionOf(const LinkArgument &Argument) {
  if (!Argument.isAny({"plugin-opt", "mllvm"}))
    return {Argument.Name, Argument.Value};
  return Argument.Value.ltrim('-').split('=');
}

static bool isOurOutput(StringRef Name) {
  return any_of(linkerOptions(), [&](const cl::Option *O) {
    return onlyWrites(*O) && O->ArgStr == Name;
  });
}

/// The indexes that the link writes beside its modules.
static void enterIndexes(FileRoles &Files, ArrayRef<LinkArgument> Line) {
  bool AnyIndex = false;
  StringRef Old, New;
  for (const LinkArgument &Argument : Line) {
    auto [Name, Value] = optionOf(Argument);
    AnyIndex |=
        Name == "thinlto-index-only" || Name == "thinlto-emit-index-files";
    if (Name == "thinlto-prefix-replace")
      std::tie(Old, New) = Value.split(';');
  }
  if (!AnyIndex)
    return;
  for (const LinkArgument &Argument : Line) {
    if (!Argument.isInput())
      continue;
    StringRef Rest = Argument.Value;
    std::string Path =
        Rest.consume_front(Old) ? (New + Rest).str() : Argument.Value.str();
    for (StringRef Suffix : {".thinlto.bc", ".imports"})
      Files.usesWord((Path + Suffix).str(), "", "an index of the link");
  }
}

void thermocline::lto::enterLinkArguments(FileRoles &Files,
                                          ArrayRef<LinkArgument> Line,
                                          ArrayRef<StringRef> OwnOutputs) {
  // The last one of each option counts.
  std::map<StringRef, StringRef> Outputs;
  std::vector<StringRef> Others;
  for (size_t I = 0; I != Line.size(); ++I) {
    auto [Name, Value] = optionOf(Line[I]);
    if (isOurOutput(Name)) {
      // -mllvm --OPTION -mllvm VALUE
      if (Value.empty() && Line[I].Name == "mllvm" && I + 1 != Line.size() &&
          Line[I + 1].Name == "mllvm")
        Value = Line[++I].Value;
      Outputs[Name] = Value;
    } else if (!is_contained(OwnOutputs, Name) && !Line[I].isAny(NamesNoFile)) {
      append_range(Others, Line[I].Words);
    }
  }
  for (auto [Name, Value] : Outputs)
    Files.writes(Value, "the file of --" + Name);
  for (StringRef Word : Others)
    Files.usesWord(Word, "",
                   Word.starts_with("-") ? "the file of '" + Word + "'"
                                         : Twine("a file of the link"));
  enterIndexes(Files, Line);
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
