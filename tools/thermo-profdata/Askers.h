//===- thermo-profdata/Askers.h - Who asks for memory -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the innermost frame of a context seldom tells a reader anything. It
// is an allocator of the C++ library, or a function such as xmalloc() through
// which all of the program's memory comes.
//
// So a context is named by its first frame outside of the library. If that is
// in a funnel, a function that three others or more ask, it is also named by
// who asks the funnel: the first frame above whose function keeps what it is
// given, as far as the profile knows that of calls.
//
// Cost: linear in the frames of the profile.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_ASKERS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_ASKERS_H

#include "ContextList.h"
#include "thermocline/Profile/CallTable.h"
#include "llvm/Support/Error.h"
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace thermocline::profdata {

class Askers {
public:
  /// Reads what \p List, whose contexts count, knows of calls. \p Names must
  /// outlive it.
  static llvm::Expected<Askers> of(const ContextList &List,
                                   const profile::FunctionNames &Names);

  struct Asker {
    /// The first frame outside of the library, or the innermost one.
    const llvm::memprof::Frame *First = nullptr;
    /// Who asks \c First, if that is in a funnel; else null.
    const llvm::memprof::Frame *For = nullptr;
  };
  Asker of(const ListedContext &C) const;

  /// The function and place of a frame, and the file and line if they are
  /// known: "parse +5:18, parse.c:31".
  std::string describe(const llvm::memprof::Frame &F) const;

private:
  using Function = llvm::GlobalValue::GUID;

  explicit Askers(const profile::FunctionNames &Names) : Names(&Names) {}
  const llvm::memprof::Frame *
  firstOutside(llvm::ArrayRef<llvm::memprof::Frame> Frames) const;
  bool returns(const llvm::memprof::Frame &F) const;

  const profile::FunctionNames *Names;
  profile::CallTable Calls;
  std::unordered_set<Function> OfLibrary;
  std::unordered_set<Function> Funnels;
};

} // namespace thermocline::profdata

#endif
