//===- Context/Text/ProgramText.cpp - A context program as text -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextLines.h"
#include "thermocline/Context/Text.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

static constexpr char Header[] = "thermocline-context-program 1";

template <typename StackIds>
static void printIds(raw_ostream &OS, const StackIds &Ids) {
  OS << " :";
  for (StackId I : Ids) {
    OS << ' ';
    OS.write_hex(raw(I));
  }
  OS << '\n';
}

/// What follows allocations that are not hinted for sure.
static constexpr std::pair<StringLiteral, Hintable> HintableWords[] = {
    {"pointer", Hintable::IfPointer},   {"redefined", Hintable::Redefined},
    {"novariant", Hintable::NoVariant}, {"ownhint", Hintable::OwnHint},
    {"unhintable", Hintable::No},
};

void thermocline::context::printProgram(raw_ostream &OS,
                                        const ContextProgram &Program) {
  FunctionReferences Names(Program);
  OS << Header << '\n';
  if (Program.foldsRecursion())
    OS << "folded\n";
  if (Program.weightsAreSavings())
    OS << "savings\n";
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    const Function &F = Program[FunctionId(I)];
    OS << "function " << quoted(F.Name) << ' ' << F.Instructions
       << (F.Clonable ? "" : " unclonable")
       << (F.EnteredInAnyVersion ? " anyversion" : "")
       << (F.MayBeInlinedAnywhere ? " inline" : "") << '\n';
  }
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    const Callsite &C = Program[CallsiteId(I)];
    OS << "callsite " << Names.reference(C.Caller) << ' '
       << (C.Callee ? Names.reference(C.Callee) : "?");
    if (C.Redirectable == Redirect::Indirect)
      OS << " indirect";
    else if (C.Redirectable == Redirect::OutsideLink)
      OS << " outside";
    if (C.IsThroughPointer)
      OS << " compared";
    if (C.MayLeaveNoFrame)
      OS << " tail";
    if (C.MayEnterAgain)
      OS << " again";
    printIds(OS, Program.stackIds(CallsiteId(I)));
  }
  for (size_t I = 0; I != Program.numAllocations(); ++I) {
    const Allocation &A = Program[AllocationId(I)];
    OS << "allocation " << Names.reference(A.Owner)
       << (A.OmitsNotCold ? " partial" : "");
    for (auto [Word, Is] : HintableWords)
      if (A.Hintable == Is)
        OS << ' ' << Word;
    OS << '\n';
    for (uint32_t J = 0; J != A.NumContexts; ++J) {
      ContextId Id(A.FirstContext + J);
      const Context &C = Program[Id];
      OS << "context "
         << (C.Profiled == Temperature::Cold ? "cold " : "notcold ")
         << C.Size.count();
      if (C.Weight.isKnown())
        OS << " weight " << C.Weight.value();
      if (C.FullStackId != 0) {
        OS << (C.IsKnownByKey ? " key " : " full ");
        OS.write_hex(C.FullStackId);
      }
      printIds(OS, Program.stackIds(Id));
    }
  }
}

namespace {

class ProgramParser {
public:
  ProgramParser(StringRef FileName, StringRef Text, size_t LinesBefore = 0)
      : FileName(FileName), Text(Text), LinesBefore(LinesBefore) {}

  Expected<ContextProgram> run() {
    // Functions first, as the other lines name them.
    if (Error E = forEachLine(&ProgramParser::parseFunction))
      return std::move(E);
    FunctionReferences All(Program);
    Names = &All;
    if (Error E = forEachLine(&ProgramParser::parseOther))
      return std::move(E);
    return std::move(Program);
  }

private:
  using LineParser = Error (ProgramParser::*)(TextLines &, StringRef Kind);

  Error forEachLine(LineParser Parse) {
    TextLines Lines(FileName, Text, LinesBefore);
    if (Error E = Lines.expectHeader(Header))
      return E;
    while (true) {
      Expected<bool> More = Lines.next();
      if (!More)
        return More.takeError();
      if (!*More)
        return Error::success();
      Expected<StringRef> Kind = Lines.word("a kind of line");
      if (!Kind)
        return Kind.takeError();
      if (Error E = (this->*Parse)(Lines, *Kind))
        return E;
    }
  }

  Error parseFunction(TextLines &Lines, StringRef Kind) {
    if (Kind != "function")
      return Error::success();
    Expected<StringRef> Name = Lines.word("a name");
    if (!Name)
      return Name.takeError();
    Expected<uint64_t> Instructions = Lines.number("a number of instructions");
    if (!Instructions)
      return Instructions.takeError();
    bool Clonable = !Lines.accept("unclonable");
    FunctionId F = Program.addFunction(*Name, *Instructions, Clonable);
    if (Lines.accept("anyversion"))
      Program.setEnteredInAnyVersion(F);
    if (Lines.accept("inline"))
      Program.setMayBeInlinedAnywhere(F);
    return Lines.expectEnd();
  }

