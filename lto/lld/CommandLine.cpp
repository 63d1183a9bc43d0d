//===- lld/CommandLine.cpp - Our options among those of lld ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "link/LinkFiles.h"
#include "link/LinkInputs.h"
#include "options/LinkOptions.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;

/// Null for the options of lld.
static const cl::Option *findOurs(StringRef Name) {
  for (const cl::Option *O : linkerOptions())
    if (O->ArgStr == Name)
      return O;
  return nullptr;
}

/// \p Argument without its dashes; empty if it is no option.
static StringRef withoutDashes(StringRef Argument) {
  if (!Argument.consume_front("--") && !Argument.consume_front("-"))
    return "";
  return Argument;
}

/// What lld's option \p Name says of remarks; null for other options.
static std::string *remarksText(RemarksFile &Remarks, StringRef Name) {
  if (Name == "opt-remarks-filename")
    return &Remarks.Name;
  if (Name == "opt-remarks-passes")
    return &Remarks.Passes;
  if (Name == "opt-remarks-format")
    return &Remarks.Format;
  return nullptr;
}

/// What lld tokenizes response files as.
static cl::TokenizerCallback
responseFileQuoting(ArrayRef<const char *> Arguments) {
  cl::TokenizerCallback Result = cl::TokenizeGNUCommandLine;
  for (StringRef Argument : Arguments)
    if (StringRef Name = withoutDashes(Argument);
        Name.consume_front("rsp-quoting="))
      Result = Name == "windows" ? cl::TokenizeWindowsCommandLine
                                 : cl::TokenizeGNUCommandLine;
  return Result;
}

/// Checks that what Thermocline's options write is no other file of the link.
/// Otherwise only the one written last would be left. \p Arguments: as they
/// were given.
static Error checkOutputs(ArrayRef<const char *> Arguments,
                          const CommandLine &Line) {
  FileRoles Files;
  enterLinkArguments(Files, Line.Line);
  if (!Files.anyWritten())
    return Error::success();
  Files.uses(Line.Output, "the output of the link");
  Files.usesResponseFiles(Arguments);
  const LinkInputs Inputs = LinkInputs::find(Line.Line);
  for (const std::string &Input : Inputs.filesWithThoseOfScripts())
    enterLinkInput(Files, Input);
  return Files.check();
}

/// Names of our options that take a value.
static std::vector<StringRef> oursWithValue() {
  std::vector<StringRef> Result;
  for (const cl::Option *O : linkerOptions())
    if (O->getValueExpectedFlag() == cl::ValueRequired)
      Result.push_back(O->ArgStr);
  return Result;
}

Expected<CommandLine> CommandLine::parse(ArrayRef<const char *> Arguments,
                                         StringSaver &Saver) {
  SmallVector<const char *, 256> Expanded(Arguments.drop_front());
  cl::ExpandResponseFiles(Saver, responseFileQuoting(Arguments), Expanded);

  CommandLine Result;
  Result.Words.assign(Expanded.begin(), Expanded.end());
  Result.Line = readLinkLine(Result.Words, oursWithValue());
  Result.ForLLD.push_back(Arguments.front());
  bool IsOptimized = true;
  bool WritesOutput = true;
  bool IsSwitchedOff = false;
  for (const LinkArgument &Argument : Result.Line) {
    if (const cl::Option *Ours = findOurs(Argument.Name)) {
      const std::string Option = ("--" + Argument.Name).str();
      if (Argument.LacksValue)
        return fileError(Option, "missing argument");
      if (std::string Problem = problemWith(*Ours, Argument.Value);
          !Problem.empty())
        return fileError(Option, Problem);
      IsSwitchedOff |=
          (Twine("-") + Argument.Name + "=" + Argument.Value).str() ==
          SwitchedOff;
      if (onlyWrites(*Ours))
        Result.Outputs.push_back({Ours->ArgStr, Argument.Value});
      else
        Result.ForLLD.append(
            {"-mllvm",
             Saver
                 .save(Argument.HasValue ? Option + "=" + Argument.Value
                                         : Twine(Option))
                 .data()});
      continue;
    }
    Result.ForLLD.append(Argument.Words.begin(), Argument.Words.end());
    // As Bazel writes it: -Wl,-plugin-opt,thinlto-index-only.
    const bool IsPluginOption = Argument.Name == "plugin-opt";
    auto [Name, Value] = IsPluginOption
                             ? Argument.Value.split('=')
                             : std::pair(Argument.Name, Argument.Value);
    if (std::string *Text = remarksText(Result.Remarks, Name))
      *Text = Value.str();
    WritesOutput &= Name != "thinlto-index-only";
    if (StringRef Level = Name;
        Level.consume_front(IsPluginOption ? "O" : "lto-O"))
      IsOptimized = Level != "0";
    else if (is_contained({"thinlto-index-only", "thinlto-distributor"}, Name))
      Result.CompilesElsewhere = true;
    else if (Name == "thinlto-remote-compiler")
      Result.RemoteCompiler = Value.str();
    else if (Name.starts_with("thinlto-remote-compiler-"))
      Result.RemoteCompilerArguments += (" " + Name + "=" + Value).str();
    else if (Name == "thinlto-cache-dir")
      Result.Caches = true;
    else if (Name == "lto-newpm-passes")
      Result.IsOffByPasses = !Value.empty();
    else if (IsPluginOption)
      continue;
    else if (Argument.isAny({"o", "output"}) && Argument.HasValue)
      Result.Output = Value.str();
    else if (Argument.isAny({"r", "relocatable"}))
      Result.IsRelocatable = true;
    else if (Argument.isAny({"wrap", "defsym"}))
      Result.Redefined.push_back(Value.split('=').first.str());
    else if (Name == "help")
      Result.Help = true;
    else if (Name == "version")
      Result.Version = true;
  }
  if (!WritesOutput)
    Result.Output.clear();
  // Compilers elsewhere have passes of their own.
  Result.IsOffByPasses &= !Result.CompilesElsewhere && !IsSwitchedOff;
  Result.IsOffByLevel = !IsOptimized && !sayWhetherToDecide(Result.ForLLD);
  if (Result.IsOffByLevel || Result.IsOffByPasses)
    Result.ForLLD.append({"-mllvm", SwitchedOff});
  append_range(Result.Redefined, LinkInputs::find(Result.Line).namesAssigned());
  llvm::sort(Result.Redefined);
  if (Error E = checkOutputs(Arguments, Result))
    return std::move(E);
  return Result;
}

void thermocline::lto::printLinkerOptions(raw_ostream &OS) {
  // As lld lays out its own.
  constexpr unsigned HelpColumn = 26, Width = 80;
  OS << "\nTHERMOCLINE OPTIONS:\n";
  for (const cl::Option *O : linkerOptions()) {
    std::string Spelling = ("  --" + O->ArgStr).str();
    if (O->getValueExpectedFlag() == cl::ValueRequired)
      Spelling += ("=<" + O->ValueStr + ">").str();
    OS << Spelling;
    // Every one of them is longer than the column.
    unsigned Column = Width;
    for (StringRef Word : split(O->HelpStr, ' ')) {
      if (Column + 1 + Word.size() > Width) {
        OS << '\n' << std::string(HelpColumn, ' ');
        Column = HelpColumn;
      } else {
        OS << ' ';
        ++Column;
      }
      OS << Word;
      Column += Word.size();
    }
    OS << '\n';
  }
}
