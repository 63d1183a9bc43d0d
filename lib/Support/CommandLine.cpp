//===- Support/CommandLine.cpp - Usage errors of tools --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/CommandLine.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// The number in "Must specify at least 2 positional arguments: See: …".
static StringRef numberIn(StringRef Line) {
  StringRef From = Line.drop_until(isDigit);
  return From.take_while(isDigit);
}

/// What cl says in \p Problem, which may be several lines that begin with \p
/// Program, as one error.
static std::string usageError(StringRef Problem, StringRef Program,
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
      usageError(Problem, sys::path::filename(Arguments[0]), Command));
}
