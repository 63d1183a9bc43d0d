//===- plugin/ArchiveMembers.cpp - Names of archive members ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArchiveMembers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline::lto::plugin;

ArchiveMembers::Members ArchiveMembers::read(StringRef Path) {
  Members Result;
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return Result;
  auto Archive = object::Archive::create(**Buffer);
  // What is wrong with an archive is the linker's to say.
  if (!Archive) {
    consumeError(Archive.takeError());
    return Result;
  }
  Error Problem = Error::success();
  for (const object::Archive::Child &Child : (*Archive)->children(Problem)) {
    Expected<StringRef> Name = Child.getName();
    if (!Name) {
      consumeError(Name.takeError());
      continue;
    }
    Result[Child.getDataOffset()] =
        (sys::path::filename(*Name) + " at " + Twine(Child.getChildOffset()))
            .str();
  }
  consumeError(std::move(Problem));
  return Result;
}

std::string ArchiveMembers::moduleName(StringRef Path, uint64_t Offset) {
  // An archive's first member is behind its head.
  if (!Offset)
    return Path.str();
  auto [Found, IsNew] = Archives.try_emplace(Path);
  if (IsNew)
    Found->second = read(Path);
  std::string Member = Found->second.lookup(Offset);
  return (Path + "(" + (Member.empty() ? "at " + utostr(Offset) : Member) + ")")
      .str();
}
