//===- Support/Tools/Gates.cpp - What CI is told of checks ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Tools/Gates.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace thermocline;

/// \p Text in an attribute. XML has no control characters, escaped or not.
static std::string inAttribute(StringRef Text) {
  std::string Result;
  for (char C : json::fixUTF8(Text))
    switch (C) {
    case '&':
      Result += "&amp;";
      break;
    case '<':
      Result += "&lt;";
      break;
    case '>':
      Result += "&gt;";
      break;
    case '"':
      Result += "&quot;";
      break;
    default:
      Result += static_cast<unsigned char>(C) < ' ' ? '?' : C;
    }
  return Result;
}

Error thermocline::writeJUnit(StringRef Path, StringRef Suite,
                              ArrayRef<GateResult> Results) {
  const auto Failed =
      count_if(Results, [](const GateResult &R) { return R.HasFailed; });
  return writeFileAtomically(Path, [&](raw_ostream &OS) {
    const std::string Name = inAttribute(Suite);
    OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
       << "<testsuites tests=\"" << Results.size() << "\" failures=\"" << Failed
       << "\">\n <testsuite name=\"" << Name << "\" tests=\"" << Results.size()
       << "\" failures=\"" << Failed << "\" errors=\"0\" skipped=\"0\">\n";
    for (const GateResult &R : Results) {
      OS << "  <testcase classname=\"" << Name << "\" name=\""
         << inAttribute(R.Name) << "\">\n";
      if (R.HasFailed)
        OS << "   <failure message=\"" << inAttribute(R.Seen) << "\"/>\n";
      else
        OS << "   <system-out>" << inAttribute(R.Seen) << "</system-out>\n";
      OS << "  </testcase>\n";
    }
    OS << " </testsuite>\n</testsuites>\n";
    return Error::success();
  });
}
