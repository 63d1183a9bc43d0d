//===- fuzz/CallTableFuzzer.cpp - Any bytes as a table of calls -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableFuzzer.h"
#include "thermocline/Format/CallTable.h"
#include "thermocline/Profile/CallTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static void check(const CallTable &Table) {
  for (const auto &[GUID, Versions] : Table.functions())
    if (Versions.empty() || Versions.size() > CallTable::MaxVersions ||
        Table.isAmbiguous(GUID) || !is_sorted(Versions))
      report_fatal_error("versions are not as they should be");
  const std::string File = fuzz::written(Table);
  const CallTable Again = cantFail(CallTable::readFrom(File));
  if (Again.functions() != Table.functions() ||
      Again.ColdBytes != Table.ColdBytes || fuzz::written(Again) != File)
    report_fatal_error("a table changes when it is written and read again");
  CallTable Sum = Table;
  Sum.add(Again);
  if (Sum.functions() != Table.functions())
    report_fatal_error("a table changes when it is added to itself");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::readTable<CallTable>(
      StringRef(reinterpret_cast<const char *>(Data), Size),
      "table of calls: ", format::CallsPart, format::CallPartVersion, check);
  return 0;
}
