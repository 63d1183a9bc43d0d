//===- Support/Tools/CommandLine.cpp - Command lines of tools -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Tools/CommandLine.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace thermocline;

/// The number in "Must specify at least 2 positional arguments: See: …".
static StringRef numberIn(StringRef Line) {
  StringRef Rest = Line.drop_until(isDigit);
  return Rest.take_while(isDigit);
}

const ToolCommand *Tool::find(StringRef Command) const {
  const auto *Found = find_if(
      Commands, [&](const ToolCommand &C) { return C.Name == Command; });
  return Found == Commands.end() ? nullptr : Found;
}

Error Tool::noCommand(StringRef Given) const {
  if (!Given.empty())
    return createStringError("unknown command '" + Given + "' (see " + Name +
                             " --help)");
  auto Names = map_range(Commands, [](const ToolCommand &C) { return C.Name; });
  return createStringError("no command; one of " + join(Names, ", ") +
                           " (see " + Name + " --help)");
}

std::string Tool::overview() const {
  std::string Result = Summary.str() + "\n\n";
  for (const ToolCommand &C : Commands)
    Result += ("  " + Name + " " + C.Name + " " + C.Synopsis + "\n").str();
  if (!Commands.empty())
    Result +=
        ("\n`" + Name + " COMMAND --help` lists the options of a command.\n")
            .str();
  for (const auto &[Title, Facts] : {std::pair("EXIT STATUS", ExitStatus),
                                     {"ENVIRONMENT", Environment},
                                     {"FILES", Files}}) {
    if (Facts.empty())
      continue;
    Result += "\n" + std::string(Title) + ":\n\n";
    size_t Width = 0;
    for (const ToolFact &F : Facts)
      Width = std::max(Width, F.Name.size());
    for (const ToolFact &F : Facts)
      Result += "  " + F.Name.str() + std::string(Width - F.Name.size(), ' ') +
                " - " + F.Meaning.str() + "\n";
  }
  return Result;
}

void Tool::printHelp(raw_ostream &OS) const {
  OS << "OVERVIEW: " << overview() << "\nUSAGE: " << Name
     << " [subcommand] [options]\n\nSUBCOMMANDS:\n\n";
  for (const ToolCommand &C : Commands)
    OS << "  " << left_justify(C.Name, 9) << " - " << C.Summary << '\n';
}

/// What cl says in \p Problem, which may be several lines that begin with \p
/// Program, as one error.
static std::string inUsersWords(StringRef Problem, StringRef Program,
                                StringRef Command) {
  SmallVector<StringRef, 4> Lines;
  Problem.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef &Line : Lines) {
    Line.consume_front(Program);
    Line.consume_front(": ");
  }
  const std::string Help = (" (see " + Command + " --help)").str();
  // What is wrong with a value an option's parser may have printed by itself.
  if (Lines.empty())
    return "a value cannot be used" + Help;
  StringRef First = Lines[0], Second = Lines.size() > 1 ? Lines[1] : "";
  First = First.split(".  Try:").first.rtrim("!");
  std::string Text = First.str();
  if (First.consume_front("Unknown command line argument ")) {
    Text = ("unknown option " + First).str();
    if (Second.consume_front("Did you mean ") && !Second.starts_with("'-h"))
      Text += ("; did you mean " + Second).str();
  } else if (First.consume_front("Unknown subcommand ")) {
    Text = ("unknown command " + First).str();
    if (Second.consume_front("Did you mean "))
      Text += ("; did you mean " + Second).str();
  } else if (First.starts_with("Not enough positional")) {
    Text = ("too few files are given: at least " + numberIn(Second)).str();
  } else if (First.starts_with("Too many positional")) {
    Text = ("too many files are given: at most " + numberIn(Second)).str();
  }
  return Text + Help;
}

Error thermocline::parseOptions(ArrayRef<const char *> Arguments,
                                StringRef Overview, StringRef Command) {
  std::string Problem;
  raw_string_ostream OS(Problem);
  if (cl::ParseCommandLineOptions(Arguments.size(), Arguments.data(), Overview,
                                  &OS))
    return Error::success();
  return createStringError(
      inUsersWords(Problem, sys::path::filename(Arguments[0]), Command));
}

Error thermocline::usageError(const Tool &T, StringRef Command,
                              const Twine &Text) {
  return createStringError(Text + " (see " + T.Name + " " + Command +
                           " --help)");
}

/// Whether LLVM has \p Option for every program: the tools' own belong to
/// commands.
static bool isOfLLVM(const cl::Option &Option) {
  return Option.Subs.contains(&cl::SubCommand::getAll());
}

Error thermocline::parseCommands(const Tool &T,
                                 ArrayRef<const char *> Arguments) {
  // A function without captures is all that cl takes.
  static StringRef Name;
  Name = T.Name;
  cl::SetVersionPrinter([](raw_ostream &OS) { printVersion(OS, Name); });
  cl::HideUnrelatedOptions(ArrayRef<const cl::OptionCategory *>());
  for (cl::SubCommand *Sub : cl::getRegisteredSubcommands())
    for (const auto &[Name, Option] : Sub->OptionsMap)
      if (isOfLLVM(*Option) &&
          Option->Categories.front()->getName() != "Generic Options")
        Option->setHiddenFlag(cl::ReallyHidden);
  const ToolCommand *Given =
      Arguments.size() > 1 ? T.find(Arguments[1]) : nullptr;
  const std::string Command =
      (Given ? T.Name + " " + Given->Name : T.Name).str();
  if (Error E = parseOptions(Arguments, Given ? "" : T.overview(), Command))
    return E;
  for (cl::SubCommand *Sub : cl::getRegisteredSubcommands())
    if (*Sub)
      for (const auto &[Name, Option] : Sub->OptionsMap)
        if (!isOfLLVM(*Option) &&
            Option->getNumOccurrencesFlag() == cl::Optional &&
            Option->getValueExpectedFlag() != cl::ValueOptional &&
            Option->getNumOccurrences() > 1)
          return usageError(T, Sub->getName(),
                            Twine(Name.size() == 1 ? "-" : "--") +
                                Option->ArgStr +
                                " is given twice, and takes one value");
  return Error::success();
}
