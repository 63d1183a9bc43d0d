//===- unit/Runtime/Lifecycle/RuntimeOptionsTest.cpp - MEMPROF_OPTIONS ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lifecycle/Options.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <string>
#include <unistd.h>

using namespace thermocline::runtime;

/// Parses \p Text into \p O and returns what it complains of.
static std::string parse(Options &O, const char *Text) {
  int Pipe[2];
  EXPECT_EQ(pipe(Pipe), 0);
  {
    TextWriter Errors(Pipe[1]);
    O.parse(Text, "here", Errors);
  }
  close(Pipe[1]);
  std::string Result(4096, 0);
  Result.resize(static_cast<size_t>(read(Pipe[0], Result.data(), 4096)));
  close(Pipe[0]);
  return Result;
}

TEST(RuntimeOptionsTest, SetsWhatItKnows) {
  Options O;
  EXPECT_EQ(parse(O, "log_path=a/b:dump_at_exit=0,print_text=true "
                     "malloc_context_size=7\tcount_like_llvm=yes"),
            "");
  EXPECT_STREQ(O.LogPath.text(), "a/b");
  EXPECT_FALSE(O.DumpAtExit);
  EXPECT_TRUE(O.PrintText);
  EXPECT_TRUE(O.CountLikeLlvm);
  EXPECT_EQ(O.MallocContextSize, 7u);
  EXPECT_FALSE(O.PrintTerse);
}

TEST(RuntimeOptionsTest, LaterValuesHoldAndQuotesKeepSeparators) {
  Options O;
  EXPECT_EQ(parse(O, "log_path='a:b c':print_terse=1:print_terse=0"), "");
  EXPECT_STREQ(O.LogPath.text(), "a:b c");
  EXPECT_FALSE(O.PrintTerse);
  EXPECT_EQ(parse(O, "log_path=\"x,y"), "");
  EXPECT_STREQ(O.LogPath.text(), "x,y");
}

TEST(RuntimeOptionsTest, NamesWhatItDoesNotUnderstand) {
  Options O;
  EXPECT_EQ(parse(O, "nonsense"),
            "Thermocline: here: unknown option 'nonsense', ignored\n");
  EXPECT_EQ(parse(O, "print_text=2"),
            "Thermocline: here: option 'print_text' cannot be '2', ignored\n");
  EXPECT_EQ(parse(O, "log_path="),
            "Thermocline: here: option 'log_path' cannot be '', ignored\n");
  for (const char *Number :
       {"0", "-1", "1x", "1025", "99999999999999999999999"})
    EXPECT_NE(parse(O, (std::string("malloc_context_size=") + Number).c_str()),
              "");
  EXPECT_EQ(O.MallocContextSize, 256u);
  EXPECT_EQ(parse(O, "=:::,,= "),
            "Thermocline: here: unknown option '', ignored\n"
            "Thermocline: here: unknown option '', ignored\n");
}

TEST(RuntimeOptionsTest, NamesWhatOnlyLlvmsRuntimeDoes) {
  Options O;
  EXPECT_EQ(parse(O, "symbolize=0:print_text=1:nonsense=1:color=never"),
            "Thermocline: here: unknown option 'nonsense', ignored\n"
            "Thermocline: here: without meaning here, as options of LLVM's "
            "runtime: symbolize, color\n");
  EXPECT_TRUE(O.PrintText);
  EXPECT_EQ(parse(O, "verbosity=2:atexit=1:log_exe_name=1:log_suffix=.raw"),
            "");
  EXPECT_EQ(O.Verbosity, 2u);
  EXPECT_TRUE(O.StatisticsAtExit && O.LogExeName);
  EXPECT_STREQ(O.LogSuffix.text(), ".raw");
}

TEST(RuntimeOptionsTest, ReadsFurtherFiles) {
  char First[] = "/tmp/runtime-options-XXXXXX",
       Second[] = "/tmp/runtime-options-XXXXXX";
  auto Fill = [](int Fd, const std::string &Text) {
    ASSERT_EQ(write(Fd, Text.data(), Text.size()),
              static_cast<ssize_t>(Text.size()));
    close(Fd);
  };
  int FirstFd = mkstemp(First), SecondFd = mkstemp(Second);
  Fill(SecondFd, "malloc_context_size=7\nnonsense");
  Fill(FirstFd, "print_text=1 include=" + std::string(Second) + " sample=3");
  Options O;
  EXPECT_EQ(parse(O, ("include=" + std::string(First) +
                      ":include_if_exists=/no/such/file:include=/nor/this")
                         .c_str()),
            "Thermocline: " + std::string(Second) +
                ": unknown option 'nonsense', ignored\n"
                "Thermocline: here: options cannot be read from '/nor/this'\n");
  EXPECT_TRUE(O.PrintText);
  EXPECT_EQ(O.MallocContextSize, 7u);
  EXPECT_EQ(O.SampleInterval, 3u);
  Fill(open(Second, O_WRONLY | O_TRUNC), "include=" + std::string(First));
  EXPECT_NE(parse(O, ("include=" + std::string(First)).c_str())
                .find("as files include each other"),
            std::string::npos);
  unlink(First);
  unlink(Second);
}

TEST(RuntimeOptionsTest, RefusesAPathThatIsTooLong) {
  Options O;
  EXPECT_NE(parse(O, ("log_path=" + std::string(5000, 'a')).c_str()), "");
}