  Error parseOther(TextLines &Lines, StringRef Kind) {
    if (Kind == "function")
      return Error::success();
    if (Kind == "callsite")
      return parseCallsite(Lines);
    if (Kind == "allocation") {
      Expected<FunctionId> Owner = Names->parse(Lines, "the owner");
      if (!Owner)
        return Owner.takeError();
      AllocationId A = Program.addAllocation(*Owner);
      if (Lines.accept("partial"))
        Program.setOmitsNotCold(A);
      for (auto [Word, Is] : HintableWords)
        if (Lines.accept(Word))
          Program.setHintable(A, Is);
      return Lines.expectEnd();
    }
    if (Kind == "context")
      return parseContext(Lines);
    if (Kind == "folded") {
      Program.setFoldsRecursion();
      return Lines.expectEnd();
    }
    if (Kind == "savings") {
      Program.setSavings();
      return Lines.expectEnd();
    }
    return Lines.error("'" + Kind +
                       "' is not function, callsite, allocation or context");
  }

  Error parseCallsite(TextLines &Lines) {
    Expected<FunctionId> Caller = Names->parse(Lines, "the caller");
    if (!Caller)
      return Caller.takeError();
    FunctionId Callee;
    if (!Lines.accept("?")) {
      Expected<FunctionId> Known = Names->parse(Lines, "the callee");
      if (!Known)
        return Known.takeError();
      Callee = *Known;
    }
    Redirect Way = Redirect::Yes;
    if (Lines.accept("indirect"))
      Way = Redirect::Indirect;
    else if (Lines.accept("outside"))
      Way = Redirect::OutsideLink;
    if (!Callee && Way == Redirect::Yes)
      return Lines.error("a callsite without a callee must be indirect or "
                         "outside");
    const bool IsThroughPointer = Lines.accept("compared");
    const bool MayLeaveNoFrame = Lines.accept("tail");
    const bool MayEnterAgain = Lines.accept("again");
    Expected<std::vector<StackId>> Ids = Lines.stackIdsToEnd();
    if (!Ids)
      return Ids.takeError();
    CallsiteId Added = Program.addCallsite(*Caller, Callee, Way, *Ids);
    if (IsThroughPointer)
      Program.setThroughPointer(Added);
    if (MayLeaveNoFrame)
      Program.setMayLeaveNoFrame(Added);
    if (MayEnterAgain)
      Program.setMayEnterAgain(Added);
    return Error::success();
  }

  Error parseContext(TextLines &Lines) {
    if (Program.numAllocations() == 0)
      return Lines.error("a context before the first allocation");
    Temperature Profiled =
        Lines.accept("cold") ? Temperature::Cold : Temperature::NotCold;
    if (Profiled == Temperature::NotCold)
      if (Error E = Lines.expect("notcold"))
        return E;
    Expected<uint64_t> Size = Lines.number("a number of bytes");
    if (!Size)
      return Size.takeError();
    CoarseWeight Weight;
    if (Lines.accept("weight")) {
      Expected<uint64_t> Value = Lines.number("a weight");
      if (!Value)
        return Value.takeError();
      Weight = CoarseWeight::of(*Value);
    }
    uint64_t FullStackId = 0;
    const bool IsKnownByKey = Lines.accept("key");
    if (IsKnownByKey || Lines.accept("full")) {
      Expected<uint64_t> Value = Lines.number("a stack id", 16);
      if (!Value)
        return Value.takeError();
      FullStackId = *Value;
    }
    Expected<std::vector<StackId>> Ids = Lines.stackIdsToEnd();
    if (!Ids)
      return Ids.takeError();
    Program.setWeight(
        Program.addContext(Profiled, Bytes(*Size), FullStackId, *Ids), Weight);
    if (IsKnownByKey)
      Program.setKnownByKey();
    return Error::success();
  }

  StringRef FileName, Text;
  size_t LinesBefore;
  ContextProgram Program;
  /// The names of Program's functions; set while run() is in its second pass.
  const FunctionReferences *Names = nullptr;
};

} // namespace

Expected<ContextProgram> thermocline::context::parseProgram(StringRef FileName,
                                                            StringRef Text) {
  return ProgramParser(FileName, Text).run();
}

Expected<std::vector<ContextProgram>>
thermocline::context::parsePrograms(StringRef FileName, StringRef Text) {
  std::vector<ContextProgram> Result;
  const std::string NextHeader = std::string("\n") + Header;
  for (size_t LinesBefore = 0;;) {
    // What stands before the first header belongs to its program.
    size_t Mine = Text.find(Header);
    size_t Next = Text.find(NextHeader, Mine);
    StringRef Part = Text.substr(0, Next == StringRef::npos ? Next : Next + 1);
    Expected<ContextProgram> Program =
        ProgramParser(FileName, Part, LinesBefore).run();
    if (!Program)
      return Program.takeError();
    Result.push_back(std::move(*Program));
    if (Next == StringRef::npos)
      return Result;
    LinesBefore += Part.count('\n');
    Text = Text.drop_front(Part.size());
  }
}
