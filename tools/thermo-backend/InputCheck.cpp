//===- thermo-backend/InputCheck.cpp - Index and module fit ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputCheck.h"
#include "program/IndexChecksum.h"
#include "program/SummaryReader.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/Object/IRObjectFile.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace llvm;
using namespace thermocline;

namespace {

/// Counts the notes of \p M (PackedCarrier.h) that its summary, \p Own, lacks.
Expected<size_t> countLostNotes(BitcodeModule &M,
                                const ModuleSummaryIndex &Own) {
  std::set<uint64_t> Known, Lost;
  for (const auto &[GUID, Info] : Own)
    Known.insert(xxh3_64bits(Own.getValueInfo(GUID).name()));
  if (Error E = lto::forEachNoteIn(M, [&](uint64_t Hash) {
        if (!Known.contains(Hash))
          Lost.insert(Hash);
      }))
    return std::move(E);
  return Lost.size();
}

/// The summaries of the ThinLTO module in a file, under the file's name. Warns
/// if the module has notes that they lack.
Expected<std::unique_ptr<ModuleSummaryIndex>>
readOwnSummary(StringRef ModuleFile, MemoryBufferRef Buffer) {
  Expected<MemoryBufferRef> Bitcode =
      object::IRObjectFile::findBitcodeInMemBuffer(Buffer);
  if (!Bitcode) {
    consumeError(Bitcode.takeError());
    return fileError(ModuleFile, "not a bitcode module");
  }
  auto Modules = getBitcodeModuleList(*Bitcode);
  if (!Modules)
    return inFile(ModuleFile, Modules.takeError());
  for (BitcodeModule &M : *Modules) {
    auto Info = M.getLTOInfo();
    if (!Info)
      return inFile(ModuleFile, Info.takeError());
    if (!Info->IsThinLTO || !Info->HasSummary)
      continue;
    auto Result = std::make_unique<ModuleSummaryIndex>(/*HaveGVs=*/false);
    if (Error E = M.readSummary(*Result, ModuleFile))
      return inFile(ModuleFile, std::move(E));
    auto Lost = countLostNotes(M, *Result);
    if (!Lost)
      return inFile(ModuleFile, Lost.takeError());
    if (*Lost)
      WithColor::warning(errs(), "thermo-backend")
          << ModuleFile << ": " << lto::describeLostNotes(*Lost) << '\n';
    return std::move(Result);
  }
  return fileError(ModuleFile,
                   "has no ThinLTO summary; was it compiled with -flto=thin?");
}

/// The summaries of \p Index that are of \p Module, by GUID.
DenseMap<GlobalValue::GUID, const GlobalValueSummary *>
summariesOf(const ModuleSummaryIndex &Index, StringRef Module) {
  DenseMap<GlobalValue::GUID, const GlobalValueSummary *> Result;
  for (const auto &[GUID, Info] : Index)
    for (const auto &S : Info.getSummaryList())
      if (S->modulePath() == Module)
        Result[GUID] = S.get();
  return Result;
}

/// What differs between \p Now, a summary as the module has it, and \p Then,
/// the same as it was linked. Empty if no difference can be seen.
StringRef difference(const GlobalValueSummary &Now,
                     const GlobalValueSummary &Then) {
  if (Now.getSummaryKind() != Then.getSummaryKind())
    return "is of another kind";
  auto *Function = dyn_cast<FunctionSummary>(&Now);
  if (!Function)
    return "";
  if (Function->instCount() != cast<FunctionSummary>(Then).instCount())
    return "has another number of instructions";
  return "";
}

Error checkOwn(StringRef ModuleFile, MemoryBufferRef Buffer,
               const ModuleSummaryIndex &Index, StringRef IndexFile) {
  auto Own = readOwnSummary(ModuleFile, Buffer);
  if (!Own)
    return Own.takeError();
  auto Linked = summariesOf(Index, ModuleFile);
  // Goes by the order of GUIDs, which is that of the index.
  for (const auto &[GUID, Info] : **Own) {
    std::string Name = (*Own)->getValueInfo(GUID).name().str();
    if (Name.empty())
      Name = hexText(GUID);
    for (const auto &S : Info.getSummaryList()) {
      auto Found = Linked.find(GUID);
      StringRef Problem = Found == Linked.end()
                              ? "is not in the index"
                              : difference(*S, *Found->second);
      if (!Problem.empty())
        return recordError(ModuleFile, Name,
                           Problem + Twine("; is ") + IndexFile +
                               " of another module, or was the module changed "
                               "after the thin link?");
      Linked.erase(Found);
    }
  }
  if (!Linked.empty())
    return recordError(IndexFile, "module " + ModuleFile,
                       "has " + Twine(Linked.size()) +
                           " values that the module does not have; was it "
                           "changed after the thin link?");
  return Error::success();
}

Expected<std::unique_ptr<ModuleSummaryIndex>>
readWholeIndex(MemoryBufferRef Buffer) {
  // Names come last in the file, and LLVM does not miss them.
  auto Contents = getBitcodeFileContents(Buffer);
  if (!Contents)
    return Contents.takeError();
  if (Contents->Mods.size() != 1 || !Contents->Mods.front().getStrtab().data())
    return createStringError("not a whole summary index");
  return getModuleSummaryIndex(Buffer);
}

/// LLVM's reader trusts counts and offsets in the file. Where that leads it
/// astray, the file is damaged; nothing was changed by then.
Expected<std::unique_ptr<ModuleSummaryIndex>>
readIndex(MemoryBufferRef Buffer) {
  Expected<std::unique_ptr<ModuleSummaryIndex>> Result =
      createStringError("damaged: its records do not fit together");
  CrashRecoveryContext::Enable();
  install_fatal_error_handler([](void *, const char *, bool) {});
  CrashRecoveryContext Context;
  Context.RunSafely([&] {
    auto Read = readWholeIndex(Buffer);
    consumeError(Result.takeError());
    Result = std::move(Read);
  });
  remove_fatal_error_handler();
  CrashRecoveryContext::Disable();
  return Result;
}

} // namespace

