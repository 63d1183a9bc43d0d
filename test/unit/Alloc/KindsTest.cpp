//===- unit/Alloc/KindsTest.cpp - One list of allocation functions --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's table of functions that can be hinted and the allocator's list
// of functions that it counts are two, because the allocator uses nothing of
// the compiler's. They must name the same functions.
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "thermocline/Annotate/AllocationFunctions.h"
#include <gtest/gtest.h>
#include <set>

using namespace thermocline;
using annotate::AllocationKind;

namespace {

struct SameKind {
  alloc::Kind Counted;
  AllocationKind Hinted;
};
constexpr SameKind Same[] = {
    {alloc::Kind::Malloc, AllocationKind::Malloc},
    {alloc::Kind::Calloc, AllocationKind::Calloc},
    {alloc::Kind::Realloc, AllocationKind::Realloc},
    {alloc::Kind::Reallocarray, AllocationKind::ReallocArray},
    {alloc::Kind::AlignedAlloc, AllocationKind::AlignedAlloc},
    {alloc::Kind::Memalign, AllocationKind::Memalign},
    {alloc::Kind::PosixMemalign, AllocationKind::PosixMemalign},
    {alloc::Kind::Strdup, AllocationKind::Strdup},
    {alloc::Kind::Strndup, AllocationKind::Strndup},
    {alloc::Kind::New, AllocationKind::New},
    {alloc::Kind::NewNothrow, AllocationKind::NewNothrow},
    {alloc::Kind::NewAligned, AllocationKind::NewAligned},
    {alloc::Kind::NewAlignedNothrow, AllocationKind::NewAlignedNothrow},
    {alloc::Kind::NewArray, AllocationKind::NewArray},
    {alloc::Kind::NewArrayNothrow, AllocationKind::NewArrayNothrow},
    {alloc::Kind::NewArrayAligned, AllocationKind::NewArrayAligned},
    {alloc::Kind::NewArrayAlignedNothrow,
     AllocationKind::NewArrayAlignedNothrow},
    {alloc::Kind::SizeReturningNew, AllocationKind::SizeReturningNew},
    {alloc::Kind::SizeReturningNewAligned,
     AllocationKind::SizeReturningNewAligned},
};

TEST(Kinds, HintedAndCountedAreTheSame) {
  std::set<AllocationKind> Hinted;
  for (const annotate::AllocationFunction &Row :
       annotate::allocationFunctions())
    if (Row.Form != annotate::HintForm::OwnHint)
      Hinted.insert(Row.Kind);
  std::set<AllocationKind> Counted;
  unsigned Index = 0;
  for (const SameKind &S : Same) {
    EXPECT_EQ(static_cast<unsigned>(S.Counted), Index++);
    Counted.insert(S.Hinted);
  }
  EXPECT_EQ(Hinted, Counted);
  EXPECT_EQ(static_cast<unsigned>(alloc::Kind::NotCold), Index);
}

} // namespace
