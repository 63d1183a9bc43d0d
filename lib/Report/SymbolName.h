//===- Report/SymbolName.h - Symbol names in dumps --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_REPORT_SYMBOLNAME_H
#define THERMOCLINE_LIB_REPORT_SYMBOLNAME_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace thermocline::report {

/// \p Name as LLVM's assembly writes it: quoted if it is not plain.
inline std::string quotedSymbol(llvm::StringRef Name) {
  if (!Name.empty() && llvm::all_of(Name, [](char C) {
        return llvm::isAlnum(C) || C == '_' || C == '.' || C == '$';
      }))
    return Name.str();
  std::string Result = "\"";
  llvm::raw_string_ostream OS(Result);
  llvm::printEscapedString(Name, OS);
  return Result + "\"";
}

} // namespace thermocline::report

#endif
