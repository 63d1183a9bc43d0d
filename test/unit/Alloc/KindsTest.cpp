//===- unit/Alloc/KindsTest.cpp - One list of allocation functions --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's table of functions that can be hinted and the allocator's
// kinds of hinted calls are both made of the one list. That allocators of
// tomorrow understand libraries of today, numbers of kinds stay what they are.
//
//===----------------------------------------------------------------------===//

#include "abi/HintTable.h"
#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Format/AllocationKinds.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace thermocline;
using annotate::AllocationKind;

namespace {

struct Listed {
  alloc::Kind Counted;
  AllocationKind Hinted;
  const char *Symbol;
  std::string ColdSymbol;
};

const std::vector<Listed> List = {
#define THERMOCLINE_C_FUNCTION(K, Name, Prototype)                             \
  {alloc::Kind::K, AllocationKind::K, Name, Name "_cold"},
#define THERMOCLINE_NEW(K, Name, Symbol, ColdSymbol, Prototype)                \
  {alloc::Kind::K, AllocationKind::K, Symbol, ColdSymbol},
    THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_C_FUNCTION)
        THERMOCLINE_OPERATORS_NEW(THERMOCLINE_NEW)};

TEST(Kinds, CompilerHintsWhatIsListed) {
  size_t NumHinted = 0;
  for (const annotate::AllocationFunction &Row :
       annotate::allocationFunctions())
    NumHinted += Row.Form != annotate::HintForm::OwnHint;
  EXPECT_EQ(NumHinted, List.size());
  for (const Listed &L : List) {
    const auto &Row = annotate::allocationFunction(L.Hinted);
    EXPECT_EQ(Row.Name, L.Symbol);
    EXPECT_EQ(Row.ColdName, L.ColdSymbol);
  }
}

TEST(Kinds, AllocatorCountsWhatIsListed) {
  for (size_t I = 0; I != List.size(); ++I)
    EXPECT_EQ(static_cast<size_t>(List[I].Counted), I);
  EXPECT_EQ(static_cast<size_t>(alloc::Kind::NotCold), List.size());
}

TEST(Kinds, NumbersAreThoseOfTheInterface) {
  EXPECT_EQ(static_cast<unsigned>(alloc::Kind::Malloc), 0u);
  EXPECT_EQ(static_cast<unsigned>(alloc::Kind::Strndup), 8u);
  EXPECT_EQ(static_cast<unsigned>(alloc::Kind::New), 9u);
  EXPECT_EQ(static_cast<unsigned>(alloc::Kind::NewArray), 13u);
  EXPECT_EQ(static_cast<unsigned>(alloc::Kind::SizeReturningNewAligned), 18u);
  EXPECT_EQ(static_cast<unsigned>(alloc::Kind::NotCold), 19u);
}

} // namespace
