//===- unit/Tools/MemoryTest.cpp ------------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "gtest/gtest.h"
#include <csignal>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

TEST(Memory, HeapIsAnonymousMemoryButStacks) {
  EXPECT_EQ(
      referencedHeap(
          "00400000-00401000 r-xp 00000000 08:01 123        /usr/bin/program\n"
          "Size:                  4 kB\n"
          "Referenced:         1000 kB\n"
          "00500000-00600000 rw-p 00000000 00:00 0          [heap]\n"
          "Size:               1024 kB\n"
          "Referenced:            8 kB\n"
          "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \n"
          "Referenced:           16 kB\n"
          "7f0000200000-7f0000300000 rw-p 00000000 00:00 0  [anon:arena]\n"
          "Referenced:           32 kB\n"
          "7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0  [stack]\n"
          "Referenced:         2000 kB\n"
          "7ffd00030000-7ffd00031000 r-xp 00000000 00:00 0  [vdso]\n"
          "Referenced:         4000 kB\n"),
      Bytes(56 * 1024));
  EXPECT_EQ(referencedHeap(""), Bytes(0));
}

TEST(Memory, StacksOfThreadsAreNoHeap) {
  constexpr char Smaps[] = "7f0000000000-7f0000001000 ---p 00000000 00:00 0 \n"
                           "Referenced:            0 kB\n"
                           "7f0000001000-7f0000801000 rw-p 00000000 00:00 0 \n"
                           "Referenced:           16 kB\n"
                           "7f0000900000-7f0000901000 ---p 00000000 00:00 0 \n"
                           "Referenced:            0 kB\n"
                           "7f0000901000-7f0001101000 rw-p 00000000 00:00 0 \n"
                           "Referenced:           32 kB\n"
                           "7f0001200000-7f0001a00000 rw-p 00000000 00:00 0 \n"
                           "Referenced:           64 kB\n";
  EXPECT_EQ(referencedHeap(Smaps), Bytes(112 * 1024));
  EXPECT_EQ(referencedHeap(Smaps, {0x7f0000800990}), Bytes(96 * 1024));
  EXPECT_EQ(referencedHeap(Smaps, {0x7f0001100990, 0x7f0000800990}),
            Bytes(64 * 1024));
  // What has no guard is not libc's stack, and in the midst of a mapping a
  // stack is not all of it.
  EXPECT_EQ(referencedHeap(Smaps, {0x7f00019ff000, 0x7f0000400990}),
            Bytes(112 * 1024));
}

TEST(Memory, ShortRunHasOneWindow) {
  ShellCommand Line;
  Line.Words = {"sh", "-c", "exit 2"};
  Expected<MemoryOfRun> Run = runForMemory(Line, 10);
  ASSERT_TRUE(bool(Run)) << toString(Run.takeError());
  EXPECT_EQ(Run->How.Code, 2);
  ASSERT_EQ(Run->Touched.size(), 1u);
  EXPECT_GT(Run->Touched[0], Bytes(0));
  EXPECT_GE(Run->Peak, Run->Final);
  EXPECT_GT(Run->Final, Bytes(0));
}

TEST(Memory, LongRunHasSeveral) {
  ShellCommand Line;
  Line.Words = {"sh", "-c", "i=0; while [ $i != 600000 ]; do i=$((i+1)); done"};
  Expected<MemoryOfRun> Run = runForMemory(Line, 0.005);
  ASSERT_TRUE(bool(Run)) << toString(Run.takeError());
  EXPECT_GE(Run->Touched.size(), 3u);
}

TEST(Memory, SignalsReachTheProgram) {
  ShellCommand Line;
  Line.Words = {"sh", "-c", "trap 'exit 5' USR1; kill -USR1 $$; exit 1"};
  Expected<MemoryOfRun> Run = runForMemory(Line, 1);
  ASSERT_TRUE(bool(Run)) << toString(Run.takeError());
  EXPECT_EQ(Run->How.Code, 5);
  Line.Words = {"sh", "-c", "kill -KILL $$"};
  Run = runForMemory(Line, 1);
  ASSERT_TRUE(bool(Run)) << toString(Run.takeError());
  EXPECT_EQ(Run->How.Signal, SIGKILL);
}

TEST(Memory, WhatReplacesItselfIsCountedAnew) {
  ShellCommand Line;
  Line.Words = {"env", "A=1", "sh", "-c", "exit 4"};
  Expected<MemoryOfRun> Run = runForMemory(Line, 1);
  ASSERT_TRUE(bool(Run)) << toString(Run.takeError());
  EXPECT_EQ(Run->How.Code, 4);
  EXPECT_EQ(Run->Touched.size(), 1u);
}

TEST(Memory, StoppedProgramGoesOn) {
  ShellCommand Line;
  Line.Words = {"sh", "-c",
                "(while kill -CONT $$; do :; done) 2>/dev/null & "
                "kill -STOP $$; exit 6"};
  Expected<MemoryOfRun> Run = runForMemory(Line, 0.005);
  ASSERT_TRUE(bool(Run)) << toString(Run.takeError());
  EXPECT_EQ(Run->How.Code, 6);
}
