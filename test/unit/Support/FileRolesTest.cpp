//===- unit/Support/FileRolesTest.cpp -------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/FileRoles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;

namespace {

class FileRolesTest : public testing::Test {
protected:
  FileRolesTest() {
    EXPECT_FALSE(sys::fs::createUniqueDirectory("thermocline-test", Folder));
  }
  ~FileRolesTest() override { sys::fs::remove_directories(Folder); }

  std::string path(StringRef Name) const {
    SmallString<128> Result(Folder);
    sys::path::append(Result, Name);
    return Result.str().str();
  }
  std::string made(StringRef Name) const {
    std::error_code EC;
    raw_fd_ostream(path(Name), EC) << "text";
    EXPECT_FALSE(EC);
    return path(Name);
  }
  static std::string problem(const FileRoles &Files) {
    return toString(Files.check());
  }

  SmallString<128> Folder;
};

TEST_F(FileRolesTest, DifferentFilesAreFine) {
  FileRoles Files;
  Files.uses(made("in"));
  Files.uses(path("missing"));
  Files.uses("");
  Files.writes(path("out"));
  Files.writes(made("other"), "a list");
  Files.writes("");
  EXPECT_EQ(problem(Files), "");
}

TEST_F(FileRolesTest, StreamsAndDevicesMayHaveSeveralRoles) {
  FileRoles Files;
  for (StringRef Name : {"-", "/dev/null"}) {
    Files.uses(Name);
    Files.writes(Name);
    Files.writes(Name, "a list");
  }
  EXPECT_EQ(problem(Files), "");
}

TEST_F(FileRolesTest, TwoOutputsThatAreNotThereYet) {
  FileRoles Files;
  ASSERT_FALSE(sys::fs::create_link(path("late"), path("link")));
  Files.writes(path("./late"), "the output");
  Files.writes(path("link"), "a list");
  EXPECT_EQ(problem(Files), path("link") + ": is the output (" +
                                path("./late") + ") as well as a list");
}

TEST_F(FileRolesTest, WordsOfCommandLinesAndScripts) {
  const std::string Out = made("out");
  for (std::string Word :
       {Out, "--map=" + Out, "-T" + Out, "-plugin-opt=list=" + Out}) {
    FileRoles Files;
    Files.writes(Out);
    Files.usesWord(Word, "", "named");
    EXPECT_EQ(problem(Files), Out + ": is named as well as the output") << Word;
  }
  FileRoles InScript;
  InScript.writes(Out);
  InScript.usesWords("INPUT(\"out\", other)", Folder, "named");
  EXPECT_NE(problem(InScript), "");
  FileRoles Others;
  Others.writes(Out);
  Others.usesWords("out2 -out --map=output", Folder, "named");
  EXPECT_EQ(problem(Others), "");
}

TEST_F(FileRolesTest, ResponseFilesNameOthers) {
  const std::string Inner = made("inner"), Outer = path("outer");
  std::error_code EC;
  raw_fd_ostream(Outer, EC) << "-a @" << Inner << " @" << Outer;
  ASSERT_FALSE(EC);
  FileRoles Files;
  std::string Word = "@" + Outer;
  Files.usesResponseFiles(Word.c_str());
  Files.writes(Inner);
  EXPECT_EQ(problem(Files),
            Inner + ": is a response file as well as the output");
}

TEST_F(FileRolesTest, EachFileThatIsGivenTwiceOnce) {
  const std::string A = made("a"), B = made("b");
  ASSERT_FALSE(sys::fs::create_hard_link(A, path("c")));
  EXPECT_EQ(FileRoles::givenTwice({A, B, path("c"), A, "-", "-"}),
            std::vector<std::string>{path("c")});
}

} // namespace
