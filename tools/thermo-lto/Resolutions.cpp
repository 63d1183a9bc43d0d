//===- thermo-lto/Resolutions.cpp - Which definition counts ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resolutions.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

namespace llto = llvm::lto;

Error ResolutionTable::add(StringRef Text) {
  auto [File, Rest] = Text.split(',');
  auto [Symbol, Flags] = Rest.split(',');
  if (File.empty() || !Text.substr(File.size() + 1).contains(','))
    return fileError("-r=" + Text.str(), "expected FILE,SYMBOL,FLAGS");
  return add("-r=" + Text.str(), File, Symbol, Flags);
}

Error ResolutionTable::add(const Twine &Where, StringRef File, StringRef Symbol,
                           StringRef Flags) {
  llto::SymbolResolution Resolution;
  for (char C : Flags) {
    switch (C) {
    case 'p':
      Resolution.Prevailing = true;
      break;
    case 'l':
      Resolution.FinalDefinitionInLinkageUnit = true;
      break;
    case 'x':
      Resolution.VisibleToRegularObj = true;
      break;
    case 'r':
      Resolution.LinkerRedefined = true;
      break;
    default:
      return fileError(Where.str(), Twine("unknown flag '") + Twine(C) + "'");
    }
  }
  Given[{File.str(), Symbol.str()}].push_back(Resolution);
  return Error::success();
}

Error ResolutionTable::addFile(StringRef Name,
                               std::vector<std::string> &Inputs) {
  auto Buffer = MemoryBuffer::getFile(Name, /*IsText=*/true);
  if (!Buffer)
    return fileError(Name, Buffer.getError().message());
  std::string File;
  for (line_iterator Line(**Buffer, /*SkipBlanks=*/true); !Line.is_at_eof();
       ++Line) {
    auto Bad = [&](const Twine &Message) {
      return recordError(Name, "line " + Twine(Line.line_number()), Message);
    };
    StringRef Text = *Line;
    if (!Text.consume_front("-r=")) {
      File = Text.str();
      Inputs.push_back(File);
      continue;
    }
    // A path may have commas; it is that of the line above.
    if (File.empty() || !Text.consume_front(File + ","))
      return Bad("a resolution of a file that is not the last one named");
    auto [Symbol, Flags] = Text.rsplit(',');
    if (!Text.contains(','))
      return Bad("expected -r=FILE,SYMBOL,FLAGS");
    if (Error E = add(Name + ": line " + Twine(Line.line_number()), File,
                      Symbol, Flags))
      return E;
  }
  return Error::success();
}

Expected<std::vector<llto::SymbolResolution>>
ResolutionTable::take(StringRef File, llto::InputFile &Input) {
  std::vector<llto::SymbolResolution> Result;
  Error Missing = Error::success();
  for (const llto::InputFile::Symbol &Symbol : Input.symbols()) {
    auto Found = Given.find({File.str(), Symbol.getName().str()});
    if (Found == Given.end() || Found->second.empty()) {
      Missing = joinErrors(
          std::move(Missing),
          recordError(File, Symbol.getName(),
                      "no resolution given for this symbol; add -r=" + File +
                          "," + Symbol.getName() + ",FLAGS"));
      continue;
    }
    Result.push_back(Found->second.front());
    Found->second.erase(Found->second.begin());
  }
  if (Missing)
    return std::move(Missing);
  return std::move(Result);
}

Error ResolutionTable::unused() const {
  Error Result = Error::success();
  for (const auto &[Key, Left] : Given)
    if (!Left.empty())
      Result = joinErrors(std::move(Result),
                          recordError(Key.first, Key.second,
                                      "a resolution is given for a symbol "
                                      "that the file does not have"));
  return Result;
}
