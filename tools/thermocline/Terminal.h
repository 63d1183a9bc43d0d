//===- thermocline/Terminal.h - Colours and progress ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What only terminals get. Elsewhere text is plain, and progress is not shown.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_TERMINAL_H
#define THERMOCLINE_TOOLS_THERMOCLINE_TERMINAL_H

#include "Child.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace thermocline::front {

/// Whether \p OS shows colours, and the user wants them (NO_COLOR).
inline bool hasColors(llvm::raw_ostream &OS) {
  const char *No = std::getenv("NO_COLOR");
  return OS.has_colors() && !(No && *No);
}

/// Writes \p Text in bold, or in \p Color, where colours are shown.
inline void
writeColored(llvm::raw_ostream &OS, const llvm::Twine &Text,
             llvm::raw_ostream::Colors Color = llvm::raw_ostream::SAVEDCOLOR) {
  const bool Colored = hasColors(OS);
  // LLVM's streams drop colours that are not asked for.
  OS.enable_colors(Colored);
  if (Colored)
    OS.changeColor(Color, /*Bold=*/true);
  OS << Text;
  if (Colored)
    OS.resetColor();
}

/// Begins a warning on standard error.
inline llvm::raw_ostream &warning() {
  return llvm::WithColor::warning(llvm::errs(), "thermocline",
                                  /*DisableColors=*/!hasColors(llvm::errs()));
}

/// Prints the line of \p Command if \p Verbose.
inline void printCommand(bool Verbose, const ShellCommand &Command) {
  if (Verbose)
    llvm::errs() << Command.text() << '\n';
}

/// One line on standard error that is overwritten.
class Progress {
public:
  Progress() : Shown(llvm::errs().is_displayed()) {}
  ~Progress() { clear(); }
  void step(const llvm::Twine &What) {
    clear();
    if (Shown)
      llvm::errs() << What;
  }
  void clear() {
    if (Shown)
      llvm::errs() << "\r\x1b[K";
  }

private:
  const bool Shown;
};

} // namespace thermocline::front

#endif
