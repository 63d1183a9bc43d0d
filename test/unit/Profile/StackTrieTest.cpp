//===- unit/Profile/StackTrieTest.cpp - Stacks by their common callers ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/StackTrie.h"
#include "gtest/gtest.h"
#include <vector>

using namespace thermocline::profile;
using Node = StackTrie::Node;

TEST(StackTrieTest, FindsEachOfManyChildrenAgain) {
  constexpr uint32_t NumChildren = 1000;
  StackTrie Stacks;
  std::vector<Node> Children;
  for (uint32_t F = 0; F != NumChildren; ++F)
    Children.push_back(Stacks.child(StackTrie::Root, F));
  EXPECT_EQ(Stacks.size(), 1 + NumChildren);
  for (uint32_t F = 0; F != NumChildren; ++F) {
    EXPECT_EQ(Stacks.child(StackTrie::Root, F), Children[F]);
    EXPECT_EQ(Stacks.parent(Children[F]), StackTrie::Root);
    EXPECT_EQ(Stacks.frame(Children[F]), F);
  }
  EXPECT_EQ(Stacks.size(), 1 + NumChildren);
}

TEST(StackTrieTest, TellsEqualFramesOfDifferentCallersApart) {
  StackTrie Stacks;
  const Node A = Stacks.child(StackTrie::Root, 7);
  const Node B = Stacks.child(StackTrie::Root, 8);
  const Node InA = Stacks.child(A, 7), OtherInA = Stacks.child(A, 8);
  const Node InB = Stacks.child(B, 7), OtherInB = Stacks.child(B, 8);
  EXPECT_EQ(Stacks.size(), 7u);
  EXPECT_EQ(Stacks.child(A, 7), InA);
  EXPECT_EQ(Stacks.child(A, 8), OtherInA);
  EXPECT_EQ(Stacks.child(B, 7), InB);
  EXPECT_EQ(Stacks.child(B, 8), OtherInB);
  EXPECT_EQ(Stacks.parent(OtherInB), B);
  EXPECT_EQ(Stacks.size(), 7u);
}
