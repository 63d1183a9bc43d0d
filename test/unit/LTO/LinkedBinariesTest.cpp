//===- LinkedBinariesTest.cpp - A link's part of a profile ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "program/LinkedBinaries.h"
#include "TestModule.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "gtest/gtest.h"
#include <vector>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

namespace {

/// Two plugins whose functions have the same names. Each has a context of its
/// own, and both have a third one.
profile::BinaryMap plugins() {
  profile::BinaryMap Map;
  uint8_t Id = 1;
  for (const char *Name : {"idle.so", "busy.so"}) {
    profile::BinaryContents &Plugin = Map.add(ArrayRef(Id), Name);
    Plugin.Functions = {profile::sourceGUID("make"),
                        profile::sourceGUID("name")};
    Plugin.Contexts = {Id, 3};
    ++Id;
  }
  profile::BinaryContents &Program = Map.add(ArrayRef(Id), "program");
  Program.Functions = {profile::sourceGUID("main")};
  Program.Contexts = {4};
  return Map;
}

/// What is elsewhere for a link of a plugin whose allocations have \p Contexts.
LinkedBinaries linkWith(ArrayRef<uint64_t> Contexts) {
  test::TestModule Plugin("define void @make() { ret void }\n"
                          "define void @name() { ret void }\n");
  CodeInventory Code;
  Code.addMergedModule(*Plugin);
  ContextProgram Part;
  Part.addAllocation(Part.addFunction("make", 1, true));
  for (uint64_t Id : Contexts)
    Part.addContext(Temperature::NotCold, Bytes(8), Id, {});
  return LinkedBinaries::among(plugins(), Code, {&Part});
}

TEST(LinkedBinaries, ContextsTellPluginsOfOneNameApart) {
  const LinkedBinaries Idle = linkWith({1}), Busy = linkWith({2, 3});
  EXPECT_TRUE(Idle.isPart());
  EXPECT_FALSE(Idle.allocatedElsewhere(1));
  EXPECT_EQ(Idle.allocatedElsewhere(2), "busy.so");
  EXPECT_EQ(Busy.allocatedElsewhere(1), "idle.so");
  EXPECT_FALSE(Busy.allocatedElsewhere(2));
  for (const LinkedBinaries *Linked : {&Idle, &Busy}) {
    EXPECT_FALSE(Linked->allocatedElsewhere(3));
    EXPECT_EQ(Linked->allocatedElsewhere(4), "program");
  }
}

TEST(LinkedBinaries, WithoutContextsItMayBeAnyPluginOfItsNames) {
  for (const std::vector<uint64_t> &Contexts :
       std::initializer_list<std::vector<uint64_t>>{{}, {5}}) {
    const LinkedBinaries Own = linkWith(Contexts);
    EXPECT_TRUE(Own.isPart());
    for (uint64_t Id : {1, 2, 3})
      EXPECT_FALSE(Own.allocatedElsewhere(Id));
    EXPECT_EQ(Own.allocatedElsewhere(4), "program");
  }
}

} // namespace
