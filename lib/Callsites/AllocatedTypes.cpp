//===- Callsites/AllocatedTypes.cpp - The types that a module allocates ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Callsites/AllocatedTypes.h"
#include "thermocline/Format/CallTable.h"
#include "thermocline/Format/DataTypes.h"
#include "thermocline/Profile/AllocationCalls.h"
#include "thermocline/Profile/CallTable.h"
#include "thermocline/Profile/DataTypes.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;
using profile::TypedCall;

/// Lines of frames have so many bits.
static constexpr uint32_t LineMask = 0xffff;

static StringRef nameOf(const GlobalValue &F) {
  return GlobalValue::dropLLVMManglingEscape(F.getName());
}

/// The type that \p Call is said to allocate, or nothing.
static StringRef typeOf(const CallBase &Call) {
  const MDNode *Node = Call.getMetadata(LLVMContext::MD_alloc_token);
  if (!Node || Node->getNumOperands() == 0)
    return "";
  const auto *Name = dyn_cast<MDString>(Node->getOperand(0));
  return Name ? Name->getString() : "";
}

/// Whether \p Callee allocates, or says that it returns new memory.
static bool allocates(const Function &Callee) {
  return Callee.returnDoesNotAlias() ||
         Callee.hasFnAttribute(Attribute::AllocSize) ||
         !profile::allocationFunction(profile::calleeKey(nameOf(Callee)))
              .empty();
}

static std::set<TypedCall> typedCalls(const Function &F,
                                      const DISubprogram &Subprogram) {
  std::set<TypedCall> Result;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const DILocation *Location = Call ? I.getDebugLoc().get() : nullptr;
    if (!Location || Location->getScope()->getSubprogram() != &Subprogram)
      continue;
    const auto *Callee =
        dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts());
    const StringRef Type = typeOf(*Call);
    if (!Callee || (Type.empty() && !allocates(*Callee)))
      continue;
    Result.insert({(Location->getLine() - Subprogram.getLine()) & LineMask,
                   Location->getColumn(), profile::sourceGUID(nameOf(*Callee)),
                   Type.str()});
  }
  return Result;
}

/// As a string of an assembler: one that needs no escapes but those of octal
/// numbers.
static void printString(StringRef Text, raw_ostream &OS) {
  OS << '"';
  for (char C : Text) {
    const auto Byte = static_cast<uint8_t>(C);
    if (isPrint(C) && C != '"' && C != '\\')
      OS << C;
    else
      OS << '\\' << char('0' + (Byte >> 6)) << char('0' + (Byte >> 3 & 7))
         << char('0' + (Byte & 7));
  }
  OS << '"';
}

/// Writes what \p F allocates as assembly.
static void write(const Function &F, const std::set<TypedCall> &Calls,
                  raw_ostream &OS) {
  const GlobalValue::GUID Id = profile::sourceGUID(nameOf(F));
  OS << ".section " << format::TypeTableSection;
  // With its calls, of which the linker keeps one.
  if (F.isWeakForLinker() || F.hasAvailableExternallyLinkage())
    OS << ",\"G\",@progbits," << format::CallTableGroup << utohexstr(Id)
       << ",comdat\n";
  else
    OS << ",\"\",@progbits\n";
  OS << ".long " << format::TypeTableMagic << ',' << format::TypeTableVersion
     << "\n.quad " << Id << ',' << Calls.size() << '\n';
  for (const TypedCall &Call : Calls)
    OS << ".long " << Call.Line << ',' << Call.Column << "\n.quad "
       << Call.Callee << ',' << Call.Type.size() << '\n';
  for (const TypedCall &Call : Calls)
    if (!Call.Type.empty()) {
      OS << ".ascii ";
      printString(Call.Type, OS);
      OS << '\n';
    }
}

static std::string typesOf(const Module &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const Function &F : M)
    if (const DISubprogram *Subprogram = F.getSubprogram();
        Subprogram && !F.isDeclaration())
      if (const std::set<TypedCall> Calls = typedCalls(F, *Subprogram);
          !Calls.empty())
        write(F, Calls, OS);
  if (!Text.empty())
    OS << ".text\n";
  return Text;
}

/// Removes the module flags of the sanitizer.
static void removeFlags(Module &M) {
  NamedMDNode *Flags = M.getModuleFlagsMetadata();
  if (!Flags)
    return;
  SmallVector<MDNode *, 16> Kept;
  for (MDNode *Flag : Flags->operands()) {
    const auto *Name = dyn_cast<MDString>(Flag->getOperand(1));
    if (!Name || !Name->getString().starts_with("alloc-token"))
      Kept.push_back(Flag);
  }
  Flags->clearOperands();
  for (MDNode *Flag : Kept)
    Flags->addOperand(Flag);
}

PreservedAnalyses TakeTypesPass::run(Module &M, ModuleAnalysisManager &) {
  if (M.getTargetTriple().isOSBinFormatELF())
    if (const std::string Text = typesOf(M); !Text.empty())
      M.appendModuleInlineAsm(Text);
  for (Function &F : M) {
    F.removeFnAttr(Attribute::SanitizeAllocToken);
    for (Instruction &I : instructions(F))
      I.setMetadata(LLVMContext::MD_alloc_token, nullptr);
  }
  removeFlags(M);
  return PreservedAnalyses::all();
}
