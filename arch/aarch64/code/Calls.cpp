//===- aarch64/code/Calls.cpp - Calls in code for AArch64 -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Arm Architecture Reference Manual for A-profile, C6.2 (ADRP, BL, BLR,
// BR, LDR); Procedure Call Standard, ELF for AArch64, 5.7 (relocations).
//
//===----------------------------------------------------------------------===//

#include "Program/CallInstructions.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace thermocline::profile;

static constexpr uint64_t InstructionBytes = 4;

static std::optional<uint32_t> instructionAt(CodeReader CodeAt,
                                             uint64_t Address) {
  const StringRef Code = CodeAt(Address);
  if (Address % InstructionBytes || Code.size() < InstructionBytes)
    return std::nullopt;
  return support::endian::read32le(Code.data());
}

namespace {
/// ldr xTO, [xBASE, #Offset]
struct Load {
  uint32_t To, Base;
  uint64_t Offset;
};
} // namespace

static std::optional<Load> asLoad(uint32_t Instruction) {
  if ((Instruction & 0xffc00000) != 0xf9400000)
    return std::nullopt;
  return Load{Instruction & 31, Instruction >> 5 & 31,
              uint64_t(Instruction >> 10 & 0xfff) * 8};
}

/// The page that adrp at \p Address computes into the register \p To.
static std::optional<uint64_t> asPage(uint32_t Instruction, uint32_t To,
                                      uint64_t Address) {
  if ((Instruction & 0x9f000000) != 0x90000000 || (Instruction & 31) != To)
    return std::nullopt;
  const uint64_t Pages =
      (Instruction >> 5 & 0x7ffff) << 2 | (Instruction >> 29 & 3);
  return (Address & ~uint64_t(0xfff)) +
         (static_cast<uint64_t>(SignExtend64<21>(Pages)) << 12);
}

/// Looks back for the two instructions by which code compiled with -fno-plt
/// loads the address in \p Register from a slot.
static std::optional<uint64_t>
slotLoadedBefore(CodeReader CodeAt, uint32_t Register, uint64_t Call) {
  constexpr unsigned MostLookedAt = 16;
  std::optional<Load> Last;
  for (unsigned I = 1; I <= MostLookedAt && Call >= I * InstructionBytes; ++I) {
    const uint64_t Address = Call - I * InstructionBytes;
    const std::optional<uint32_t> It = instructionAt(CodeAt, Address);
    if (!It)
      return std::nullopt;
    if (Last) {
      if (std::optional<uint64_t> Page = asPage(*It, Last->Base, Address))
        return *Page + Last->Offset;
    } else if (std::optional<Load> Found = asLoad(*It);
               Found && Found->To == Register) {
      Last = Found;
    }
  }
  return std::nullopt;
}

/// bl, or blr.
static std::optional<CallTarget> targetBefore(CodeReader CodeAt,
                                              uint64_t ReturnAddress) {
  if (ReturnAddress < InstructionBytes)
    return std::nullopt;
  const uint64_t Call = ReturnAddress - InstructionBytes;
  const std::optional<uint32_t> It = instructionAt(CodeAt, Call);
  if (!It)
    return std::nullopt;
  if ((*It & 0xfc000000) == 0x94000000)
    return CallTarget{CallTarget::Kind::Code,
                      Call + static_cast<uint64_t>(SignExtend64<28>(
                                 uint64_t(*It & 0x3ffffff) << 2))};
  if ((*It & 0xfffffc1f) == 0xd63f0000)
    if (auto Slot = slotLoadedBefore(CodeAt, *It >> 5 & 31, Call))
      return CallTarget{CallTarget::Kind::Slot, *Slot};
  return std::nullopt;
}

/// bti c, where branches are checked; adrp x16, ldr x17. What follows is the
/// same for all: the slot's address into x16, perhaps autia1716, and br x17.
static std::optional<uint64_t> slotOfStub(CodeReader CodeAt, uint64_t Address) {
  constexpr uint32_t BranchTarget = 0xd503245f;
  constexpr uint32_t X16 = 16, X17 = 17;
  if (instructionAt(CodeAt, Address) == BranchTarget)
    Address += InstructionBytes;
  const std::optional<uint32_t> First = instructionAt(CodeAt, Address);
  const std::optional<uint32_t> Second =
      instructionAt(CodeAt, Address + InstructionBytes);
  if (!First || !Second)
    return std::nullopt;
  const std::optional<uint64_t> Page = asPage(*First, X16, Address);
  const std::optional<Load> Loaded = asLoad(*Second);
  if (!Page || !Loaded || Loaded->To != X17 || Loaded->Base != X16)
    return std::nullopt;
  return *Page + Loaded->Offset;
}

const CallInstructions thermocline::profile::aarch64::Calls = {
    Triple::aarch64, ELF::R_AARCH64_JUMP_SLOT, ELF::R_AARCH64_GLOB_DAT,
    targetBefore, slotOfStub};
