//===- Profile/Raw/AllocatorFrames.cpp - Frames inside allocators ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/AllocatorFrames.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

AllocatorFrames::AllocatorFrames(ArrayRef<NamedAllocator> Allocators) {
  for (const NamedAllocator &Is : Allocators) {
    Names.push_back(Is.Name);
    Functions[memprof::getGUID(Is.Name)] = {.IsVariant = false};
    // A variant of one function may be named itself.
    Functions.try_emplace(memprof::getGUID(Is.ColdName),
                          Function{.IsVariant = true});
  }
}

AllocatorFrames::Callers
AllocatorFrames::callers(ArrayRef<memprof::Frame> Frames) {
  Callers Result{Frames};
  if (Functions.empty())
    return Result;
  // The root is no allocation function, whatever it is called.
  for (size_t I = 0; I + 1 < Frames.size(); ++I)
    if (auto Found = Functions.find(Frames[I].Function);
        Found != Functions.end()) {
      Found->second.WasSeen = true;
      Result = {Frames.drop_front(I + 1), Found->second.IsVariant};
    }
  return Result;
}

std::vector<std::string> AllocatorFrames::unseen() const {
  std::vector<std::string> Result;
  for (const std::string &Name : Names)
    if (!Functions.at(memprof::getGUID(Name)).WasSeen)
      Result.push_back(Name);
  return Result;
}
