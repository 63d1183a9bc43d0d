//===- unit/Support/ErrorsTest.cpp ----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;

namespace {

class TempDirectory {
public:
  TempDirectory() {
    EXPECT_FALSE(sys::fs::createUniqueDirectory("thermocline-test", Path));
  }
  ~TempDirectory() { sys::fs::remove_directories(Path); }
  std::string file(StringRef Name) const {
    SmallString<128> Result(Path);
    sys::path::append(Result, Name);
    return Result.str().str();
  }
  size_t numEntries() const {
    std::error_code EC;
    size_t Count = 0;
    for (sys::fs::directory_iterator I(Path, EC), End; I != End && !EC;
         I.increment(EC))
      ++Count;
    return Count;
  }

private:
  SmallString<128> Path;
};

TEST(Errors, NameFileAndRecord) {
  EXPECT_EQ(toString(recordError("a.raw", "segment 3", "too short")),
            "a.raw: segment 3: too short");
}

TEST(Errors, ReportFatalPrintsEachPartAndReturnsOne) {
  std::string Text;
  raw_string_ostream OS(Text);
  EXPECT_EQ(reportFatal("tool",
                        joinErrors(fileError("a", "x"), fileError("b", "y")),
                        OS),
            1);
  EXPECT_EQ(Text, "tool: error: a: x\ntool: error: b: y\n");
}

TEST(Errors, AFailedWriteLeavesNothingAndKeepsTheOldFile) {
  TempDirectory Dir;
  std::string File = Dir.file("out");
  ASSERT_FALSE(errorToBool(writeFileAtomically(File, [](raw_ostream &OS) {
    OS << "first";
    return Error::success();
  })));
  EXPECT_TRUE(errorToBool(writeFileAtomically(File, [](raw_ostream &OS) {
    OS << "half";
    return fileError("input", "bad");
  })));
  auto Buffer = MemoryBuffer::getFile(File);
  ASSERT_TRUE(static_cast<bool>(Buffer));
  EXPECT_EQ((*Buffer)->getBuffer(), "first");
  EXPECT_EQ(Dir.numEntries(), 1u);
}

TEST(Errors, AnUnwritableDirectoryIsNamed) {
  std::string Text = toString(writeFileAtomically(
      "/nonexistent/out", [](raw_ostream &) { return Error::success(); }));
  EXPECT_NE(Text.find("/nonexistent/out"), std::string::npos);
}

} // namespace
