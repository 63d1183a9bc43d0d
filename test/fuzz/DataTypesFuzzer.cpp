//===- fuzz/DataTypesFuzzer.cpp - Any bytes as a table of types -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes are read as a program's section of types, as an indexed profile with a
// table of types at its end, and as what such a table has inside. Each is
// refused or read, and what was read is the same when it is written and read
// once more.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Format/DataTypes.h"
#include "thermocline/Format/ProfileParts.h"
#include "thermocline/Profile/DataTypes.h"
#include "thermocline/Support/Part.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static bool isRefused(Error E) {
  if (!E)
    return false;
  if (!StringRef(toString(std::move(E))).starts_with("table of types: "))
    report_fatal_error("an error does not say what is damaged");
  return true;
}

static std::string written(const DataTypes &Table) {
  std::string File;
  Table.appendTo(File, [](GlobalValue::GUID) { return true; });
  return File;
}

static void check(const DataTypes &Table) {
  const std::string File = written(Table);
  DataTypes Again = cantFail(DataTypes::readFrom(File));
  if (Again.empty() != Table.empty() || written(Again) != File)
    report_fatal_error("a table changes when it is written and read again");
  Again.add(Table);
  if (written(Again) != File)
    report_fatal_error("a table changes when it is added to itself");
}

static void readPart(StringRef Contents) {
  Expected<DataTypes> Table = DataTypes::readFrom(Contents);
  if (Table)
    check(*Table);
  else
    isRefused(Table.takeError());
}

/// A file with a part that has \p Payload inside.
static std::string fileWith(StringRef Payload) {
  std::string Result;
  writePart(Result,
            {format::TypesPart, format::TypePartVersion, "part", Compress::No},
            Payload);
  format::PartFooter Foot;
  Foot.NumBytes = Result.size() + sizeof(Foot);
  Result.append(reinterpret_cast<const char *>(&Foot), sizeof(Foot));
  return Result;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  DataTypes FromSection;
  if (!isRefused(FromSection.addSection(Bytes)))
    check(FromSection);
  readPart(Bytes);
  readPart(fileWith(Bytes));
  return 0;
}
