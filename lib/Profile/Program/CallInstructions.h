//===- Program/CallInstructions.h - What machine code calls -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the folder of an architecture (arch/NAME/code/Calls.cpp) defines to read
// the few instructions that calls of other objects consist of.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_PROGRAM_CALLINSTRUCTIONS_H
#define THERMOCLINE_LIB_PROFILE_PROGRAM_CALLINSTRUCTIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdint>
#include <optional>

namespace thermocline::profile {

/// The bytes of code from an address on; none if there is no code.
using CodeReader = llvm::function_ref<llvm::StringRef(uint64_t Address)>;

/// What a call instruction names.
struct CallTarget {
  enum class Kind {
    /// An address of code.
    Code,
    /// The slot in which the loader enters an address.
    Slot,
  };
  Kind What;
  uint64_t Address;
};

/// An architecture's calls.
struct CallInstructions {
  llvm::Triple::ArchType Architecture;
  /// Relocations by which the loader fills slots: for calls, and for addresses.
  uint32_t JumpSlot, GlobalData;
  /// \returns nothing if the call in front of \p ReturnAddress names nothing.
  std::optional<CallTarget> (*TargetBefore)(CodeReader Code,
                                            uint64_t ReturnAddress);
  /// The slot that the linker's stub at \p Address jumps through. \returns
  /// nothing if it is no stub.
  std::optional<uint64_t> (*SlotOfStub)(CodeReader Code, uint64_t Address);
};

// thermocline::profile::aarch64::Calls, and so on.
#define THERMOCLINE_ARCHITECTURE(Name)                                         \
  namespace Name {                                                             \
  extern const CallInstructions Calls;                                         \
  }
#include "arch/Architectures.def"
#undef THERMOCLINE_ARCHITECTURE

} // namespace thermocline::profile

#endif
