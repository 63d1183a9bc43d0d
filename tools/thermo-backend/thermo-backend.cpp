//===- thermo-backend/thermo-backend.cpp - A distributed backend ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This tool does one backend compile of a distributed ThinLTO link. It is
// called as clang is called for it: by a build system, after a link that has
// written the indexes, or as the remote compiler of a distributor. It is clang
// from its driver to its code generation, with Thermocline's pass in place of
// LLVM's. So the decisions of the thin link are applied as in a link in one
// process. docs/link-distributed.md says why it is made of clang's libraries.
//
//===----------------------------------------------------------------------===//

#include "BackendJob.h"
#include "Compile.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace thermocline;

static constexpr StringLiteral Overview =
    R"(OVERVIEW: Compiles a module of a distributed ThinLTO link, as clang does, with what the thin link decided.

  thermo-backend [clang's options] -c -x ir MODULE -fthinlto-index=INDEX -o OBJECT

MODULE is bitcode with a ThinLTO summary. INDEX is what the thin link wrote for it
(--thinlto-index-only, --thinlto-emit-index-files), with Thermocline's decisions.
Options are those of clang's compile of the index: `clang-22 --help` lists them.

EXIT STATUS:

  0 - All went well
  1 - There was an error, which is printed

USAGE: thermo-backend [options] -c -x ir MODULE -fthinlto-index=INDEX -o OBJECT

OPTIONS:

  --help                    - Display this
  --version                 - Display the version of this program
  -fthinlto-index=<file>    - The index of the module
  -o <file>                 - The object to write
)";

extern "C" int thermo_backend_main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  // The driver asks the targets about triples and CPUs.
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();

  if (is_contained(ArrayRef(argv, argc), StringRef("--help"))) {
    outs() << Overview;
    return finishOutput("thermo-backend", 0);
  }
  if (is_contained(ArrayRef(argv, argc), StringRef("--version")))
    printVersion(outs(), "thermo-backend");
  int Status = 0;
  auto Job = tools::makeBackendJob(ArrayRef(argv, argc), Status);
  if (!Job)
    return reportFatal("thermo-backend", Job.takeError());
  if (!*Job)
    return Status;
  Expected<int> Compiled = tools::compile(**Job, ArrayRef(argv, argc));
  if (!Compiled)
    return reportFatal("thermo-backend", Compiled.takeError());
  return *Compiled;
}
