//===- lto/link/LinkRemarks.cpp - Remarks of the thin link ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkRemarks.h"
#include "thermocline/Apply/FunctionCloner.h"
#include "thermocline/Apply/Remarks.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/Remarks/RemarkFormat.h"
#include "llvm/Remarks/RemarkParser.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Remarks/RemarkStreamer.h"
#include "llvm/Support/MemoryBuffer.h"
#include <unordered_map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

std::vector<apply::MissedHints>
thermocline::lto::missedHints(const ContextProgram &Program,
                              const EngineResult &Result) {
  std::vector<apply::MissedHints> Missed(Program.numAllocations());
  for (size_t A = 0; A != Missed.size(); ++A) {
    const Allocation &Is = Program[AllocationId(A)];
    std::array<apply::MissedHint, NumOutcomes> ByOutcome;
    for (uint32_t I = 0; I != Is.NumContexts; ++I) {
      ContextId C(Is.FirstContext + I);
      apply::MissedHint &Hint =
          ByOutcome[static_cast<unsigned>(Result.Outcomes[C.index()])];
      ++Hint.Contexts;
      Hint.Size += Program[C].Size;
    }
    for (unsigned I = 0; I != NumOutcomes; ++I)
      if (auto O = static_cast<Outcome>(I);
          ByOutcome[I].Contexts && isOfCold(O) && O != Outcome::HintedCold) {
        ByOutcome[I].Reason = describe(O).str();
        Missed[A].push_back(std::move(ByOutcome[I]));
      }
  }
  return Missed;
}

namespace {

/// The frame of each allocation's call in \p Profile. Indexed by AllocationId.
std::vector<std::optional<memprof::Frame>>
placesOf(const ContextProgram &Program, const profile::IndexedProfile &Profile,
         Error &Failed) {
  // Ids come from files, so no DenseMap: it reserves keys.
  std::unordered_multimap<uint64_t, AllocationId> ById;
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (const Context &C = Program[ContextId(I)]; C.FullStackId)
      ById.emplace(C.FullStackId, C.Allocation);
  std::vector<std::optional<memprof::Frame>> Result(Program.numAllocations());
  Failed = Profile.forEachContext([&](const profile::IndexedContext &C) {
    auto [First, Last] = ById.equal_range(C.FullStackId);
    for (auto I = First; I != Last; ++I)
      if (!Result[I->second.index()])
        Result[I->second.index()] = C.Frames.front();
  });
  return Result;
}

/// Prints remarks that LLVM's options ask for, while it is let.
class TerminalHandler : public DiagnosticHandler {
public:
  TerminalHandler(const bool &Prints, const LinkMessages::Handler &Print)
      : Prints(Prints), Print(Print) {}

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (!Prints)
      return true;
    std::string Text;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    Print(Text);
    return true;
  }

private:
  const bool &Prints;
  const LinkMessages::Handler &Print;
};

class Remarker {
public:
  Remarker(const DecidedModules &Decided, const LinkMessages::Handler &Print)
      : Decided(Decided), Program(Decided.Program), Holder("link", Context) {
    Context.setDiagnosticHandler(
        std::make_unique<TerminalHandler>(Prints, Print),
        /*RespectFilters=*/true);
  }

  Error run() {
    Error Failed = Error::success();
    if (Decided.Profile) {
      Places = placesOf(Program, *Decided.Profile, Failed);
      if (Failed)
        return Failed;
    }
    Missed = missedHints(Program, Decided.Result);
    for (size_t I = 0; I != Program.numFunctions(); ++I)
      remarkOn(FunctionId(I));
    if (Decided.CompilesHere)
      remarkOnCached();
    return Failed;
  }

  LLVMContext Context;

private:
  /// A remark is on a function, of which nothing but the name is looked at.
  llvm::Function &make(StringRef Name) {
    return *llvm::Function::Create(
        FunctionType::get(Type::getVoidTy(Context), false),
        GlobalValue::ExternalLinkage, Name, Holder);
  }

