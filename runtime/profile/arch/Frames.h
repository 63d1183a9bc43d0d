//===- arch/Frames.h - Frames of functions, and registers -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A frame record is what code with frame pointers leaves on the stack: the
// caller's frame pointer (the base register), and above it the return address.
// The base register points to it, or to a place at a fixed distance.
// port/Frames.h defines:
//
//   RecordOffset         where the record lies, in bytes from where the base
//                        register points: mostly 0
//   Caller               the place of a function that the program called, made
//                        by THERMOCLINE_CALLER at its very beginning:
//                          const uintptr_t *Frame   its frame record
//                          uintptr_t ReturnAddress  where it returns to
//                          uintptr_t ownCode()      an address in the function,
//                                                   if only its unwind rule
//                                                   says where its frame ends;
//                                                   else 0
//   CallPushesReturn     whether a call pushes the return address, so that it
//                        is in the word below the canonical frame address, and
//                        a record with base register ends the frame. If not,
//                        both lie where the function put them, or the address
//                        is still in a register (the link)
//   RedZoneBytes         what code may use below its stack pointer
//   SavedRegisters       where the kernel saved registers of what a signal
//                        interrupted, in bytes from the stack pointer that the
//                        handler returns with: Base, Pointer, Code, and Link
//                        unless CallPushesReturn
//
// and the function that is declared here.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ARCH_FRAMES_H
#define THERMOCLINE_RUNTIME_PROFILE_ARCH_FRAMES_H

#include <stddef.h>
#include <stdint.h>

namespace thermocline::runtime::arch {

/// The address that \p Saved, as it is in a frame record or the link, returns
/// to: it may be signed.
uintptr_t returnAddress(uintptr_t Saved);

} // namespace thermocline::runtime::arch

#include "port/Frames.h"

#endif
