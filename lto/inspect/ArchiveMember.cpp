//===- lto/inspect/ArchiveMember.cpp - Modules by the paths of a link -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArchiveMember.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/InputFile.h"
#include "llvm/Object/Archive.h"
#include <optional>

using namespace llvm;
using namespace thermocline;

namespace {

struct MemberPath {
  StringRef Archive;
  uint64_t Offset = 0;

  static std::optional<MemberPath> parse(StringRef Path) {
    MemberPath Result;
    if (!Path.consume_back(")"))
      return std::nullopt;
    auto [Front, Offset] = Path.rsplit(" at ");
    if (Offset.getAsInteger(10, Result.Offset))
      return std::nullopt;
    StringRef Member;
    std::tie(Result.Archive, Member) = Front.rsplit('(');
    if (Member.empty())
      return std::nullopt;
    return Result;
  }
};

} // namespace

Expected<std::unique_ptr<MemoryBuffer>>
thermocline::lto::openModule(StringRef Path, std::vector<std::string> *Files) {
  std::optional<MemberPath> Member = MemberPath::parse(Path);
  if (Files)
    Files->push_back(Member ? Member->Archive.str() : Path.str());
  if (!Member)
    return openInput(Path);
  auto Buffer = openInput(Member->Archive);
  if (!Buffer)
    return Buffer.takeError();
  auto Archive = object::Archive::create(**Buffer);
  if (!Archive)
    return inFile(Member->Archive, Archive.takeError());
  Error Failed = Error::success();
  for (const object::Archive::Child &Child : (*Archive)->children(Failed)) {
    if (Child.getChildOffset() != Member->Offset)
      continue;
    consumeError(std::move(Failed));
    if (Files && (*Archive)->isThin()) {
      auto Name = Child.getFullName();
      if (!Name)
        return inFile(Path, Name.takeError());
      Files->push_back(std::move(*Name));
    }
    auto Contents = Child.getMemoryBufferRef();
    if (!Contents)
      return inFile(Path, Contents.takeError());
    // The archive, and what a thin one refers to, end here.
    return MemoryBuffer::getMemBufferCopy(Contents->getBuffer(), Path);
  }
  if (Failed)
    return inFile(Member->Archive, std::move(Failed));
  return fileError(Path, "the archive has no such member now");
}
