//===- x86_64/code/Calls.cpp - Calls in code for AMD64 --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program/CallInstructions.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace thermocline::profile;

/// The signed number of 4 bytes at \p Offset of \p Code.
static uint64_t displacement(StringRef Code, size_t Offset) {
  return static_cast<uint64_t>(
      int64_t(support::endian::read32le(Code.data() + Offset) ^ 0x80000000u) -
      0x80000000);
}

/// A call of an address, or through a slot.
static std::optional<CallTarget> targetBefore(CodeReader CodeAt,
                                              uint64_t ReturnAddress) {
  constexpr size_t LongestCall = 6;
  if (ReturnAddress < LongestCall)
    return std::nullopt;
  const StringRef Code = CodeAt(ReturnAddress - LongestCall);
  if (Code.size() < LongestCall)
    return std::nullopt;
  const uint64_t Target = ReturnAddress + displacement(Code, 2);
  if (Code[1] == '\xe8')
    return CallTarget{CallTarget::Kind::Code, Target};
  if (Code.starts_with("\xff\x15"))
    return CallTarget{CallTarget::Kind::Slot, Target};
  return std::nullopt;
}

/// A stub is a jump through its slot, after what linkers put in front.
static std::optional<uint64_t> slotOfStub(CodeReader CodeAt, uint64_t Address) {
  const StringRef Code = CodeAt(Address);
  StringRef Rest = Code;
  Rest.consume_front("\xf3\x0f\x1e\xfa"); // endbr64
  if (Rest.starts_with("\x41\xbb"))       // mov NUMBER, %r11d
    Rest = Rest.drop_front(6);
  Rest.consume_front("\xf2"); // bnd
  constexpr size_t JumpBytes = 6;
  if (!Rest.starts_with("\xff\x25") || Rest.size() < JumpBytes)
    return std::nullopt;
  const uint64_t After = Address + (Code.size() - Rest.size()) + JumpBytes;
  return After + displacement(Rest, 2);
}

const CallInstructions thermocline::profile::x86_64::Calls = {
    Triple::x86_64, ELF::R_X86_64_JUMP_SLOT, ELF::R_X86_64_GLOB_DAT,
    targetBefore, slotOfStub};
