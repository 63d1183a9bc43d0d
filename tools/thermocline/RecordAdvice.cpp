//===- thermocline/RecordAdvice.cpp - What to do after record -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordAdvice.h"
#include "Terminal.h"
#include "Tools.h"
#include "thermocline/Profile/CallTable.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;
using profdata::Verdict;
using profile::IndexedProfile;

/// The architecture that the profiled programs are for, if it is one that is
/// not this machine's; else empty.
static std::string otherArchitecture(const IndexedProfile *Profile) {
  const auto Ran =
      Profile ? expectedToOptional(Profile->architectures()) : std::nullopt;
  if (!Ran || Ran->names().size() != 1)
    return "";
  const std::string &Name = *Ran->names().begin();
  return Name == Triple(sys::getProcessTriple()).getArchName() ? "" : Name;
}

/// Whether the profile has the calls of the program's source, as config files
/// put them into programs.
static bool knowsItsCalls(const IndexedProfile *Profile) {
  const auto Calls =
      Profile ? expectedToOptional(Profile->calls()) : std::nullopt;
  return Calls && !Calls->empty();
}

/// The beginning of a command that builds by the config file \p Config.
static std::string compiler(StringRef Config, StringRef Architecture) {
  return " clang++-" + std::to_string(LLVM_VERSION_MAJOR) + " " +
         shellWord("--config=" + findConfig(Config, Architecture));
}

static void sayHowToUse(const RecordCommand &Command, const Binaries &Found,
                        const IndexedProfile *Profile) {
  SmallString<128> Path(Command.Output);
  if (sys::fs::make_absolute(Path))
    return;
  const std::string Other = otherArchitecture(Profile);
  writeColored(errs(), "Next, ");
  if (Command.Live && !Found.areOfRust() && !knowsItsCalls(Profile))
    errs() << "compile the program with "
           << shellWord("--config=" +
                        findConfig("thermocline-release.cfg", Other))
           << ", and record it again: of one that is compiled without, a build "
              "with the profile may find few calls. Then ";
  errs() << "build with the profile, and link the program with the heap for "
            "what is cold:\n "
         << compiler("thermocline-use.cfg", Other) << ' '
         << shellWord(("-fmemory-profile-use=" + Path).str())
         << " -O2 *.cpp -o program "
         << shellWord(libraryOrName(AllocatorArchive, Other)) << '\n';
  if (Found.areOfRust())
    errs() << "or, of Rust:\n  rustc -Copt-level=2 -Cdebuginfo=1 "
              "-Clinker-plugin-lto -Clinker=clang-"
           << LLVM_VERSION_MAJOR << ' '
           << shellWord("-Clink-arg=--config=" +
                        findConfig("thermocline-use.cfg", Other))
           << ' '
           << shellWord(
                  ("-Clink-arg=-Wl,--thinlto-memprof-annotate=" + Path).str())
           << ' '
           << shellWord("-Clink-arg=" + libraryOrName(AllocatorArchive, Other))
           << " program.rs\n";
}

void front::sayWhatNext(const RecordCommand &Command, const Binaries &Found,
                        Verdict Says, const IndexedProfile *Profile) {
  writeColored(errs(), "\nTo look at it: ");
  errs() << "thermocline report";
  for (const std::string &Each : Found.paths())
    errs() << ' ' << shellWord("--binary=" + Each);
  errs() << ' ' << shellWord(Command.Output) << '\n';
  switch (Says) {
  case Verdict::Gain:
    sayHowToUse(Command, Found, Profile);
    break;
  case Verdict::Uncertain:
  case Verdict::NoGain:
  case Verdict::TooShort:
    break;
  case Verdict::TooLittleInstrumented:
  case Verdict::NothingInstrumented:
    writeColored(errs(), "Next, ");
    errs() << "build for profiles all that is to be hinted, and record that:\n "
           << compiler("thermocline-generate.cfg", otherArchitecture(Profile))
           << " -O2 *.cpp -o program\n";
    break;
  }
}
