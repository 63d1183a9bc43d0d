//===- plugin/Configuration.cpp - LTO as the options ask ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Configuration.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto::plugin;

namespace llto = llvm::lto;

static codegen::RegisterCodeGenFlags CodeGenFlags;

/// The relocation model for an output of this kind. A relocatable output takes
/// the modules' own model.
static std::optional<Reloc::Model> relocationModel(OutputKind Kind) {
  if (auto Given = codegen::getExplicitRelocModel())
    return Given;
  switch (Kind) {
  case OutputKind::Relocatable:
    return std::nullopt;
  case OutputKind::Executable:
    return Reloc::Static;
  case OutputKind::PIE:
  case OutputKind::SharedLibrary:
    return Reloc::PIC_;
  }
  llvm_unreachable("an output that no linker makes");
}

static std::string targetCPU(const PluginOptions &Options) {
  if (Options.CPU == "native")
    return sys::getHostCPUName().str();
  return Options.CPU.empty() ? codegen::getCPUStr() : Options.CPU;
}

/// Writes each module in place of the output and stops there.
static llto::Config::ModuleHookFn
writesBitcode(std::string Output, std::function<void(const Twine &)> OnError) {
  return [=](unsigned Task, const Module &M) {
    std::string Path = Output + (Task ? utostr(Task) : "");
    if (Error E = writeFileAtomically(Path, [&](raw_ostream &OS) {
          WriteBitcodeToFile(M, OS);
          return Error::success();
        }))
      OnError(toString(std::move(E)));
    return false;
  };
}

Expected<llto::Config> thermocline::lto::plugin::makeConfiguration(
    const PluginOptions &Options, const Linker &For,
    std::function<void(const Twine &)> OnError) {
  llto::Config C;
  C.CPU = targetCPU(Options);
  C.MAttrs = codegen::getMAttrs();
  C.MllvmArgs = Options.ForCache;
  C.Options = codegen::InitTargetOptionsFromCodeGenFlags(Triple());
  // Else a relocatable output would have sections that no script names.
  bool Splits = For.outputKind() != OutputKind::Relocatable;
  if (!codegen::getExplicitFunctionSections())
    C.Options.FunctionSections = Splits;
  if (!codegen::getExplicitDataSections())
    C.Options.DataSections = Splits;
  C.RelocModel = relocationModel(For.outputKind());
  C.CodeModel = codegen::getExplicitCodeModel();
  C.OptLevel = Options.OptLevel;
  C.CGOptLevel = *CodeGenOpt::getLevel(Options.OptLevel);
  C.PTO.LoopVectorization = Options.OptLevel > 1;
  C.PTO.SLPVectorization = Options.OptLevel > 1;
  // These linkers do not use the profile of the call graph.
  C.PTO.CallGraphProfile = false;
  C.DisableVerify = Options.DisableVerify;
  C.DebugPassManager = Options.DebugPassManager;
  C.OverrideTriple = Options.Triple;
  C.DefaultTriple = sys::getDefaultTargetTriple();
  C.HasWholeProgramVisibility = Options.WholeProgramVisibility;
  C.AlwaysEmitRegularLTOObj = !Options.ObjectPath.empty();
  C.SampleProfile = Options.SampleProfile;
  C.CSIRProfile = Options.ContextProfile;
  C.RunCSIRInstr = Options.ContextInstrumentation;
  C.DwoDir = Options.DwoDir;
  C.RemarksFilename = Options.RemarksFile;
  C.RemarksPasses = Options.RemarksPasses;
  C.RemarksFormat = Options.RemarksFormat;
  C.RemarksWithHotness = Options.RemarksWithHotness;
  C.RemarksHotnessThreshold = Options.RemarksHotnessThreshold;
  C.StatsFile = Options.StatsFile;
  C.TimeTraceEnabled = !Options.TimeTraceFile.empty();
  C.TimeTraceGranularity = Options.TimeTraceGranularity;
  C.DiagHandler = [&For, OnError](const DiagnosticInfo &Info) {
    std::string Text;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    if (Info.getSeverity() == DS_Error)
      OnError(Text);
    else if (Info.getSeverity() == DS_Warning)
      For.warn(Text);
    else
      For.note(Text);
  };
  if (Options.SaveTemps)
    if (Error E = C.addSaveTemps((For.outputName() + ".").str(),
                                 /*UseInputModulePath=*/true))
      return std::move(E);
  if (Options.Makes == Product::Bitcode)
    C.PostInternalizeModuleHook =
        writesBitcode(For.outputName().str(), std::move(OnError));
  else if (Options.Makes == Product::Nothing)
    C.PreOptModuleHook = [](unsigned, const Module &) { return false; };
  else if (Options.Makes == Product::Assembly) {
    C.CGFileType = CodeGenFileType::AssemblyFile;
    C.Options.MCOptions.AsmVerbose = true;
  }
  return std::move(C);
}
