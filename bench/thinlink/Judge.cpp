//===- bench/thinlink/Judge.cpp - Walks the truth through decisions -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// thermocline-bench-judge [-list=N] TRUTH INDEX...: takes the decisions that
// some linker wrote into the indexes (*.thinlto.bc) of all modules, finds the
// calls of the truth in them, and lets the audit walk every whole context.
// Prints JSON.
//
// A call without a record is compiled as it is: it reaches version 0. An
// allocation without a record has an attribute, as all its contexts are alike.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Audit/Audit.h"
#include "thermocline/Context/Text.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

static constexpr char Tool[] = "thermocline-bench-judge";

namespace {

/// The decisions of indexes as decisions for the truth.
class Matcher {
public:
  explicit Matcher(const ContextProgram &Truth)
      : Truth(Truth), Result(Decisions::none(Truth)) {
    for (size_t I = 0; I != Truth.numFunctions(); ++I)
      Functions[GlobalValue::getGUIDAssumingExternalLinkage(
          Truth[FunctionId(I)].Name)] = FunctionId(I);
  }

  Error addIndex(const std::string &File) {
    StringRef Module = sys::path::filename(File);
    if (!Module.consume_back(".thinlto.bc"))
      return fileError(File, "not the index of a module (*.thinlto.bc)");
    auto Buffer = MemoryBuffer::getFile(File);
    if (!Buffer)
      return fileError(File, Buffer.getError().message());
    ModuleSummaryIndex Index(/*HaveGVs=*/false);
    if (Error E = readModuleSummaryIndex(**Buffer, Index))
      return inFile(File, std::move(E));
    // Local functions have a GUID that the source file is part of.
    decltype(Functions) Locals;
    for (size_t I = 0; I != Truth.numFunctions(); ++I)
      Locals[GlobalValue::getGUIDAssumingExternalLinkage(
          GlobalValue::getGlobalIdentifier(
              Truth[FunctionId(I)].Name, GlobalValue::InternalLinkage,
              (sys::path::stem(Module) + ".cpp").str()))] = FunctionId(I);
    for (const auto &[GUID, Info] : Index)
      for (const auto &S : Info.getSummaryList())
        // Others are of functions to be imported.
        if (auto *FS = dyn_cast<FunctionSummary>(S.get());
            FS && sys::path::filename(FS->modulePath()) == Module)
          for (const auto *Known : {&Functions, &Locals})
            if (auto Found = Known->find(GUID); Found != Known->end())
              if (Error E = addFunction(File, Index, Found->second, *FS))
                return E;
    return Error::success();
  }

  const Decisions &decisions() const { return Result; }
  uint64_t uneven() const { return Uneven; }

private:
  Error addFunction(StringRef File, const ModuleSummaryIndex &Index,
                    FunctionId F, const FunctionSummary &FS) {
    uint32_t NumVersions = 1;
    for (const CallsiteInfo &Record : FS.callsites())
      NumVersions = std::max<uint32_t>(NumVersions, Record.Clones.size());
    for (const AllocInfo &Record : FS.allocs())
      NumVersions = std::max<uint32_t>(NumVersions, Record.Versions.size());
    Result.NumVersions[F.index()] = NumVersions;
    // What a record does not say of a version is as if there were no record.
    auto Count = [&](size_t Size) { Uneven += Size != NumVersions; };

    for (const CallsiteInfo &Record : FS.callsites())
      Count(Record.Clones.size());
    ArrayRef<CallsiteId> Calls = Truth[F].Callsites;
    auto Records = matchRecords(Index, F, FS);
    for (auto [C, Record] : zip_equal(Calls, Records)) {
      auto &Clones = Result.Clones[C.index()];
      Clones.clear();
      if (Record)
        Clones.assign(Record->Clones.begin(), Record->Clones.end());
      Clones.resize(NumVersions, 0);
    }
    return addAllocations(File, F, FS, NumVersions);
  }

