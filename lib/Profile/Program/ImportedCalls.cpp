//===- Profile/Program/ImportedCalls.cpp - Calls into other objects -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/ImportedCalls.h"
#include "CallInstructions.h"

using namespace llvm;
using namespace llvm::object;
using namespace thermocline::profile;

static const CallInstructions *instructionsOf(const ELFObjectFileBase &Object) {
  static constexpr const CallInstructions *All[] = {
#define THERMOCLINE_ARCHITECTURE(Name) &Name::Calls,
#include "arch/Architectures.def"
#undef THERMOCLINE_ARCHITECTURE
  };
  const auto *Found = find_if(All, [&](const CallInstructions *Each) {
    return Each->Architecture == Object.getArch();
  });
  return Found == std::end(All) ? nullptr : *Found;
}

ImportedCalls::ImportedCalls(const ELFObjectFileBase &Object)
    : Object(Object), Calls(instructionsOf(Object)) {
  if (!Calls)
    return;
  for (const SectionRef &Section : Object.dynamic_relocation_sections())
    for (const RelocationRef &Relocation : Section.relocations()) {
      if (Relocation.getType() != Calls->JumpSlot &&
          Relocation.getType() != Calls->GlobalData)
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

StringRef ImportedCalls::symbolOfSlot(uint64_t Address) const {
  auto Found = Slots.find(Address);
  return Found == Slots.end() ? StringRef() : StringRef(Found->second);
}

StringRef ImportedCalls::symbolOfStub(uint64_t Address) const {
  const std::optional<uint64_t> Slot = Calls->SlotOfStub(
      [&](uint64_t CodeAddress) { return codeAt(CodeAddress); }, Address);
  return Slot ? symbolOfSlot(*Slot) : StringRef();
}

std::optional<CallTarget>
ImportedCalls::targetBefore(uint64_t ReturnAddress) const {
  if (!Calls)
    return std::nullopt;
  return Calls->TargetBefore(
      [&](uint64_t CodeAddress) { return codeAt(CodeAddress); }, ReturnAddress);
}

bool ImportedCalls::isByName(uint64_t ReturnAddress) const {
  const std::optional<CallTarget> Target = targetBefore(ReturnAddress);
  // The bytes of an address may look like the call of another.
  return Target && (Target->What == CallTarget::Kind::Code
                        ? !codeAt(Target->Address).empty()
                        : !symbolOfSlot(Target->Address).empty());
}

StringRef ImportedCalls::calledBefore(uint64_t ReturnAddress) const {
  if (Slots.empty())
    return {};
  const std::optional<CallTarget> Target = targetBefore(ReturnAddress);
  if (!Target)
    return {};
  return Target->What == CallTarget::Kind::Code ? symbolOfStub(Target->Address)
                                                : symbolOfSlot(Target->Address);
}
