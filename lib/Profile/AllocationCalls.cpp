//===- Profile/AllocationCalls.cpp - Names of what allocates --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/AllocationCalls.h"
#include "thermocline/Format/AllocationKinds.h"
#include "thermocline/Profile/CallTable.h"
#include "thermocline/Support/RustNames.h"
#include <unordered_map>

using namespace llvm;
using namespace thermocline;

std::string profile::allocationFunction(uint64_t Callee) {
  static const auto Known = [] {
    std::unordered_map<uint64_t, std::string> Result;
    for (StringRef Name : {
#define THERMOCLINE_NAME(Kind, Name, ...) StringRef(Name),
             THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_NAME)
#undef THERMOCLINE_NAME
#define THERMOCLINE_NAME(Kind, Name, Symbol, ...) StringRef(Symbol),
                 THERMOCLINE_OPERATORS_NEW(THERMOCLINE_NAME)
#undef THERMOCLINE_NAME
         })
      Result.try_emplace(calleeKey(Name), demangled(Name));
    return Result;
  }();
  auto Found = Known.find(Callee);
  return Found == Known.end() ? std::string() : Found->second;
}
