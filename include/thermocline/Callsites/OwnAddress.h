//===- Callsites/OwnAddress.h - Functions that stay apart -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: with --icf=all linkers fold functions of equal code, even where
// their addresses matter. Then a profile takes the calls of one for those of
// the other; and a pointer to the one is equal to the address of the other,
// with which a call through it is compared (Apply/CallPromoter.h).
//
// Idea: constant data before the function, which is part of its section, and of
// no other function's. This takes 16 bytes, and no time. Every linker that
// folds goes by the bytes of sections.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CALLSITES_OWNADDRESS_H
#define THERMOCLINE_CALLSITES_OWNADDRESS_H

namespace llvm {
class Function;
} // namespace llvm

namespace thermocline::callsites {

/// Lets no linker fold the defined function \p F with another. What stands
/// before it already stays next to it. May be called again.
void keepAddressOwn(llvm::Function &F);

/// Does the same for a function that is compiled for profiling, which has
/// nothing before it yet, and lets code see that it is one
/// (Format/NativeCalls.h).
void markProfiled(llvm::Function &F);

} // namespace thermocline::callsites

#endif
