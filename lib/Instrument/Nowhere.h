//===- Instrument/Nowhere.h - Where nothing is counted ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_NOWHERE_H
#define THERMOCLINE_LIB_INSTRUMENT_NOWHERE_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

namespace thermocline::instrument {

/// The address that an update has while it counts zero accesses: the frame of
/// the function, whose counter nobody reads and no other thread writes.
class Nowhere {
public:
  explicit Nowhere(llvm::Function &F) : F(F) {}

  llvm::Value *address() {
    if (Address)
      return Address;
    llvm::IRBuilder<> Entry(&F.getEntryBlock(),
                            F.getEntryBlock().getFirstInsertionPt());
    return Address =
               Entry.CreateIntrinsic(llvm::Intrinsic::frameaddress,
                                     {Entry.getPtrTy()}, {Entry.getInt32(0)});
  }

private:
  llvm::Function &F;
  llvm::Value *Address = nullptr;
};

} // namespace thermocline::instrument

#endif
