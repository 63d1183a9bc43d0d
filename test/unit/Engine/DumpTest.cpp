//===- unit/Engine/DumpTest.cpp -------------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that was dumped as text is decided as the one in memory, whatever
// the options. THERMOCLINE_PROGRAM names a file of --thinlto-memprof-dump that
// is decided and audited as well, without and with a growth limit.
//
//===----------------------------------------------------------------------===//

#include "Judges/RandomProgram.h"
#include "Judges/Scenario.h"
#include "thermocline/Support/InputFile.h"
#include <cstdlib>
#include <random>

using namespace thermocline;
using namespace thermocline::context;

namespace {

std::string print(const ContextProgram &Program) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printProgram(OS, Program);
  return Text;
}

TEST(Dump, IsDecidedAsTheProgramInMemory) {
  for (uint64_t Seed = 1; Seed != 500; ++Seed) {
    std::mt19937_64 Random(Seed);
    ContextProgram Program = randomProgram(Seed);
    for (size_t I = 0; I != Program.numContexts(); ++I)
      Program.setWeight(ContextId(I), CoarseWeight::of(Random() % 100000));
    if (Random() % 2)
      Program.setSavings();
    EngineOptions Options;
    if (Random() % 2)
      Options.MaxInstructionsAdded = Random() % 60;
    if (Random() % 4 == 0)
      Options.MaxFalseCold = Bytes(Random() % 1000);
    if (Random() % 4 == 0)
      Options.MinContextSize = Bytes(Random() % 1000);
    Options.Strict = Random() % 4 == 0;
    EngineResult Result = decide(Program, Options);
    EngineResult Again =
        decide(llvm::cantFail(parseProgram("p.txt", print(Program))), Options);
    ASSERT_EQ(Again.Decided, Result.Decided) << "seed " << Seed;
    ASSERT_EQ(Again.Outcomes, Result.Outcomes) << "seed " << Seed;
  }
}

TEST(Dump, FileOfALink) {
  const char *Path = std::getenv("THERMOCLINE_PROGRAM");
  std::vector<ContextProgram> Programs;
  if (Path) {
    auto File = llvm::cantFail(openInput(Path));
    Programs = llvm::cantFail(parsePrograms(Path, File->getBuffer()));
  } else {
    Programs = llvm::cantFail(parsePrograms(
        "p.txt", "; a dump\n" + print(randomProgram(1)) + "; its other part\n" +
                     print(randomProgram(2))));
  }
  for (ContextProgram &Read : Programs) {
    // Audits by itself.
    Scenario All(std::move(Read));
    const ContextProgram &Program = All.Program;
    EngineOptions Half;
    Half.MaxInstructionsAdded = All.Result.Statistics.InstructionsAdded / 2;
    EngineResult Result = decide(Program, Half);
    AuditResult Audited = audit(Program, Result.Decided);
    EXPECT_TRUE(Audited.isSafe());
    EXPECT_LE(Audited.InstructionsAdded, *Half.MaxInstructionsAdded);
  }
}

} // namespace
