//===- Instrument/Bases.h - The object of an address ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_BASES_H
#define THERMOCLINE_LIB_INSTRUMENT_BASES_H

#include "thermocline/Instrument/Accesses.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constant.h"
#include "llvm/IR/Instructions.h"

namespace thermocline::instrument {

/// Whether what is computed from \p Base need not stay in one object, because
/// \p Base itself is no pointer to one: it was an integer, or is a constant
/// that the program does arithmetic with.
inline bool mayBeAnyPointer(const llvm::Value &Base) {
  return llvm::isa<llvm::IntToPtrInst, llvm::Constant>(Base);
}

/// The pointer that the address of \p Update was computed from. What may be any
/// pointer says nothing but that equal addresses are equal.
inline const llvm::Value *baseOf(const CounterUpdate &Update) {
  const llvm::Value *Address = Update.Base ? Update.Base : Update.Address;
  const llvm::Value *Base = llvm::getUnderlyingObject(Address, /*MaxLookup=*/0);
  return mayBeAnyPointer(*Base) ? Address : Base;
}

/// An address in the object that is accessed at \p Address, which takes less to
/// compute: what a field or an element is found from lies in front of it, and
/// not in front of the object, if the arithmetic says that it stays inside and
/// only goes up. Indices that are not known go up by \p Most bytes or fewer in
/// all; UINT64_MAX for any. \returns \p Address if there is none.
llvm::Value *cheapAddress(llvm::Value *Address, uint64_t Most);

} // namespace thermocline::instrument

#endif
