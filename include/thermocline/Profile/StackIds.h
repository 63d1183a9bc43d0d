//===- Profile/StackIds.h - LLVM's ids of frames and contexts ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stack id identifies one call in the profile, in `!callsite` and in
// `!memprof` metadata. Its definition is LLVM's: 64 bits of BLAKE3 over the
// little-endian function GUID (8 bytes), line offset (4) and column (4).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_STACKIDS_H
#define THERMOCLINE_PROFILE_STACKIDS_H

#include "thermocline/Support/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ProfileData/MemProf.h"

namespace thermocline::profile {

/// The bits of a line offset that take part in a stack id: clang keeps 16 when
/// it writes metadata.
inline constexpr uint32_t LineOffsetMask = 0xffff;

/// The place of a call to show to users, "+5:18": its line in its function, and
/// its column. A call that the compiler gave no line has no place: "+?". The
/// line is negative if it is before the function's own (an included file,
/// #line).
std::string describePlace(uint32_t LineOffset, uint32_t Column);

/// The line in the source of the call that describePlace() tells of, in a
/// function that begins in line \p Begin; 0 if it has none.
uint32_t lineOf(uint32_t Begin, uint32_t LineOffset, uint32_t Column);

/// The stack id of a call in the function \p Function, \p LineOffset lines
/// after the line of the function's declaration, in column \p Column. Bits of
/// the line offset outside of LineOffsetMask are ignored, as clang ignores
/// them.
StackId computeStackId(llvm::GlobalValue::GUID Function, uint32_t LineOffset,
                       uint32_t Column);
StackId computeStackId(const llvm::memprof::Frame &F);

/// The id of a whole context, leaf first: LLVM's computeFullStackId, which
/// clang writes beside a MIB's size.
uint64_t computeFullStackId(llvm::ArrayRef<llvm::memprof::Frame> Context);

/// What stands beside \p Callee in the list of the functions that a call led to
/// if frames are missing between the two in some context: then the callee is
/// not what was called, or need not be. No function has this GUID.
llvm::GlobalValue::GUID interruptedMark(llvm::GlobalValue::GUID Callee);

} // namespace thermocline::profile

#endif