  void remarkOn(FunctionId F) {
    const context::Function &Known = Program[F];
    Prints = !Decided.Compiled.contains(Decided.Modules[F.index()]);
    llvm::Function &Made = make(Known.Name);
    uint32_t NumVersions = Decided.Result.Decided.NumVersions[F.index()];
    for (uint32_t V = 1; V < NumVersions; ++V)
      Context.diagnose(
          apply::remarkClone(Made, apply::versionName(Known.Name, V)));
    for (AllocationId A : Known.Allocations)
      for (const apply::MissedHint &Hint : Missed[A.index()]) {
        auto Remark = apply::remarkMissed(Made, Hint);
        addPlace(Remark, A);
        Context.diagnose(Remark);
      }
    for (uint32_t V = 0; V != NumVersions; ++V) {
      std::string Caller = nameOf(F, V);
      for (CallsiteId C : Known.Callsites)
        if (uint32_t Callee = Decided.Result.Decided.Clones[C.index()][V])
          Context.diagnose(apply::remarkCall(
              Made, Caller, nameOf(Program[C].Callee, Callee)));
      for (AllocationId A : Known.Allocations) {
        auto Remark = apply::remarkAllocation(
            Made, Caller,
            Decided.Result.Decided.Hints[A.index()][V] == Temperature::Cold
                ? "cold"
                : "notcold");
        addPlace(Remark, A);
        Context.diagnose(Remark);
      }
    }
    Made.eraseFromParent();
  }

  std::string nameOf(FunctionId F, uint32_t Version) const {
    const std::string &Name = Program[F].Name;
    return Version ? apply::versionName(Name, Version) : Name;
  }

  void addPlace(DiagnosticInfoOptimizationBase &Remark, AllocationId A) const {
    if (!Places.empty() && Places[A.index()])
      apply::addPlace(Remark,
                      Decided.Names.display(Places[A.index()]->Function),
                      Places[A.index()]->LineOffset, Places[A.index()]->Column);
  }

  void remarkOnCached() {
    Prints = true;
    StringSet<> Seen;
    for (StringRef Module : Decided.Modules)
      if (!Decided.Compiled.contains(Module) && Seen.insert(Module).second) {
        llvm::Function &Made = make(Module);
        BasicBlock::Create(Context, "", &Made);
        Context.diagnose(apply::remarkNotCompiled(Made));
        Made.eraseFromParent();
      }
  }

  const DecidedModules &Decided;
  const ContextProgram &Program;
  Module Holder;
  std::vector<std::optional<memprof::Frame>> Places;
  std::vector<apply::MissedHints> Missed;
  bool Prints = false;
};

/// Hands all remarks in \p Text, of the file \p Name, to \p To.
Error copyRemarks(StringRef Name, StringRef Text, remarks::Format Format,
                  remarks::RemarkSerializer &To) {
  if (Text.empty())
    return Error::success();
  auto Parser = remarks::createRemarkParser(Format, Text);
  if (!Parser)
    return inFile(Name, Parser.takeError());
  while (true) {
    auto Remark = (*Parser)->next();
    if (Remark) {
      To.emit(**Remark);
      continue;
    }
    Error Failed = Remark.takeError();
    if (Failed.isA<remarks::EndOfFileError>()) {
      consumeError(std::move(Failed));
      return Error::success();
    }
    return inFile(Name, std::move(Failed));
  }
}

} // namespace

bool thermocline::lto::wantsLinkRemarks(const RemarksFile &File) {
  return !File.Name.empty() || DiagnosticHandler().isAnyRemarkEnabled();
}

Error thermocline::lto::writeLinkRemarks(
    const RemarksFile &File, const DecidedModules &Decided, bool Keeps,
    const LinkMessages::Handler &OnTerminal) {
  Remarker Remarks(Decided, OnTerminal);
  if (File.Name.empty())
    return Remarks.run();
  std::unique_ptr<MemoryBuffer> Kept;
  if (Keeps) {
    auto Read = MemoryBuffer::getFile(File.Name, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
    if (!Read)
      return fileError(File.Name, Read.getError().message());
    Kept = std::move(*Read);
  }
  return writeFileAtomically(File.Name, [&](raw_ostream &OS) -> Error {
    StringRef Format = File.Format.empty() ? "yaml" : StringRef(File.Format);
    if (Error E = setupLLVMOptimizationRemarks(Remarks.Context, OS, File.Passes,
                                               Format,
                                               /*RemarksWithHotness=*/false))
      return inFile(File.Name, std::move(E));
    remarks::RemarkStreamer &Stream = *Remarks.Context.getMainRemarkStreamer();
    Error Failed = Error::success();
    if (Kept)
      Failed = copyRemarks(File.Name, Kept->getBuffer(),
                           Stream.getSerializer().SerializerFormat,
                           Stream.getSerializer());
    if (!Failed)
      Failed = Remarks.run();
    finalizeLLVMOptimizationRemarks(Remarks.Context);
    return Failed;
  });
}
