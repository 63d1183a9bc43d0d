//===- Instrument/Accesses.cpp - What a function accesses -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/Accesses.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline::instrument;

StringRef thermocline::instrument::toString(SkipReason Reason) {
  switch (Reason) {
  case SkipReason::Stack:
    return "stack";
  case SkipReason::Global:
    return "global";
  case SkipReason::VirtualTable:
    return "virtual table";
  case SkipReason::AddressSpace:
    return "address space";
  case SkipReason::SwiftError:
    return "swifterror";
  case SkipReason::ProfileCounter:
    return "profile counter";
  case SkipReason::GatherScatter:
    return "gather or scatter";
  case SkipReason::ElementAtomic:
    return "element-wise atomic";
  case SkipReason::ScalableGather:
    return "scalable gather or scatter";
  case SkipReason::TargetIntrinsic:
    return "intrinsic of the target";
  case SkipReason::OtherIntrinsic:
    return "other intrinsic";
  case SkipReason::InlineAssembly:
    return "inline assembly";
  }
  llvm_unreachable("unknown reason");
}