  /// For each call of \p F its record, or null. A record has the frames of its
  /// call; that of a tail call, the last of a function, has none. Indexes of
  /// single modules do not name callees that are not imported; those records
  /// are in the order of the calls.
  std::vector<const CallsiteInfo *>
  matchRecords(const ModuleSummaryIndex &Index, FunctionId F,
               const FunctionSummary &FS) {
    std::map<std::vector<uint64_t>, SmallVector<const CallsiteInfo *, 1>> Left;
    for (const CallsiteInfo &Record : FS.callsites()) {
      std::vector<uint64_t> Frames;
      for (unsigned I : Record.StackIdIndices)
        Frames.push_back(Index.getStackIdAtIndex(I));
      Left[Frames].push_back(&Record);
    }
    ArrayRef<CallsiteId> Calls = Truth[F].Callsites;
    std::vector<const CallsiteInfo *> Matched(Calls.size());
    for (bool WithCallee : {true, false})
      for (auto [I, C] : enumerate(Calls)) {
        if (Matched[I])
          continue;
        std::vector<uint64_t> Frames;
        for (StackId Id : Truth.stackIds(C))
          Frames.push_back(raw(Id));
        auto Found = Left.find(Frames);
        if (Found == Left.end() && C == Calls.back())
          Found = Left.find({});
        if (Found == Left.end())
          continue;
        GlobalValue::GUID Callee = GlobalValue::getGUIDAssumingExternalLinkage(
            Truth[Truth[C].Callee].Name);
        auto *Record = find_if(Found->second, [&](const CallsiteInfo *R) {
          return WithCallee ? R->Callee && R->Callee.getGUID() == Callee
                            : !R->Callee;
        });
        if (Record == Found->second.end())
          continue;
        Matched[I] = *Record;
        Found->second.erase(Record);
      }
    return Matched;
  }

  bool isMixed(AllocationId A) const {
    const Allocation &Alloc = Truth[A];
    for (uint32_t I = 1; I < Alloc.NumContexts; ++I)
      if (Truth[ContextId(Alloc.FirstContext + I)].Profiled !=
          Truth[ContextId(Alloc.FirstContext)].Profiled)
        return true;
    return false;
  }

  Error addAllocations(StringRef File, FunctionId F, const FunctionSummary &FS,
                       uint32_t NumVersions) {
    ArrayRef<AllocationId> All = Truth[F].Allocations;
    SmallVector<AllocationId, 4> Recorded(All.begin(), All.end());
    if (FS.allocs().size() != All.size())
      llvm::erase_if(Recorded, [&](AllocationId A) { return !isMixed(A); });
    if (FS.allocs().size() != Recorded.size())
      return recordError(File, Truth[F].Name,
                         Twine(FS.allocs().size()) + " allocations, but the " +
                             "truth has " + Twine(All.size()));
    for (AllocationId A : All) {
      auto &Hints = Result.Hints[A.index()];
      // As Decisions::none() has it: cold if all contexts are.
      Hints.resize(NumVersions, Hints.front());
    }
    for (auto [A, Record] : zip_equal(Recorded, FS.allocs())) {
      Uneven += Record.Versions.size() != NumVersions;
      auto &Hints = Result.Hints[A.index()];
      Hints.clear();
      for (uint8_t Type : Record.Versions)
        Hints.push_back(Type == static_cast<uint8_t>(AllocationType::Cold)
                            ? Temperature::Cold
                            : Temperature::NotCold);
      Hints.resize(NumVersions, Temperature::NotCold);
    }
    return Error::success();
  }

