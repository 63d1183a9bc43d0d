//===- Callsites/SourceCalls.cpp - The calls that a module's source has ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Callsites/SourceCalls.h"
#include "Macros.h"
#include "SourceFiles.h"
#include "thermocline/Callsites/CallText.h"
#include "thermocline/Format/CallTable.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;
using profile::NameKeys;
using profile::SourceCall;
using profile::SourceFunction;

namespace {

uint32_t fileHash(StringRef Path) {
  return static_cast<uint32_t>(xxh3_64bits(sys::path::filename(Path)));
}

StringRef nameOf(const GlobalValue &F) {
  return GlobalValue::dropLLVMManglingEscape(F.getName());
}

/// A call that a context can go through: a call, or what becomes one when a
/// coroutine is split.
bool isCallOfSource(const CallBase &Call) {
  if (Call.isInlineAsm())
    return false;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic())
    return true;
  return Callee->getName().starts_with("llvm.coro.await.suspend");
}

/// The words of the compiler's command, as far as they are known.
std::vector<StringRef> wordsOfCommand() {
  static const auto Command =
      MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  std::vector<StringRef> Words;
  if (Command)
    for (StringRef Rest = (*Command)->getBuffer(); !Rest.empty();) {
      Words.push_back(Rest.take_until([](char C) { return C == 0; }));
      Rest = Rest.drop_front(std::min(Words.back().size() + 1, Rest.size()));
    }
  return Words;
}

class Reader {
public:
  /// Takes the path of \p M's source as it was given, as names of local
  /// functions do: those of one name are of one path.
  Reader(const llvm::Module &M, ModuleCalls &Module, bool HasNames)
      : Path(M.getSourceFileName()), Files(M), Defined(wordsOfCommand()),
        Module(Module), HasNames(HasNames) {
    sys::path::remove_dots(Path);
  }

  void read(const Function &F, const DISubprogram &Subprogram) {
    Module.Functions.push_back(callsOf(F, Subprogram));
  }

private:
  SourceFunction callsOf(const Function &F, const DISubprogram &Subprogram) {
    SourceFunction Result;
    const StringRef Name = nameOf(F);
    Result.Name = namesOf(Name).Keys;
    Result.Function = profile::sourceGUID(Name);
    const bool IsUniqueLocal = profile::isUniqueLocalName(Name);
    if (IsUniqueLocal || F.hasLocalLinkage())
      Result.Local = profile::calleeKey(profile::sourceName(Name));
    // Others have one name in several files.
    if (IsUniqueLocal)
      Result.Name.addPath(Path);
    if (const DIFile *File = Subprogram.getFile())
      Result.File = fileHash(File->getFilename());
    const bool IsOwn =
        !F.isWeakForLinker() && !F.hasAvailableExternallyLinkage();
    std::map<std::pair<int32_t, uint32_t>, std::vector<CallAtPlace>> ByPlace;
    for (const Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const DILocation *Location = Call ? I.getDebugLoc().get() : nullptr;
      if (!Location || Location->getInlinedAt() || !isCallOfSource(*Call) ||
          Location->getScope()->getSubprogram() != &Subprogram)
        continue;
      const auto Line =
          static_cast<int32_t>(Location->getLine() - Subprogram.getLine());
      CallAtPlace &Read = ByPlace[{Line, Location->getColumn()}].emplace_back();
      Read.Location = Location;
      Read.Read.Line = Line;
      Read.Read.Column = Location->getColumn();
      Read.Callee = readCallee(*Call, Read.Read);
      Read.IsNumber = Call->getType()->isIntOrIntVectorTy() ||
                      Call->getType()->isFloatingPointTy();
    }
    for (auto &[Place, Calls] : ByPlace) {
      const StringRef Named = namedAt(Calls);
      for (CallAtPlace &Call : Calls) {
        SourceCall &Read = Call.Read;
        readText(*Call.Location, Result.Function,
                 Named.empty() ? Call.Callee : Named, IsOwn, Read);
        if (Read.Text)
          readVariables(Result, *Call.Location, Read,
                        Named.empty() ? Call.Callee : Named);
        // A number does not tell what memory is for.
        if (Call.IsNumber)
          Read.Target &= ~SourceCall::PathBit;
        Result.Calls.push_back(std::move(Read));
      }
    }
    return Result;
  }

  struct CallAtPlace {
    const DILocation *Location;
    StringRef Callee;
    bool IsNumber;
    SourceCall Read;
  };

  /// Reads what variables \p F has, and \p Read gets, a call of \p Callee.
  void readVariables(SourceFunction &F, const DILocation &Location,
                     const SourceCall &Read, StringRef Callee) {
    const SourceTokens &Tokens = Files.read(*Location.getFile())->Tokens;
    const uint32_t Line = Location.getLine(), Column = Location.getColumn();
    const bool IsFirst = F.Locals.empty();
    if (IsFirst)
      F.Locals = localsAt(Tokens, Line, Column);
    if (!HasNames)
      return;
    if (IsFirst)
      Module.VariablesOf[F.Function] = variablesAt(Tokens, Line, Column);
    Module.NamesOf[{F.Function, Read.Line, Read.Column}] =
        namesAt(Tokens, Line, Column, Callee);
  }

  /// The name of those \p Calls of one place that stands there. The others are
  /// a part of the same: temporary objects end where the call stands that they
  /// were made for. Empty if it is none or the only one.
  StringRef namedAt(ArrayRef<CallAtPlace> Calls) {
    if (Calls.size() == 1 || !Calls.front().Location->getLine())
      return "";
    for (const CallAtPlace &Call : Calls)
      if (const SourceFiles::SourceFile *File =
              Files.read(*Call.Location->getFile());
          File && isNamedAt(File->Tokens, Call.Location->getLine(),
                            Call.Location->getColumn(), Call.Callee))
        return Call.Callee;
    return "";
  }

