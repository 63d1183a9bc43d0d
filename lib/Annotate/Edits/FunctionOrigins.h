//===- Edits/FunctionOrigins.h - What functions were called -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: which function of a module is one of the profile's, under another
// name. That its calls are alike does not prove it: a function may have gone
// and another one of another purpose come, and what enters that would be taken
// for what entered the old one.
//
// So a function is one of then, if the module has that no more, and
//
// * their names differ in the versions of namespaces alone;
// * or in parameters as well, and both are in files of one name;
// * or both are local functions of one name, and a part of their calls is for
//   the same (CallEvidence.h);
// * or both are in files of one name, and all calls of one are in statements of
//   the other, word by word, but for callees that have another name. Of several
//   that are, one that has more words in its name than any other.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ANNOTATE_EDITS_FUNCTIONORIGINS_H
#define THERMOCLINE_LIB_ANNOTATE_EDITS_FUNCTIONORIGINS_H

#include "thermocline/Annotate/Edits/CallAlignment.h"
#include "thermocline/Callsites/SourceCalls.h"
#include "thermocline/Profile/CallTable.h"
#include <map>
#include <set>
#include <vector>

namespace thermocline::annotate {

class FunctionOrigins {
public:
  /// Both must outlive this object.
  FunctionOrigins(const callsites::ModuleCalls &Now,
                  const profile::CallTable &Then);

  const callsites::ModuleCalls &now() const { return Now; }

  /// Finds origins, as far as the names of callees are known.
  void pairFunctions();

  /// Takes it that what is called by the key \p After was called by \p Before.
  /// Returns whether that was not known.
  bool learn(uint64_t After, uint64_t Before);

  /// The function of then that \p F is, by its name or what is found so far.
  /// Null if there is none.
  const profile::SourceFunction *
  originOf(const profile::SourceFunction &F) const;
  /// Whether \p F is not known by its name.
  bool isByShape(const profile::SourceFunction &F) const {
    return ByShape.contains(F.Function);
  }

  /// The calls of \p F, with callees by the keys that they had. Those of
  /// another name have no Base.
  std::vector<profile::SourceCall>
  callsOf(const profile::SourceFunction &F) const;

  /// The only function of then that calls of \p Key went to, if its calls are
  /// known; else null.
  const profile::SourceFunction *functionThen(uint64_t Key) const;
  /// The only function of the module that calls of \p Key go to, if the program
  /// did not have it, or no context goes through it; else null.
  const profile::SourceFunction *newFunction(uint64_t Key) const;

  /// A function of the module that calls of \p Key go to; null if there is
  /// none.
  const profile::SourceFunction *functionNow(uint64_t Key) const;

  /// The function that calls of \p Key go to, or went.
  llvm::GlobalValue::GUID guidOf(uint64_t Key) const;

  /// Whether the module does not have \p Was, a function of then.
  bool isLost(const profile::SourceFunction &Was) const {
    return !Present.contains(Was.Function) &&
           !Now.Declared.contains(Was.Function) && !Taken.contains(&Was);
  }

  /// Nothing of the module calls it any more.
  bool isGone(uint64_t Callee) const {
    return !ByKey.contains(Callee) && !NumCallsOf.contains(Callee);
  }
  /// A function of another module that the program did not have.
  bool isNewElsewhere(uint64_t Callee) const {
    return !ByKey.contains(Callee) && !Then.hadFunction(Callee);
  }
  /// How many calls of the module go to a function.
  unsigned numCallsOf(uint64_t Callee) const {
    auto Found = NumCallsOf.find(Callee);
    return Found == NumCallsOf.end() ? 0 : Found->second;
  }

private:
  using FunctionList = std::vector<const profile::SourceFunction *>;

  void learnFromNames();
  unsigned likeness(const profile::SourceFunction &Was,
                    const profile::SourceFunction &F) const;
  unsigned likenessOfCalls(const profile::SourceFunction &Was,
                           const profile::SourceFunction &F) const;
  bool mayBeRenamed(uint64_t Before, uint64_t After) const;
  bool isContained(SourceCalls Some, SourceCalls All) const;
  bool pairMostAlike(FunctionList &New, FunctionList &Gone);
  void setOrigin(const profile::SourceFunction &F,
                 const profile::SourceFunction &Was, unsigned Likeness);

  const callsites::ModuleCalls &Now;
  const profile::CallTable &Then;
  std::map<uint64_t, FunctionList> ByKey, ThenByKey;
  std::set<llvm::GlobalValue::GUID> Present;
  std::map<uint64_t, unsigned> NumCallsOf;
  /// The functions of then that functions of now are.
  std::map<llvm::GlobalValue::GUID, const profile::SourceFunction *> Origins;
  std::set<const profile::SourceFunction *> Taken;
  std::set<llvm::GlobalValue::GUID> ByShape;
  /// How these were called.
  std::map<uint64_t, uint64_t> OldKeys;
};

} // namespace thermocline::annotate

#endif
