//===- Profile/Program/ImportedCalls.cpp - Calls into other objects -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/ImportedCalls.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::object;
using namespace thermocline::profile;

ImportedCalls::ImportedCalls(const ELFObjectFileBase &Object) : Object(Object) {
  if (Object.getArch() != Triple::x86_64)
    return;
  for (const SectionRef &Section : Object.dynamic_relocation_sections())
    for (const RelocationRef &Relocation : Section.relocations()) {
      if (Relocation.getType() != ELF::R_X86_64_JUMP_SLOT &&
          Relocation.getType() != ELF::R_X86_64_GLOB_DAT)
        continue;
      symbol_iterator Symbol = Relocation.getSymbol();
      if (Symbol == Object.symbol_end())
        continue;
      if (Expected<StringRef> Name = Symbol->getName())
        Slots[Relocation.getOffset()] = Name->str();
      else
        consumeError(Name.takeError());
    }
}

StringRef ImportedCalls::codeAt(uint64_t Address) const {
  for (const SectionRef &Section : Object.sections()) {
    const uint64_t Offset = Address - Section.getAddress();
    if (!Section.isText() || Offset >= Section.getSize())
      continue;
    // A file of debug information has sections without contents.
    if (Expected<StringRef> Contents = Section.getContents())
      return Contents->substr(Offset);
    else
      consumeError(Contents.takeError());
  }
  return {};
}

/// The signed number of 4 bytes at \p Offset of \p Code.
static uint64_t displacement(StringRef Code, size_t Offset) {
  return static_cast<uint64_t>(
      int64_t(support::endian::read32le(Code.data() + Offset) ^ 0x80000000u) -
      0x80000000);
}

StringRef ImportedCalls::symbolOfSlot(uint64_t Address) const {
  auto Found = Slots.find(Address);
  return Found == Slots.end() ? StringRef() : StringRef(Found->second);
}

/// A stub is a jump through its slot, after what linkers put in front.
StringRef ImportedCalls::symbolOfStub(uint64_t Address) const {
  const StringRef Code = codeAt(Address);
  StringRef Rest = Code;
  Rest.consume_front("\xf3\x0f\x1e\xfa"); // endbr64
  if (Rest.starts_with("\x41\xbb"))       // mov NUMBER, %r11d
    Rest = Rest.drop_front(6);
  Rest.consume_front("\xf2"); // bnd
  constexpr size_t JumpBytes = 6;
  if (!Rest.starts_with("\xff\x25") || Rest.size() < JumpBytes)
    return {};
  const uint64_t After = Address + (Code.size() - Rest.size()) + JumpBytes;
  return symbolOfSlot(After + displacement(Rest, 2));
}

static constexpr size_t LongestCall = 6;

bool ImportedCalls::isByName(uint64_t ReturnAddress) const {
  if (Object.getArch() != Triple::x86_64 || ReturnAddress < LongestCall)
    return false;
  const StringRef Code = codeAt(ReturnAddress - LongestCall);
  if (Code.size() < LongestCall)
    return false;
  const uint64_t Target = ReturnAddress + displacement(Code, 2);
  // The bytes of an address may look like the call of another.
  if (Code[1] == '\xe8')
    return !codeAt(Target).empty();
  return Code.starts_with("\xff\x15") && !symbolOfSlot(Target).empty();
}

StringRef ImportedCalls::calledBefore(uint64_t ReturnAddress) const {
  if (Slots.empty() || ReturnAddress < LongestCall)
    return {};
  const StringRef Code = codeAt(ReturnAddress - LongestCall);
  if (Code.size() < LongestCall)
    return {};
  const uint64_t Target = ReturnAddress + displacement(Code, 2);
  if (Code[1] == '\xe8')
    return symbolOfStub(Target);
  if (Code.starts_with("\xff\x15"))
    return symbolOfSlot(Target);
  return {};
}
