//===- unit/Alloc/HintValuesTest.cpp - Which hints mean cold --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This program runs on the allocator that it tests.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Format/AllocationKinds.h"
#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

TEST(HintValues, LowHalfIsCold) {
  for (unsigned Hint = 0; Hint != 256; ++Hint) {
    void *P = ::operator new(24, __hot_cold_t(Hint));
    EXPECT_EQ(thermocline_alloc_is_cold(P), Hint <= 127) << Hint;
    ::operator delete(P);
  }
}

TEST(Statistics, CountWhatLanded) {
  auto ReadMalloc = [] {
    thermocline_alloc_counter First;
    thermocline_alloc_stats(&First, 1, nullptr);
    EXPECT_STREQ(First.kind, "malloc");
    return First;
  };
  thermocline_alloc_counter Before = ReadMalloc();
  free(malloc_cold(1000));
  EXPECT_EQ(malloc_cold(SIZE_MAX), nullptr);
  thermocline_alloc_counter After = ReadMalloc();
  EXPECT_EQ(After.calls - Before.calls, 1u);
  EXPECT_EQ(After.bytes - Before.bytes, 1000u);
  EXPECT_EQ(After.cold_calls - Before.cold_calls, 1u);
  EXPECT_EQ(After.cold_bytes - Before.cold_bytes, 1000u);
}

TEST(Statistics, CountersHaveTheListedNames) {
  const char *Names[] = {
#define THERMOCLINE_NAME(Kind, Name, ...) Name,
      THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_NAME)
          THERMOCLINE_OPERATORS_NEW(THERMOCLINE_NAME) "not_cold"};
  thermocline_alloc_counter Counters[std::size(Names)];
  ASSERT_EQ(thermocline_alloc_stats(Counters, std::size(Names), nullptr),
            std::size(Names));
  for (size_t I = 0; I != std::size(Names); ++I)
    EXPECT_STREQ(Counters[I].kind, Names[I]);
}

TEST(Statistics, LiveBytesFollowObjects) {
  auto Live = [] {
    thermocline_alloc_heap Heap;
    thermocline_alloc_stats(nullptr, 0, &Heap);
    return Heap.live_bytes;
  };
  unsigned long long Before = Live();
  void *P = malloc_cold(4096);
  EXPECT_EQ(Live() - Before, 4096u);
  free(P);
  EXPECT_EQ(Live(), Before);
}

TEST(Resize, KeepsContentsAndHeap) {
  std::string Pattern = "cold contents";
  char *P = strdup_cold(Pattern.c_str());
  for (size_t Size : {100u, 5000u, 3000000u, 200u, 14u}) {
    P = static_cast<char *>(realloc_cold(P, Size));
    ASSERT_NE(P, nullptr);
    EXPECT_TRUE(thermocline_alloc_is_cold(P));
    EXPECT_EQ(P, Pattern);
  }
  free(P);
}

TEST(Resize, WithoutAHintIsNotCold) {
  std::string Pattern = "cold contents";
  // Also where the object could stay where it is.
  for (size_t Size : {14u, 16u, 100u, 5000u, 3000000u}) {
    char *P = strdup_cold(Pattern.c_str());
    P = static_cast<char *>(realloc(P, Size));
    ASSERT_NE(P, nullptr);
    EXPECT_FALSE(thermocline_alloc_is_cold(P));
    EXPECT_EQ(P, Pattern);
    P = static_cast<char *>(realloc_cold(P, Size));
    EXPECT_TRUE(thermocline_alloc_is_cold(P));
    EXPECT_EQ(P, Pattern);
    P = static_cast<char *>(reallocarray(P, Size, 2));
    EXPECT_FALSE(thermocline_alloc_is_cold(P));
    EXPECT_EQ(P, Pattern);
    free(P);
  }
}
