//===- link/report/CopyReasons.h - Linked copies as a reason ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_REPORT_COPYREASONS_H
#define THERMOCLINE_LTO_LINK_REPORT_COPYREASONS_H

#include "link/LinkResults.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace thermocline::lto {

/// Gives contexts of \p Parts that have no hint because of one of \p Copies the
/// outcome Outcome::CopyWithoutProfile. Returns what to warn of; nothing if no
/// cold context loses its hint.
std::string nameCopies(llvm::MutableArrayRef<LinkPart> Parts,
                       const CopiesWithoutProfile &Copies);

} // namespace thermocline::lto

#endif
