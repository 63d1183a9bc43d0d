//===- unwind/UnwindRules.h - How to step out of a function -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: code without frame pointers (libc, libstdc++, libraries as they are
// installed) leaves in the register what its caller had there, or anything. A
// walk by frame pointers then misses the call that the program made into it.
// What steps over such a frame is its entry (FDE) in the unwind table
// (.eh_frame): a small program that says, for an address of code, where the
// frame's return address and the caller's frame pointer are.
//
// Solution: the entry's program is run once for an address; what comes out fits
// in eight bytes for all code that compilers write, and is remembered. Reading
// the tables takes some hundred nanoseconds, remembered rules a few.
//
// Source: System V ABI for AMD64, 6.2; DWARF 5, 6.4; Linux Standard Base 5,
// 10.6 (.eh_frame, .eh_frame_hdr).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_UNWIND_UNWINDRULES_H
#define THERMOCLINE_RUNTIME_PROFILE_UNWIND_UNWINDRULES_H

#include "platform/Base.h"

namespace thermocline::runtime {

/// The place of a frame's canonical frame address (CFA), which is the address
/// of the stack before the call, and that of the return address. Where a call
/// pushes it, it is in the word below the CFA.
struct UnwindRule {
  enum class Kind : uint8_t {
    /// The base register points to a frame record (arch/Frames.h). If a call
    /// pushes the return address, the record ends the frame; else CfaOffset is
    /// from the record, or 0 if it is not known. Also where there is no
    /// entry, or one that no rule can express.
    FramePointer,
    /// CfaOffset above the stack pointer.
    StackPointer,
    /// CfaOffset above the base register, but not as in FramePointer.
    Base,
    /// There is no caller: the thread begins here.
    Outermost,
    /// What a signal handler returns to: the kernel has saved the registers of
    /// the code that the signal interrupted, at the stack pointer.
    Signal,
  };
  Kind How = Kind::FramePointer;
  /// Whether the function saved the caller's base register, at SavedOffset from
  /// the CFA; else that still has the caller's value.
  bool SavesBase : 1 = false;
  /// Whether the code is the program's own, and not a library's. In a static
  /// program, everything is.
  bool InProgram : 1 = false;
  /// Unless a call pushes the return address: whether the function saved it, so
  /// many words above SavedOffset; else it is in the link.
  bool SavesReturn : 1 = false;
  int8_t ReturnDistance : 5 = 0;
  /// The offset in words.
  int16_t SavedOffset = 0;
  int32_t CfaOffset = 0;
};
static_assert(sizeof(UnwindRule) == sizeof(uint64_t));

/// Interprets the table \p EhFrameHeader (the contents of .eh_frame_hdr, with
/// what it points to) for the code at \p Address. \returns false if it has no
/// entry for it, or one that no rule can express.
bool readUnwindRule(uintptr_t EhFrameHeader, uintptr_t Address,
                    UnwindRule &Rule);

/// Rules found before. All zeros is empty. Used by all threads without a lock:
/// an entry that two of them write at once is seen to be none.
class UnwindRules {
public:
  /// Called once, when libc is ready. Until then no table is looked for, as
  /// in a static program libc allocates to make what it finds them by.
  void enable() { Enabled.store(true); }

  /// How to step out of the function that has the call instruction \p Address,
  /// or was interrupted before the instruction there.
  UnwindRule of(uintptr_t Address) {
    Entry &E = Entries[slotOf(Address)];
    uint64_t Rule = E.Rule.loadRelaxed();
    if (__builtin_expect((E.HashAndRule.loadRelaxed() ^ Rule) == hash(Address),
                         true))
      return __builtin_bit_cast(UnwindRule, Rule);
    return find(Address, E);
  }

  /// Forgets everything, as libraries were unloaded.
  void clear();

private:
  struct Entry {
    /// One xor the other, so that both must be of one writer to fit.
    Atomic<uint64_t> HashAndRule;
    Atomic<uint64_t> Rule;
  };
  UnwindRule find(uintptr_t Address, Entry &E);

  Atomic<bool> Enabled;

  static constexpr unsigned SlotBits = 14;
  /// No two addresses have the same, and only 0 has 0.
  static uint64_t hash(uintptr_t Address) {
    return Address * 0x9E3779B97F4A7C15;
  }
  static uint64_t slotOf(uintptr_t Address) {
    return hash(Address) >> (64 - SlotBits);
  }
  Entry Entries[1u << SlotBits];
};

} // namespace thermocline::runtime

#endif
