//===- thermo-lto/RunSettings.cpp - What options of run mean --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunSettings.h"
#include "options/LinkOptions.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

namespace llto = llvm::lto;

Expected<llto::Config>
thermocline::tools::makeConfig(const RunCommand &O,
                               std::atomic<bool> &HadError) {
  llto::Config C;
  C.CPU = codegen::getMCPU();
  C.Options = codegen::InitTargetOptionsFromCodeGenFlags(
      Triple(O.OverrideTriple.empty() ? O.DefaultTriple : O.OverrideTriple));
  C.MAttrs = codegen::getMAttrs();
  if (auto Model = codegen::getExplicitRelocModel())
    C.RelocModel = *Model;
  C.CodeModel = codegen::getExplicitCodeModel();
  if (auto Type = codegen::getExplicitFileType())
    C.CGFileType = *Type;
  if (O.OptLevel < '0' || O.OptLevel > '3')
    return fileError("-O", "the level must be 0 to 3");
  C.OptLevel = O.OptLevel - '0';
  auto Level = CodeGenOpt::getLevel(O.CodeGenOptLevel - '0');
  if (!Level)
    return fileError("-cg-opt-level", "the level must be 0 to 3");
  C.CGOptLevel = *Level;
  C.OptPipeline = O.OptPipeline;
  C.AAPipeline = O.AAPipeline;
  C.OverrideTriple = O.OverrideTriple;
  C.DefaultTriple = O.DefaultTriple;
  C.StatsFile = O.StatsFile;
  C.RemarksFilename = O.RemarksFile;
  C.RemarksPasses = O.RemarksFilter;
  C.RemarksFormat = O.RemarksFormat;
  C.RemarksWithHotness = O.RemarksWithHotness;
  C.RemarksHotnessThreshold = O.RemarksHotnessThreshold;
  C.SampleProfile = O.SampleProfile;
  C.CSIRProfile = O.CSProfile;
  C.RunCSIRInstr = O.CSInstrument;
  C.AllVtablesHaveTypeInfos = O.AllVtablesHaveTypeInfos;
  C.ValidateAllVtablesHaveTypeInfos = O.ValidateAllVtablesHaveTypeInfos;
  C.TimeTraceEnabled = O.TimeTrace;
  C.TimeTraceGranularity = O.TimeTraceGranularity;
  C.PassPlugins = O.PassPlugins;
  C.DisableVerify = O.DisableVerify;
  C.Freestanding = O.Freestanding;
  C.HasWholeProgramVisibility = O.HasWholeProgramVisibility;
  C.DebugPassManager = O.DebugPassManager;
  C.ShouldDiscardValueNames = false;
  C.DiagHandler = [&HadError](const DiagnosticInfo &Info) {
    if (Info.getSeverity() == DS_Error)
      HadError = true;
    raw_ostream &OS = Info.getSeverity() == DS_Error
                          ? WithColor::error(errs(), "thermo-lto")
                      : Info.getSeverity() == DS_Warning
                          ? WithColor::warning(errs(), "thermo-lto")
                          : WithColor::remark(errs(), "thermo-lto");
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    OS << '\n';
  };
  if (O.SaveTemps || !O.SelectSaveTemps.empty()) {
    DenseSet<StringRef> Selected;
    for (const std::string &Name : O.SelectSaveTemps)
      Selected.insert(Name);
    if (Error E = C.addSaveTemps(O.Output + ".", /*UseInputModulePath=*/false,
                                 Selected))
      return std::move(E);
  }
  return std::move(C);
}

namespace {

/// The files that -save-temps keeps, beside the list of resolutions.
constexpr StringLiteral Stages[] = {"0.preopt", "1.promote", "2.internalize",
                                    "3.import", "4.opt",     "5.precodegen"};

/// Enters the files that the link writes for each of its tasks: at most one for
/// regular LTO, and one for each module.
void enterTasks(const RunCommand &O, FileRoles &Files) {
  const bool WritesIndexes = O.DistributedIndexes || O.EmitIndexes;
  for (size_t Task = 0; Task <= O.Inputs.size(); ++Task) {
    const std::string Name = O.Output + "." + utostr(Task);
    Files.writes(Name, "an output of -o");
    if (O.SaveTemps || !O.SelectSaveTemps.empty())
      for (StringRef Stage : Stages)
        Files.writes((Name + "." + Stage + ".bc").str(),
                     "a file of -save-temps");
    if (!O.RemarksFile.empty())
      Files.writes(O.RemarksFile + ".thin." + utostr(Task) + "." +
                       O.RemarksFormat,
                   "a file of -pass-remarks-output");
  }
  for (const std::string &Module : O.Inputs) {
    if (WritesIndexes)
      Files.writes(Module + ".thinlto.bc", "an index");
    if (O.EmitImports)
      Files.writes(Module + ".imports", "a list of imports");
  }
}

} // namespace

FileRoles thermocline::tools::filesOf(const RunCommand &O) {
  FileRoles Files;
  const thermocline::lto::LinkOptions Link = thermocline::lto::linkOptions();
  for (const std::string &Name : O.ResolutionFiles)
    Files.uses(Name, "the file of -resolution-file");
  for (const std::string &Plugin : O.PassPlugins)
    Files.uses(Plugin, "the file of -load-pass-plugin");
  Files.uses(O.SampleProfile, "the file of -lto-sample-profile-file");
  Files.uses(O.CSProfile, "the file of -lto-cspgo-profile-file");
  Files.uses(O.Distributor, "the file of -dtlto-distributor");
  Files.uses(O.RemoteCompiler, "the file of -dtlto-compiler");
  Files.uses(Link.ProfileFile, "the file of --thinlto-memprof-profile");
  Files.usesResponseFiles(O.CommandLine);
  Files.writes(Link.ReportFile, "the file of --thinlto-memprof-report");
  Files.writes(Link.DecisionsFile, "the file of --thinlto-memprof-decisions");
  Files.writes(Link.DotFile, "the file of --thinlto-memprof-dot");
  Files.writes(Link.DumpFile, "the file of --thinlto-memprof-dump");
  Files.writes(O.StatsFile, "the file of -stats-file");
  Files.writes(O.RemarksFile, "the file of -pass-remarks-output");
  if (O.TimeTrace)
    Files.writes(O.TimeTraceFile.empty() ? O.Output + ".time-trace"
                                         : O.TimeTraceFile,
                 "the file of -time-trace");
  if (O.SaveTemps || !O.SelectSaveTemps.empty())
    for (StringRef Kept : {"resolution.txt", "index.bc", "index.dot"})
      Files.writes(O.Output + "." + Kept.str(), "a file of -save-temps");
  enterTasks(O, Files);
  return Files;
}
