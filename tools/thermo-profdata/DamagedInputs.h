//===- thermo-profdata/DamagedInputs.h - What is left out -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs that are damaged or empty, which a command does without as long as
// there are others. They are said together, so that a hundred of them do not
// hide what else there is to say.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_DAMAGEDINPUTS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_DAMAGEDINPUTS_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace thermocline::profdata {

class DamagedInputs {
public:
  explicit DamagedInputs(size_t NumInputs) : NumInputs(NumInputs) {}

  /// Keeps what \p Failed says of a damaged input. \returns what else it is.
  llvm::Error keep(llvm::Error Failed);

  /// \returns an error if there are inputs and each is damaged.
  llvm::Error noneLeft() const;

  /// Names the first of them, and says how many they are.
  void warn() const;

private:
  size_t NumInputs;
  std::vector<std::string> Texts;
};

} // namespace thermocline::profdata

#endif
