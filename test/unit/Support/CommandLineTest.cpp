//===- unit/Support/CommandLineTest.cpp -----------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Tools/CommandLine.h"
#include "gtest/gtest.h"

using namespace thermocline;

static constexpr ToolCommand Commands[] = {
    {"copy", "FROM TO", "Copy a file"},
    {"list", "[FOLDER]", "List files"},
};
static constexpr ToolFact ExitStatus[] = {{"0", "All went well"},
                                          {"other", "Not so"}};
static constexpr Tool Files = {
    "files", "Does things with files.", Commands, ExitStatus, {}, {}};

TEST(CommandLine, HelpHasAllThatIsKnownOfATool) {
  EXPECT_EQ(Files.overview(),
            "Does things with files.\n\n"
            "  files copy FROM TO\n"
            "  files list [FOLDER]\n\n"
            "`files COMMAND --help` lists the options of a command.\n\n"
            "EXIT STATUS:\n\n"
            "  0     - All went well\n"
            "  other - Not so\n");
  std::string Help;
  llvm::raw_string_ostream OS(Help);
  Files.printHelp(OS);
  EXPECT_TRUE(llvm::StringRef(Help).starts_with("OVERVIEW: Does things"));
  EXPECT_TRUE(llvm::StringRef(Help).contains("USAGE: files [subcommand]"));
  EXPECT_TRUE(llvm::StringRef(Help).contains("\n  copy      - Copy a file\n"));
}

TEST(CommandLine, ToolsWithoutCommandsHaveNoneInHelp) {
  const Tool Plain = {"plain", "Does one thing.", {}, {}, {}, {}};
  EXPECT_EQ(Plain.overview(), "Does one thing.\n\n");
}

TEST(CommandLine, ErrorsSayWhichCommandsThereAre) {
  EXPECT_EQ(toString(Files.noCommand()),
            "no command; one of copy, list (see files --help)");
  EXPECT_EQ(toString(Files.noCommand("move")),
            "unknown command 'move' (see files --help)");
  EXPECT_EQ(toString(usageError(Files, "copy", "no TO")),
            "no TO (see files copy --help)");
  EXPECT_EQ(Files.find("list")->Summary, "List files");
  EXPECT_EQ(Files.find("move"), nullptr);
}
