//===- fuzz/TableFuzzer.h - Any bytes as a table of a profile ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes are read as a program's section, as an indexed profile with such a
// table at its end, and as what the table has inside. Each is refused or read,
// and what was read is the same when it is written and read once more.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_FUZZ_TABLEFUZZER_H
#define THERMOCLINE_TEST_FUZZ_TABLEFUZZER_H

#include "thermocline/Format/ProfileParts.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/Support/ErrorHandling.h"

namespace thermocline::fuzz {

/// What is said of damage begins with \p Name.
inline bool isRefused(llvm::Error E, llvm::StringRef Name) {
  if (!E)
    return false;
  if (!llvm::StringRef(toString(std::move(E))).starts_with(Name))
    llvm::report_fatal_error("an error does not say what is damaged");
  return true;
}

template <typename Table> std::string written(const Table &T) {
  std::string File;
  T.appendTo(File, [](llvm::GlobalValue::GUID) { return true; });
  return File;
}

/// \p Check checks what was read of a Table, whose part has \p Kind and \p
/// Version, and whose errors begin with \p Name.
template <typename Table, typename Checker>
void readTable(llvm::StringRef Bytes, llvm::StringRef Name, uint64_t Kind,
               uint64_t Version, Checker Check) {
  Table FromSection;
  if (!isRefused(FromSection.addSection(Bytes), Name))
    Check(FromSection);
  std::string WithPart;
  writePart(WithPart, {Kind, Version, "part", Compress::No}, Bytes);
  format::PartFooter Foot;
  Foot.NumBytes = WithPart.size() + sizeof(Foot);
  WithPart.append(reinterpret_cast<const char *>(&Foot), sizeof(Foot));
  for (llvm::StringRef File : {Bytes, llvm::StringRef(WithPart)}) {
    llvm::Expected<Table> Read = Table::readFrom(File);
    if (Read)
      Check(*Read);
    else
      isRefused(Read.takeError(), Name);
  }
}

} // namespace thermocline::fuzz

#endif
