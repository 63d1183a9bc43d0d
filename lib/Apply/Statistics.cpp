//===- Apply/Statistics.cpp - What the backends did -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <numeric>

using namespace llvm;
using namespace thermocline::apply;

StringRef thermocline::apply::describe(NotLowered Reason) {
  switch (Reason) {
  case NotLowered::UnknownFunction:
    return "unknown allocation function";
  case NotLowered::OwnAllocator:
    return "the program's own allocation function";
  case NotLowered::OwnHint:
    return "the program passes a hint itself";
  case NotLowered::MustTail:
    return "musttail call";
  case NotLowered::Redefined:
    return "redefined by --wrap, --defsym or a script";
  case NotLowered::NoVariant:
    return "the cold variant is not defined in the link";
  case NotLowered::UnfitVariant:
    return "the cold variant has another type";
  }
  llvm_unreachable("all reasons are covered");
}

uint64_t ApplyStatistics::allLowered() const {
  uint64_t Result =
      std::accumulate(Lowered.begin(), Lowered.end(), uint64_t(0));
  for (const auto &[Name, Count] : LoweredNamed)
    Result += Count;
  return Result;
}

ApplyStatistics &ApplyStatistics::operator+=(const ApplyStatistics &Other) {
  ClonesMade += Other.ClonesMade;
  CallsRedirected += Other.CallsRedirected;
  CallsPromoted += Other.CallsPromoted;
  CopiesDropped += Other.CopiesDropped;
  FunctionsWithoutSizes += Other.FunctionsWithoutSizes;
  for (auto [Sum, Value] : zip_equal(Lowered, Other.Lowered))
    Sum += Value;
  for (const auto &[Name, Count] : Other.LoweredNamed)
    LoweredNamed[Name] += Count;
  for (auto [Sum, Value] : zip_equal(NotLoweredBy, Other.NotLoweredBy))
    Sum += Value;
  return *this;
}
