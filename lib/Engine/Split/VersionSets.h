//===- Split/VersionSets.h - In which versions trie states run --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each trie state of a resolution, the versions of its function that it may
// run in under given decisions. There are millions of trie states, but nearly
// all run in one version or two, and neighbours in the same: each set is kept
// once.
//
// Cost: for each trie state, its versions times its calls; 4 bytes a trie
// state.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_VERSIONSETS_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_VERSIONSETS_H

#include "Match/Resolution.h"
#include "thermocline/Context/Decisions.h"
#include "thermocline/Support/GroupedArray.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace thermocline::context {

/// \returns a callsite that stands for each call, indexed by CallId: decisions
/// are equal for all callsites of a call.
std::vector<CallsiteId> callsitesOfCalls(const ContextProgram &Program,
                                         const Resolution &Resolved);

class VersionSets {
public:
  VersionSets() { finish(); }

  llvm::ArrayRef<uint32_t> operator[](uint32_t Set) const {
    return Versions[Set];
  }

  static constexpr uint32_t Empty = 0;

  /// Begins a set: add() to it, and finish() gives its number.
  void begin() { Scratch.clear(); }
  void add(uint32_t Version) {
    if (Scratch.empty() || Scratch.back() != Version)
      Scratch.push_back(Version);
  }
  /// Adds what \p Next leads to from the versions of the set, and so on.
  void closeUnder(llvm::ArrayRef<uint32_t> Next) {
    for (size_t I = 0; I != Scratch.size(); ++I)
      if (!llvm::is_contained(Scratch, Next[Scratch[I]]))
        Scratch.push_back(Next[Scratch[I]]);
  }
  uint32_t finish();

private:
  static constexpr uint32_t None = ~0u;
  llvm::SmallVector<uint32_t, 8> Scratch;
  /// The versions in each set, indexed by set.
  GroupedArray<uint32_t, uint32_t> Versions;
  std::map<std::vector<uint32_t>, uint32_t> Known;
  /// The set that has only this version, indexed by version.
  std::vector<uint32_t> Singles;
};

/// Where all resolved contexts run, by trie state.
class ReachedVersions {
public:
  /// \p Decided must be well formed. Trie states of \p AlsoOriginal, if it is
  /// not empty, are entered in version 0 as well.
  ReachedVersions(const ContextProgram &Program, const Resolution &Resolved,
                  const Decisions &Decided,
                  const llvm::BitVector &AlsoOriginal = {});

  llvm::ArrayRef<uint32_t> operator[](TrieStateId P) const {
    return Sets[Numbers[P.index()]];
  }
  /// \returns the number of the set, which is equal for equal sets.
  uint32_t set(TrieStateId P) const { return Numbers[P.index()]; }

private:
  VersionSets Sets;
  std::vector<uint32_t> Numbers;
};

} // namespace thermocline::context

#endif
