//===- Profile/Architectures.h - Where programs ran -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The architectures that the profiled binaries were compiled for. A profile of
// one serves the builds for others, since contexts are those of the source. But
// whoever links should know.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_ARCHITECTURES_H
#define THERMOCLINE_PROFILE_ARCHITECTURES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <set>
#include <string>

namespace thermocline::profile {

class Architectures {
public:
  /// Nothing is known: the profile was made by other tools, or has lost it.
  bool empty() const { return Names.empty(); }
  /// As LLVM's triples name them: "aarch64", "x86_64".
  const std::set<std::string> &names() const { return Names; }
  /// "aarch64 and x86_64".
  std::string text() const;

  /// An empty name is none.
  void add(llvm::StringRef Name) {
    if (!Name.empty())
      Names.insert(Name.str());
  }
  void add(const Architectures &Other) {
    Names.insert(Other.Names.begin(), Other.Names.end());
  }

  /// Appends it to \p File, an indexed profile. Appends nothing if it is empty.
  void appendTo(std::string &File) const;
  /// What appendTo() put into \p Contents; empty if there is nothing. Errors do
  /// not name the file.
  static llvm::Expected<Architectures> readFrom(llvm::StringRef Contents);

private:
  std::set<std::string> Names;
};

} // namespace thermocline::profile

#endif
