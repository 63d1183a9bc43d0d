//===- LinkBases.h - By what a link's modules were classified ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The modules of a link tell by which thresholds and which profile their
// contexts were classified (Annotate/Metadata/Basis.h). What a link says of a
// profile goes by the same thresholds. If modules differ, a message says by
// which.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_LINKBASES_H
#define THERMOCLINE_LTO_PROGRAM_LINKBASES_H

#include "thermocline/Annotate/BinaryShares.h"
#include "thermocline/Annotate/Metadata/Basis.h"
#include "thermocline/Annotate/Metadata/ChosenFunctions.h"
#include "thermocline/Annotate/Metadata/EditNotes.h"
#include "thermocline/Annotate/Metadata/OrderNotes.h"
#include "thermocline/Context/ContextProgram.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class Module;
class ModuleSummaryIndex;
} // namespace llvm

namespace thermocline::lto {

class LinkBases {
public:
  /// Takes what the MIBs of an allocation in \p Module tell, if they do: the
  /// first of them names \p Named.
  void add(llvm::StringRef Module, annotate::NamedContexts Named);
  void add(const LinkBases &Other);

  /// Takes what \p Name, that of a variable, or \p M, which modules were merged
  /// to, tells of edits (Annotate/Metadata/EditNotes.h), of the binaries of the
  /// profile (BinaryShares.h), and of how small objects should lie
  /// (Annotate/Metadata/OrderNotes.h). Returns an error if that is damaged.
  llvm::Error addNotes(llvm::StringRef Name);
  llvm::Error addNotes(const llvm::Module &M);
  /// Stack ids of calls that were found in edited source, and ids of contexts
  /// whose allocation is one.
  const std::set<uint64_t> &salvaged() const { return Edits.Salvaged; }
  /// The profiles that modules lack calls of, and the bytes of their cold
  /// contexts.
  const std::map<uint64_t, uint64_t> &outdated() const {
    return Edits.Outdated;
  }
  /// Whether modules were compiled with a profile and got no context of it.
  bool anyUnmatched() const {
    return Edits.IsOfOthers || !Edits.Unmatched.empty();
  }
  /// Why modules with functions of the profile match nothing of it, and what to
  /// do about it, if they say so.
  std::string whyUnmatched() const;
  /// The bytes of the profile's cold contexts, as modules tell that have calls
  /// or functions of it. Of several profiles without contexts, the most.
  uint64_t coldBytes() const;
  /// By the GUID of a function in the source, those of functions that it calls.
  using CalleesOf =
      std::unordered_map<uint64_t, llvm::SmallVector<uint64_t, 4>>;

  /// The GUID in the source of the function of this name. All that have lost
  /// their names (Annotate/Metadata/NotedNames.h) have one.
  static uint64_t sourceOf(llvm::StringRef Name);

  /// Whether calls may lead somewhere which the profiled program did not have.
  bool hasEntered() const { return !Edits.Entered.empty(); }
  /// Marks the allocations of \p Program that such calls may lead to, also
  /// through functions \p WithoutContexts, which were not seen to run before,
  /// and by ifuncs, of which nothing but what they may have \p Chosen is known:
  /// what their contexts do not list is not known to be cold. Functions that
  /// have lost their names may be some that such calls enter.
  void markEntered(context::ContextProgram &Program,
                   const CalleesOf &WithoutContexts,
                   const annotate::ChosenFunctions &Chosen) const;
  /// Which binaries of a profile the link has what of.
  const annotate::BinaryShares &shares() const { return Shares; }
  /// What the profiles of modules say of how small objects should lie.
  const annotate::OrderNotes &order() const { return Order; }

  /// What all modules that tell any agree on, or else the one with the
  /// thresholds of most of them. Null if none tells any.
  const annotate::Basis *common() const;
  /// Modules with contexts, and those of them that tell these thresholds.
  size_t numModules() const { return ByModule.size(); }
  size_t numWith(const profile::ColdThresholds &Thresholds) const;
  /// Whether each module with contexts tells the same.
  bool allAgree() const;
  /// Whether the model of touched pages decided in each module with contexts,
  /// so that weights tell what hints save.
  bool areSavingsKnown() const;
  /// One sentence on thresholds that differ, one on profiles, and one on
  /// modules whose basis cannot be read, as far as there are any: for warnings.
  std::vector<std::string> differences() const;

private:
  using Modules = std::vector<llvm::StringRef>;

  /// What \p KeyOf says of the bases, and the modules with it, sorted. Most
  /// modules first.
  template <typename Key>
  std::vector<std::pair<annotate::Basis, Modules>> groups(Key KeyOf) const;

  /// The bases of all modules with contexts. A module has several if modules
  /// were merged before.
  std::map<std::string, std::set<annotate::Basis>, std::less<>> ByModule;
  annotate::EditNotes Edits;
  annotate::BinaryShares Shares;
  annotate::OrderNotes Order;
  /// Modules that tell a basis that cannot be read.
  std::set<std::string> Unreadable;
};

/// "2 modules (a.o, b.o)": the first five of them by name.
std::string listModules(llvm::ArrayRef<llvm::StringRef> Modules);

/// The bases of the modules of a thin link.
LinkBases basesIn(const llvm::ModuleSummaryIndex &Index);

} // namespace thermocline::lto

#endif