std::string thermocline::tools::targetOfModule(StringRef ModuleFile) {
  auto File = MemoryBuffer::getFile(ModuleFile);
  if (!File)
    return "";
  auto Bitcode = object::IRObjectFile::findBitcodeInMemBuffer(**File);
  auto Target = Bitcode ? getBitcodeTargetTriple(*Bitcode)
                        : Expected<std::string>(Bitcode.takeError());
  if (Target)
    return *Target;
  consumeError(Target.takeError());
  return "";
}

Error thermocline::tools::checkInputs(StringRef ModuleFile, StringRef IndexFile,
                                      const Triple &Target, FileRoles &Files) {
  auto Module = MemoryBuffer::getFile(ModuleFile);
  if (!Module)
    return fileError(ModuleFile, Module.getError().message());
  // Code of another architecture would come as a warning of LLVM's.
  const Triple Own(targetOfModule(ModuleFile));
  if (Own.getArch() != Triple::UnknownArch && Own.getArch() != Target.getArch())
    return fileError(ModuleFile, "is for " + Own.str() +
                                     ", and the command line asks for " +
                                     Target.str());
  auto IndexBuffer = MemoryBuffer::getFile(IndexFile);
  if (!IndexBuffer)
    return fileError(IndexFile, IndexBuffer.getError().message());
  if ((*IndexBuffer)->getBufferSize() == 0)
    return Error::success();
  if (Error E = lto::verifyChecksum((*IndexBuffer)->getBuffer()))
    return inFile(IndexFile, std::move(E));
  auto Index = readIndex(**IndexBuffer);
  if (!Index)
    return inFile(IndexFile, Index.takeError());
  if (Error E = lto::verifyHasChecksum((*IndexBuffer)->getBuffer(), **Index))
    return inFile(IndexFile, std::move(E));
  // The summary in a module is of the file that it is in.
  if ((*Index)->modulePaths().contains(IndexFile))
    return fileError(IndexFile, "is a module, not the index of one");
  if ((*Index)->skipModuleByDistributedBackend())
    return Error::success();
  if (!(*Index)->modulePaths().contains(ModuleFile)) {
    std::vector<std::string> Known;
    for (const auto &Entry : (*Index)->modulePaths())
      Known.push_back(Entry.first().str());
    llvm::sort(Known);
    return recordError(IndexFile, "module " + ModuleFile,
                       "is not in this index, which is of " +
                           (Known.empty() ? "none" : join(Known, ", ")) +
                           "; the module must be named as in the thin link");
  }
  for (const auto &Entry : (*Index)->modulePaths())
    if (std::error_code EC =
            sys::fs::access(Entry.first(), sys::fs::AccessMode::Exist))
      return recordError(IndexFile, "import from " + Entry.first(),
                         EC.message());
    else
      Files.uses(Entry.first(), "a module that the index names");
  if (Error E = Files.check())
    return E;
  return checkOwn(ModuleFile, **Module, **Index, IndexFile);
}
