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

static bool isAny(StringRef Name, ArrayRef<StringRef> Names) {
  return is_contained(Names, Name);
}

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

/// What \p Argument names as output in one word; empty if it is another option.
static StringRef joinedOutput(StringRef Argument) {
  if (Argument.consume_front("--output="))
    return Argument;
  // Of options with one dash lld takes the longest name that fits.
  if (!Argument.consume_front("-o") ||
      any_of(ArrayRef<StringRef>{"magic", "format", "pt-remarks-",
                                 "rphan-handling", "utput"},
             [&](StringRef Other) { return Argument.starts_with(Other); }))
    return "";
  return Argument;
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
                          ArrayRef<const char *> Expanded,
                          const CommandLine &Line) {
  FileRoles Files;
  enterLinkArguments(Files, Expanded);
  if (!Files.anyWritten())
    return Error::success();
  Files.uses(Line.Output, "the output of the link");
  Files.usesResponseFiles(Arguments);
  const LinkInputs Inputs =
      LinkInputs::parse(ArrayRef(Line.ForLLD).drop_front());
  for (const std::string &Input : Inputs.files())
    enterLinkInput(Files, Input);
  return Files.check();
}

Expected<CommandLine> CommandLine::parse(ArrayRef<const char *> Arguments,
                                         StringSaver &Saver) {
  SmallVector<const char *, 256> Expanded(Arguments.drop_front());
  cl::ExpandResponseFiles(Saver, responseFileQuoting(Arguments), Expanded);

  CommandLine Result;
  Result.ForLLD.push_back(Arguments.front());
  bool IsOptimized = true;
  bool WritesOutput = true;
  for (size_t I = 0; I != Expanded.size(); ++I) {
    StringRef Argument = Expanded[I];
    StringRef Option = withoutDashes(Argument);
    bool IsLast = I + 1 == Expanded.size();

    // The argument of such an option is not an option, whatever it looks like.
    std::string *Remarks = remarksText(Result.Remarks, Option);
    bool IsOutput = isAny(Option, {"o", "output"});
    if ((Option == "mllvm" || IsOutput || Remarks) && !IsLast) {
      Result.ForLLD.append({Expanded[I], Expanded[I + 1]});
      ++I;
      if (Remarks)
        *Remarks = Expanded[I];
      else if (IsOutput)
        Result.Output = Expanded[I];
      continue;
    }
    if (StringRef Output = joinedOutput(Argument); !Output.empty())
      Result.Output = Output.str();
    if (const cl::Option *Ours = findOurs(Option.split('=').first)) {
      std::string Spelled = Option.split('=').first.str();
      if (Ours->getValueExpectedFlag() == cl::ValueRequired &&
          !Option.contains('=')) {
        if (IsLast)
          return fileError("--" + Spelled, "missing argument");
        Argument = Saver.save(Argument + "=" + Expanded[++I]);
      }
      std::string Problem = problemWith(*Ours, Argument.split('=').second);
      if (!Problem.empty())
        return fileError("--" + Spelled, Problem);
      if (onlyWrites(*Ours))
        Result.Outputs.push_back(
            {Ours->ArgStr, Saver.save(Argument.split('=').second)});
      else
        Result.ForLLD.append({"-mllvm", Argument.data()});
      continue;
    }

    Result.ForLLD.push_back(Expanded[I]);
    if (isAny(Option.split('=').first, {"wrap", "defsym"})) {
      if (!Option.contains('=') && !IsLast)
        Result.ForLLD.push_back(Expanded[++I]);
      StringRef Symbol = Option.contains('=') ? Option.split('=').second
                                              : StringRef(Expanded[I]);
      Result.Redefined.push_back(Symbol.split('=').first.str());
      continue;
    }
    bool IsPluginOption = Option.consume_front("plugin-opt=");
    if (Option == "plugin-opt" && !IsLast) {
      // As Bazel writes it: -Wl,-plugin-opt,thinlto-index-only.
      Option = Expanded[++I];
      Result.ForLLD.push_back(Option.data());
      IsPluginOption = true;
    }
    auto [Name, Value] = Option.split('=');
    if (IsPluginOption)
      if (std::string *Text = remarksText(Result.Remarks, Name))
        *Text = Value.str();
    WritesOutput &= Name != "thinlto-index-only";
    if (StringRef Level = Name;
        Level.consume_front(IsPluginOption ? "O" : "lto-O"))
      IsOptimized = Level != "0";
    else if (isAny(Name, {"thinlto-index-only", "thinlto-distributor"}))
      Result.CompilesElsewhere = true;
    else if (Name == "thinlto-remote-compiler")
      Result.RemoteCompiler = Value.str();
    else if (Name.starts_with("thinlto-remote-compiler-"))
      Result.RemoteCompilerArguments += (" " + Option).str();
    else if (Name == "thinlto-cache-dir")
      Result.Caches = true;
    else if (Option == "help")
      Result.Help = true;
    else if (Option == "version")
      Result.Version = true;
  }
  if (!WritesOutput)
    Result.Output.clear();
  Result.IsOffByLevel = !IsOptimized && !sayWhetherToDecide(Result.ForLLD);
  if (Result.IsOffByLevel)
    Result.ForLLD.append({"-mllvm", SwitchedOff});
  llvm::sort(Result.Redefined);
  if (Error E = checkOutputs(Arguments, Expanded, Result))
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
