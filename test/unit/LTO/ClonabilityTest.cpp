//===- unit/LTO/ClonabilityTest.cpp ---------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/Clonability.h"
#include "TestModule.h"

using namespace llvm;
using namespace thermocline::annotate;
using namespace thermocline::test;

namespace {

TEST(Clonability, LabelsThatTwoCopiesWouldDefineTwice) {
  EXPECT_TRUE(definesSymbol("here:"));
  EXPECT_TRUE(definesSymbol("nop\n\t.Lhere: nop"));
  EXPECT_TRUE(definesSymbol("nop; 1: _here : nop"));
  EXPECT_FALSE(definesSymbol(""));
  EXPECT_FALSE(definesSymbol("1: jmp 1b"));
  EXPECT_FALSE(definesSymbol(".Lhere${:uid}: jmp .Lhere${:uid}"));
  EXPECT_FALSE(definesSymbol("mov %fs:0, ${0:b}"));
  EXPECT_FALSE(definesSymbol("call f"));
}

TEST(Clonability, WhatMayNotBeRepeated) {
  TestModule M("declare void @g()\n"
               "define void @plain() {\n  call void @g()\n  ret void\n}\n"
               "define linkonce_odr void @odr() {\n  ret void\n}\n"
               "define weak void @replaced() {\n  ret void\n}\n"
               "define void @naked() naked {\n"
               "  call void asm sideeffect \"ret\", \"\"()\n"
               "  unreachable\n}\n"
               "define void @coroutine() presplitcoroutine {\n  ret void\n}\n"
               "define void @once() {\n"
               "  call void @g() noduplicate\n  ret void\n}\n"
               "define void @together() {\n"
               "  call void @g() convergent\n  ret void\n}\n"
               "define ptr @labels() {\n  br label %a\na:\n"
               "  ret ptr blockaddress(@labels, %a)\n}\n"
               "define void @symbol() {\n"
               "  call void asm sideeffect \"s: nop\", \"\"()\n  ret void\n}\n"
               "define internal void @0() {\n  ret void\n}\n");
  for (const char *Name : {"plain", "odr"})
    EXPECT_TRUE(isClonable(M.function(Name))) << Name;
  for (const char *Name : {"replaced", "naked", "coroutine", "once", "together",
                           "labels", "symbol"})
    EXPECT_FALSE(isClonable(M.function(Name))) << Name;
  for (Function &F : *M)
    if (!F.hasName())
      EXPECT_FALSE(isClonable(F));
}

} // namespace
