//===- Raw/SymbolizedAddress.h - What an address is -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_SYMBOLIZEDADDRESS_H
#define THERMOCLINE_PROFILE_RAW_SYMBOLIZEDADDRESS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ProfileData/MemProf.h"
#include <cstdint>
#include <string>

namespace thermocline::profile {

/// What became of one address.
enum class AddressKind : uint8_t {
  /// The address is in a binary that is known, and has frames.
  Program,
  /// It is in such a binary, but the debug information does not cover it.
  NoDebugInfo,
  /// It is in the profiling runtime, or the program's own allocator.
  Runtime,
  /// It is in a hinted function, which the program called for cold memory.
  ColdFunction,
  /// It is in another object: a shared library, the vdso.
  OtherObject,
  /// It was in several objects, one after the other.
  SeveralObjects,
};

/// Whether such an address is in what the program called for memory.
inline bool isInAllocator(AddressKind Kind) {
  return Kind == AddressKind::Runtime || Kind == AddressKind::ColdFunction;
}

struct SymbolizedAddress {
  AddressKind Kind = AddressKind::OtherObject;
  /// The call is of a function of another object that is no allocation
  /// function, as far as that is known.
  bool CallsOtherObject = false;
  /// The call names its callee (ImportedCalls::isByName()).
  bool CallsByName = false;
  /// The call led through a pointer to code that was not compiled for
  /// profiling, as the program told (Annotate/PointersToAllocators.h).
  bool CallsNative = false;
  /// The compiler made one call of several (SourceFrame).
  bool IsMerged = false;
  /// Innermost inlined call first; only the last is not inlined.
  llvm::SmallVector<llvm::memprof::Frame, 2> Frames;
  /// For NoDebugInfo, the function by the symbol table; may be unknown.
  std::string Symbol;
};

/// A line of the source, in a function. Lines are 0 and the file empty if they
/// are not known.
struct SourceLine {
  /// The linkage name.
  std::string Function;
  std::string File;
  uint32_t Line = 0;
  uint32_t Column = 0;
  /// Where the function begins.
  uint32_t StartLine = 0;
};

} // namespace thermocline::profile

#endif