  /// Adds what the source says at \p Location, in \p Function, of a call of \p
  /// Callee. No other module has the function if it \p IsOwn.
  void readText(const DILocation &Location, GlobalValue::GUID Function,
                StringRef Callee, bool IsOwn, SourceCall &Call) {
    // What the compiler made itself has line 0.
    if (!Location.getFile() || !Location.getLine())
      return;
    const SourceFiles::SourceFile *File = Files.read(*Location.getFile());
    if (!File) {
      Module.Unread.insert(Function);
      if (Module.UnreadFile.empty())
        Module.UnreadFile = Location.getFilename().str();
      return;
    }
    const Macros::Scope &Scope =
        Defined.scopeOf(File->Path, IsOwn ? Files.source() : "");
    describeCall(
        File->Tokens, &File->Nameless, Location.getLine(), Location.getColumn(),
        Callee, Call,
        [&](const NameInSource &Named, std::set<uint16_t> &To) {
          Defined.addMeaning(Named, Scope, To);
        },
        [&](StringRef Name) { return Defined.defines(Name, Scope); },
        [&](StringRef Name, unsigned Index) {
          return Defined.takesSize(Name, Index, Scope);
        });
  }

  struct FunctionNames {
    NameKeys Keys;
    std::string Plain;
  };

  const FunctionNames &namesOf(StringRef Name) {
    Name = profile::sourceName(Name);
    auto [Known, New] = Names.try_emplace(Name);
    if (New)
      Known->second = {NameKeys::of(Name),
                       profile::plainName(Name.split(".__uniq.").first)};
    return Known->second;
  }

  /// \returns the plain name of what is called; empty if it is not known.
  StringRef readCallee(const CallBase &Call, SourceCall &Result) {
    const auto *Callee =
        dyn_cast<GlobalValue>(Call.getCalledOperand()->stripPointerCasts());
    if (!Callee)
      return "";
    Result.Callee = profile::calleeKey(profile::sourceName(nameOf(*Callee)));
    const FunctionNames &Names = namesOf(nameOf(*Callee));
    Result.Base = Names.Keys.Base;
    return Names.Plain;
  }

  SmallString<128> Path;
  SourceFiles Files;
  Macros Defined;
  StringMap<FunctionNames> Names;
  ModuleCalls &Module;
  const bool HasNames;
};

} // namespace

ModuleCalls callsites::readSourceCalls(const Module &M, bool HasNames) {
  ModuleCalls Result;
  Result.File = fileHash(M.getSourceFileName());
  Reader Read(M, Result, HasNames);
  for (const Function &F : M)
    if (F.isDeclaration())
      Result.Declared.insert(profile::sourceGUID(nameOf(F)));
    else if (const DISubprogram *Subprogram = F.getSubprogram())
      Read.read(F, *Subprogram);
  return Result;
}

/// Writes \p F as assembly.
static void write(const SourceFunction &F, raw_ostream &OS) {
  std::string Payload;
  raw_string_ostream Encoded(Payload);
  profile::encode(F, Encoded);
  OS << ".balign " << format::CallTableAlignment << "\n.long "
     << format::CallTableMagic << ',' << format::CallTableVersion << ','
     << Payload.size() << "\n.ascii \"";
  for (char C : Payload) {
    if (isPrint(C) && C != '"' && C != '\\')
      OS << C;
    else
      OS << '\\' << llvm::format("%03o", static_cast<uint8_t>(C));
  }
  OS << "\"\n.balign " << format::CallTableAlignment << '\n';
}

PreservedAnalyses WriteSourceCallsPass::run(Module &M,
                                            ModuleAnalysisManager &) {
  if (!M.getTargetTriple().isOSBinFormatELF())
    return PreservedAnalyses::all();
  const ModuleCalls Calls = readSourceCalls(M, /*HasNames=*/false);
  if (!Calls.Unread.empty())
    M.getContext().diagnose(DiagnosticInfoGeneric(
        "thermocline: the source of " +
            formatCount(Calls.Unread.size(), "function") + " in " +
            M.getSourceFileName() + " cannot be read (" + Calls.UnreadFile +
            "), so edits of their statements will not be noticed; compile "
            "where the source is",
        DS_Warning));
  DenseMap<GlobalValue::GUID, const Function *> ByName;
  for (const Function &F : M)
    if (!F.isDeclaration())
      ByName[profile::sourceGUID(nameOf(F))] = &F;
  std::string Text;
  raw_string_ostream OS(Text);
  for (const SourceFunction &F : Calls.Functions) {
    // If each module that uses a function has a copy of it, the linker keeps
    // one.
    const Function *Known = ByName.lookup(F.Function);
    OS << ".section " << format::CallTableSection;
    if (Known &&
        (Known->isWeakForLinker() || Known->hasAvailableExternallyLinkage()))
      OS << ",\"G\",@progbits," << format::CallTableGroup
         << utohexstr(F.Function) << ",comdat\n";
    else
      OS << ",\"\",@progbits\n";
    write(F, OS);
  }
  if (Calls.Functions.empty())
    return PreservedAnalyses::all();
  OS << ".text\n";
  M.appendModuleInlineAsm(Text);
  return PreservedAnalyses::all();
}

PreservedAnalyses KeepSourceCallsPass::run(Module &M, ModuleAnalysisManager &) {
  *Calls = readSourceCalls(M, /*HasNames=*/true);
  return PreservedAnalyses::all();
}
