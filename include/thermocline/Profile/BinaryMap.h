//===- Profile/BinaryMap.h - Which binary has what --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile of a process with several binaries serves the links of all of them.
// So that each link can speak of its part, the profile keeps which binary has
// the functions of its frames, and in which one each context was allocated.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_BINARYMAP_H
#define THERMOCLINE_PROFILE_BINARYMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace thermocline::profile {

struct BinaryContents {
  /// The name of the file, without directory.
  std::string Name;
  /// GUIDs of functions that have a frame of some context in it.
  std::set<uint64_t> Functions;
  /// Full stack ids of the contexts that were allocated in it.
  std::set<uint64_t> Contexts;
};

class BinaryMap {
public:
  using BuildId = llvm::SmallVector<uint8_t, 20>;

  /// The binary with the build id \p Id. Of several names, the least counts.
  BinaryContents &add(llvm::ArrayRef<uint8_t> Id, llvm::StringRef Name) {
    auto [Known, New] = All.try_emplace(BuildId(Id));
    if (New || Name < Known->second.Name)
      Known->second.Name = Name.str();
    return Known->second;
  }
  /// The binary with the build id \p Id, which was added before.
  BinaryContents &at(llvm::ArrayRef<uint8_t> Id) { return All.at(BuildId(Id)); }

  /// Adds what \p Other has.
  void add(const BinaryMap &Other) {
    for (const auto &[Id, Added] : Other.All) {
      BinaryContents &Mine = add(Id, Added.Name);
      Mine.Functions.insert(Added.Functions.begin(), Added.Functions.end());
      Mine.Contexts.insert(Added.Contexts.begin(), Added.Contexts.end());
    }
  }

  /// By build id.
  const std::map<BuildId, BinaryContents> &binaries() const { return All; }

  /// Whether there is anything to tell apart.
  bool hasSeveral() const { return All.size() > 1; }

private:
  std::map<BuildId, BinaryContents> All;
};

} // namespace thermocline::profile

#endif
