//===- unit/Support/ReaderProcessTest.cpp ---------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/ReaderProcess.h"
#include "thermocline/Support/Message.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace thermocline;

/// Takes address space, as an allocator does, and gives it back.
static std::string take(uint64_t Bytes) {
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    report_bad_alloc_error("no memory");
  munmap(Memory, Bytes);
  return "taken";
}

/// Answers with the number of requests so far and the request, or does what
/// the request says.
static ReaderProcess::Answer respond() {
  return [Count = std::make_shared<unsigned>(0)](StringRef Request) {
    int Signal = 0;
    uint64_t Bytes = 0;
    if (Request.consume_front("signal ") && !Request.getAsInteger(10, Signal))
      raise(Signal);
    if (Request.consume_front("allow ") && !Request.getAsInteger(10, Bytes)) {
      ReaderProcess::allowFor(Bytes);
      return take(Bytes * 8);
    }
    if (Request.consume_front("take ") && !Request.getAsInteger(10, Bytes))
      return take(Bytes);
    if (Request == "fatal")
      report_fatal_error("not so", /*gen_crash_diag=*/false);
    if (Request == "exit")
      _exit(7);
    if (Request.consume_front("descriptor ")) {
      int File = 0;
      Request.getAsInteger(10, File);
      return std::string(fcntl(File, F_GETFD) < 0 ? "closed" : "open");
    }
    return utostr(++*Count) + " " + Request.str();
  };
}

static std::string ask(ReaderProcess &Reader, StringRef Request) {
  Expected<std::string> Answer = Reader.ask(Request);
  return Answer ? *Answer : "error: " + toString(Answer.takeError());
}

TEST(ReaderProcess, KeepsWhatItHasBetweenRequests) {
  ReaderProcess Process(respond());
  EXPECT_EQ(Process.child(), 0u);
  EXPECT_EQ(ask(Process, "one"), "1 one");
  const std::string Long(3 << 20, 'x');
  EXPECT_EQ(ask(Process, Long), "2 " + Long);
  EXPECT_EQ(ask(Process, ""), "3 ");
  EXPECT_EQ(Process.child(), 1u);
}

TEST(ReaderProcess, ItsEndIsAnErrorAndAnotherOneIsStarted) {
  ReaderProcess Process(respond());
  EXPECT_EQ(ask(Process, "signal 11"), "error: reading it was ended by signal "
                                       "11 (Segmentation fault)");
  EXPECT_EQ(Process.child(), 0u);
  EXPECT_EQ(ask(Process, "two"), "1 two");
  EXPECT_EQ(Process.child(), 2u);
  EXPECT_EQ(ask(Process, "fatal"), "error: it cannot be read: not so");
  EXPECT_EQ(ask(Process, "exit"), "error: reading it ended with exit status 7");
  EXPECT_EQ(ask(Process, "signal " + utostr(SIGXCPU)),
            "error: reading it takes longer than a file of its size can need");
  EXPECT_EQ(ask(Process, "five"), "1 five");
  Process.stop();
  EXPECT_EQ(ask(Process, "six"), "1 six");
}

TEST(ReaderProcess, TakesMemoryByTheSizeOfFiles) {
  ReaderProcess Process(respond());
  EXPECT_EQ(ask(Process, "take 1000000"), "taken");
  EXPECT_EQ(ask(Process, "take " + utostr(uint64_t(1) << 40)),
            "error: reading it takes more memory than a file of its size can "
            "need");
  // Eight gigabytes, for a file of one.
  EXPECT_EQ(ask(Process, "allow " + utostr(uint64_t(1) << 30)), "taken");
  // That was for one request.
  EXPECT_EQ(ask(Process, "take " + utostr(uint64_t(1) << 33)),
            "error: reading it takes more memory than a file of its size can "
            "need");
}

TEST(ReaderProcess, HasNoFilesOfTheParent) {
  const int File = open("/dev/null", O_RDONLY);
  ReaderProcess First(respond()), Second(respond());
  EXPECT_EQ(ask(First, "one"), "1 one");
  for (int Each : {File, File + 1, File + 2})
    EXPECT_EQ(ask(Second, "descriptor " + utostr(Each)),
              Each == 3 ? "open" : "closed");
  close(File);
}

TEST(Message, NothingIsReadBehindTheEnd) {
  MessageWriter Writer;
  Writer.number(uint32_t(7));
  Writer.texts(std::vector<std::string>{"a", ""});
  const std::string Whole = Writer.take();
  for (size_t Size = 0; Size <= Whole.size(); ++Size) {
    MessageReader Reader(StringRef(Whole).take_front(Size));
    Reader.number<uint32_t>();
    std::vector<std::string> Texts;
    Reader.texts(Texts);
    EXPECT_EQ(Reader.isComplete(), Size == Whole.size());
  }
  // A list that claims to be long.
  MessageWriter Long;
  Long.number(UINT64_MAX);
  const std::string Claims = Long.take();
  MessageReader Reader(Claims);
  std::vector<std::string> Texts;
  Reader.texts(Texts);
  EXPECT_FALSE(Reader.isComplete());
  EXPECT_LE(Texts.size(), 1u);
}