  const ContextProgram &Truth;
  Decisions Result;
  DenseMap<GlobalValue::GUID, FunctionId> Functions;
  /// Records for another number of versions than their function has.
  uint64_t Uneven = 0;
};

/// The calls of a context from main downwards, each with the version that it
/// reaches. The context begins in main, and matches in one way.
void printWay(const ContextProgram &Truth, const Decisions &Decided,
              const DenseMap<StackId, SmallVector<CallsiteId, 1>> &ByFrame,
              ContextId C, raw_ostream &OS) {
  FunctionId At = Truth[Truth[C].Allocation].Owner;
  SmallVector<CallsiteId, 32> Way;
  const SmallVector<StackId, 32> Stack = Truth.stackIds(C).copy();
  for (ArrayRef<StackId> Left = Stack; !Left.empty();) {
    auto Candidates = ByFrame.lookup(Left.front());
    auto *Found = find_if(Candidates, [&](CallsiteId Call) {
      ArrayRef<StackId> Ids = Truth.stackIds(Call);
      return Truth[Call].Callee == At && Left.take_front(Ids.size()) == Ids;
    });
    if (Found == Candidates.end())
      break;
    Way.push_back(*Found);
    At = Truth[*Found].Caller;
    Left = Left.drop_front(Truth.stackIds(*Found).size());
  }
  OS << Truth[At].Name;
  uint32_t Version = 0;
  for (CallsiteId Call : reverse(Way)) {
    Version = Decided.Clones[Call.index()][Version];
    OS << " -" << format_hex_no_prefix(raw(Truth.stackIds(Call).front()), 16)
       << "-> " << Truth[Truth[Call].Callee].Name << '.' << Version;
  }
  OS << '\n';
}

/// Lists contexts whose hint is not what the profile says.
void list(const ContextProgram &Truth, const Decisions &Decided,
          const AuditResult &Audited, unsigned Max, raw_ostream &OS) {
  DenseMap<StackId, SmallVector<CallsiteId, 1>> ByFrame;
  for (size_t I = 0; I != Truth.numCallsites(); ++I)
    ByFrame[Truth.stackIds(CallsiteId(I)).front()].push_back(CallsiteId(I));
  for (size_t I = 0; I != Truth.numContexts() && Max != 0; ++I) {
    bool IsCold = Truth[ContextId(I)].Profiled == Temperature::Cold;
    const AuditedContext &A = Audited.Contexts[I];
    if (IsCold ? !A.ReachesNotCold : !A.ReachesCold)
      continue;
    OS << (IsCold ? "missed: " : "false cold: ");
    printWay(Truth, Decided, ByFrame, ContextId(I), OS);
    --Max;
  }
}

void print(const ContextProgram &Truth, const Decisions &Decided,
           uint64_t Uneven, unsigned MaxListed) {
  AuditResult Audited = audit(Truth, Decided);
  list(Truth, Decided, Audited, MaxListed, errs());
  uint64_t Frames = 0, Instructions = 0;
  for (size_t I = 0; I != Truth.numContexts(); ++I)
    Frames += Truth[ContextId(I)].Frames.size();
  for (size_t I = 0; I != Truth.numFunctions(); ++I)
    Instructions += Truth[FunctionId(I)].Instructions;

  json::OStream J(outs(), /*IndentSize=*/2);
  auto Cell = [&](StringRef Name, const AuditCell &C) {
    J.attributeObject(Name, [&] {
      J.attribute("contexts", C.Contexts);
      J.attribute("bytes", C.Size.count());
    });
  };
  J.object([&] {
    J.attribute("functions", Truth.numFunctions());
    J.attribute("instructions", Instructions);
    J.attribute("contexts", Truth.numContexts());
    J.attribute("frames", Frames);
    Cell("cold to cold", Audited.ColdToCold);
    Cell("cold to not", Audited.ColdToNotCold);
    Cell("not to cold", Audited.NotColdToCold);
    Cell("not to not", Audited.NotColdToNotCold);
    J.attribute("clones", Audited.ClonesMade);
    J.attribute("functions cloned", Audited.FunctionsCloned);
    J.attribute("instructions added", Audited.InstructionsAdded);
    J.attribute("malformed", Audited.Malformed.size());
    J.attribute("uneven records", Uneven);
  });
  outs() << '\n';
}

Error judge(const std::string &TruthFile, ArrayRef<std::string> Indexes,
            unsigned MaxListed) {
  auto Text = MemoryBuffer::getFile(TruthFile);
  if (!Text)
    return fileError(TruthFile, Text.getError().message());
  Expected<ContextProgram> Truth =
      parseProgram(TruthFile, (*Text)->getBuffer());
  if (!Truth)
    return Truth.takeError();
  Text->reset();
  Matcher Matched(*Truth);
  for (const std::string &File : Indexes)
    if (Error E = Matched.addIndex(File))
      return E;
  print(*Truth, Matched.decisions(), Matched.uneven(), MaxListed);
  return Error::success();
}

} // namespace

int main(int Count, char **Arguments) {
  cl::opt<std::string> TruthFile(cl::Positional, cl::Required,
                                 cl::desc("<truth.txt>"));
  cl::list<std::string> Indexes(cl::Positional, cl::OneOrMore,
                                cl::desc("<*.thinlto.bc>"));
  cl::opt<unsigned> MaxListed(
      "list", cl::desc("List contexts with the wrong hint on stderr, at most"),
      cl::value_desc("N"));
  cl::ParseCommandLineOptions(
      Count, Arguments, "judges recorded decisions by what programs do\n");
  if (Error E = judge(TruthFile,
                      std::vector<std::string>(Indexes.begin(), Indexes.end()),
                      MaxListed))
    return reportFatal(Tool, std::move(E));
  return 0;
}
