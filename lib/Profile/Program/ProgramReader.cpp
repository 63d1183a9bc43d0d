//===- Program/ProgramReader.cpp - What programs say of themselves --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/ProgramReader.h"
#include "ReadProgram.h"
#include "thermocline/Profile/Program/ProgramFile.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Message.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

namespace {
enum class Ask : uint8_t {
  Facts,
  BuiltForProfiles,
  DebugFiles,
  SplitFiles,
  Names,
};
} // namespace

/// What is wrong with one file may be wrong in each of its units. So many
/// sentences are enough.
static constexpr size_t MostProblems = 10;

//===-- In the child ------------------------------------------------------===//

static void answerFacts(StringRef Path, MessageWriter &Answer) {
  Expected<ProgramFacts> Facts = readFacts(Path);
  if (!Facts) {
    Answer.text(toString(Facts.takeError()));
    return;
  }
  Answer.text("");
  Answer.text(toStringRef(Facts->Id));
  Answer.flag(Facts->HasCode);
  Answer.flag(Facts->HasDebugInfo);
  Answer.texts(Facts->Needed);
  Answer.texts(Facts->RunPaths);
  Answer.flag(Facts->HasAllocatorArchive);
  Answer.texts(Facts->HintsWithoutHeap);
  Answer.flag(Facts->MayLackHints);
  Answer.flag(Facts->HasNativeCode);
}

static void answerNames(StringRef Path, ArrayRef<std::string> Directories,
                        NameDetail Wanted, MessageWriter &Answer) {
  std::vector<std::pair<std::string, FunctionPlace>> All;
  std::vector<std::string> Problems;
  Error Failed = readNames(
      Path, Directories, Wanted,
      [&](StringRef Name, FunctionPlace Place) {
        All.emplace_back(Name, std::move(Place));
      },
      [&](const std::string &Problem) {
        if (Problems.size() != MostProblems)
          Problems.push_back(Problem);
      });
  Answer.text(Failed ? toString(std::move(Failed)) : "");
  Answer.texts(Problems);
  Answer.list(All, [&](const auto &Each) {
    Answer.text(Each.first);
    Answer.number(Each.second.Line);
    if (Each.second.Line)
      Answer.text(Each.second.File);
  });
}

std::string ProgramReader::respond(StringRef Request) {
  MessageReader Reader(Request);
  const auto Kind = static_cast<Ask>(Reader.number<uint8_t>());
  const auto Wanted = static_cast<NameDetail>(Reader.number<uint8_t>());
  const StringRef Path = Reader.text();
  std::vector<std::string> Directories;
  Reader.texts(Directories);
  MessageWriter Result;
  switch (Kind) {
  case Ask::Facts:
    answerFacts(Path, Result);
    break;
  case Ask::BuiltForProfiles:
    Result.flag(readWhetherBuiltForProfiles(Path));
    break;
  case Ask::DebugFiles:
    Result.texts(profile::debugFilesOf(Path, Directories));
    break;
  case Ask::SplitFiles:
    Result.texts(profile::splitFilesOf(Path, Directories));
    break;
  case Ask::Names:
    answerNames(Path, Directories, Wanted, Result);
    break;
  }
  return Result.take();
}

//===-- In the parent -----------------------------------------------------===//

ProgramReader::ProgramReader()
    : Process(std::make_shared<ReaderProcess>(respond)) {}

static std::string requestFor(Ask Kind, StringRef Path,
                              ArrayRef<std::string> Directories = {},
                              NameDetail Wanted = NameDetail::OfSymbols) {
  MessageWriter Result;
  Result.number(static_cast<uint8_t>(Kind));
  Result.number(static_cast<uint8_t>(Wanted));
  Result.text(Path);
  Result.texts(Directories);
  return Result.take();
}

static Error brokenAnswer(StringRef Path) {
  return fileError(Path, "damaged: the process that read it gave no sensible "
                         "answer");
}

Expected<std::string> ProgramReader::ask(StringRef Path,
                                         const std::string &Request) {
  Expected<std::string> Answer = Process->ask(Request);
  if (!Answer)
    return fileError(Path, "damaged: " + toString(Answer.takeError()));
  return Answer;
}

Expected<ProgramFacts> ProgramReader::facts(StringRef Path) {
  Expected<std::string> Answer = ask(Path, requestFor(Ask::Facts, Path));
  if (!Answer)
    return Answer.takeError();
  MessageReader Reader(*Answer);
  if (StringRef Failed = Reader.text(); !Failed.empty())
    return createStringError(Failed);
  ProgramFacts Result;
  append_range(Result.Id, Reader.text().bytes());
  Result.HasCode = Reader.flag();
  Result.HasDebugInfo = Reader.flag();
  Reader.texts(Result.Needed);
  Reader.texts(Result.RunPaths);
  Result.HasAllocatorArchive = Reader.flag();
  Reader.texts(Result.HintsWithoutHeap);
  Result.MayLackHints = Reader.flag();
  Result.HasNativeCode = Reader.flag();
  if (!Reader.isComplete())
    return brokenAnswer(Path);
  return Result;
}

bool ProgramReader::isBuiltForProfiles(StringRef Path) {
  Expected<std::string> Answer =
      ask(Path, requestFor(Ask::BuiltForProfiles, Path));
  if (Answer)
    return MessageReader(*Answer).flag();
  consumeError(Answer.takeError());
  return false;
}

/// A list of files. Those of what cannot be read are not known.
static std::vector<std::string> listOf(Expected<std::string> Answer) {
  std::vector<std::string> Result;
  if (Answer)
    MessageReader(*Answer).texts(Result);
  else
    consumeError(Answer.takeError());
  return Result;
}

std::vector<std::string>
ProgramReader::debugFilesOf(StringRef Path,
                            ArrayRef<std::string> DebugDirectories) {
  return listOf(ask(Path, requestFor(Ask::DebugFiles, Path, DebugDirectories)));
}

std::vector<std::string>
ProgramReader::splitFilesOf(StringRef Path,
                            ArrayRef<std::string> DebugDirectories) {
  return listOf(ask(Path, requestFor(Ask::SplitFiles, Path, DebugDirectories)));
}

Error ProgramReader::addNames(StringRef Path,
                              ArrayRef<std::string> DebugDirectories,
                              NameDetail Wanted, FunctionNames &Names,
                              std::vector<std::string> &Problems) {
  auto AskFor = [&](NameDetail Detail) {
    return Process->ask(requestFor(Ask::Names, Path, DebugDirectories, Detail));
  };
  Expected<std::string> Answer = AskFor(Wanted);
  if (!Answer) {
    Problems.push_back(
        debugInfoWarning(Path, "damaged, and counts as missing: " +
                                   toString(Answer.takeError())));
    Answer = AskFor(NameDetail::OfSymbols);
  }
  if (!Answer)
    return fileError(Path, "damaged: " + toString(Answer.takeError()));
  MessageReader Reader(*Answer);
  if (StringRef Failed = Reader.text(); !Failed.empty())
    return createStringError(Failed);
  Reader.texts(Problems);
  Reader.list([&] {
    const StringRef Name = Reader.text();
    Names.add(Name);
    if (const auto Line = Reader.number<uint32_t>())
      Names.addPlace(sourceGUID(Name), {Reader.text().str(), Line});
  });
  return Reader.isComplete() ? Error::success() : brokenAnswer(Path);
}
