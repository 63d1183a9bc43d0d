//===- fuzz/DataTypesFuzzer.cpp - Any bytes as a table of types -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableFuzzer.h"
#include "thermocline/Format/DataTypes.h"
#include "thermocline/Profile/DataTypes.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static void check(const DataTypes &Table) {
  const std::string File = fuzz::written(Table);
  DataTypes Again = cantFail(DataTypes::readFrom(File));
  if (Again.empty() != Table.empty() || fuzz::written(Again) != File)
    report_fatal_error("a table changes when it is written and read again");
  Again.add(Table);
  if (fuzz::written(Again) != File)
    report_fatal_error("a table changes when it is added to itself");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::readTable<DataTypes>(
      StringRef(reinterpret_cast<const char *>(Data), Size),
      "table of types: ", format::TypesPart, format::TypePartVersion, check);
  return 0;
}
