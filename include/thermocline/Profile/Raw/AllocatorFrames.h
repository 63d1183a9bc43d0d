//===- Profile/Raw/AllocatorFrames.h - Frames inside allocators -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime sees the malloc inside an allocation function of the program's
// own. But the call to hint is that of the function. So the context is made to
// begin there:
//
//   before:  grow < pool_alloc < make < main      (leaf first)
//   after:   make < main
//
// If a context has several such functions, for example because one calls
// another, the one nearest to the root counts. A context that would be left
// without frames stays whole.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_ALLOCATORFRAMES_H
#define THERMOCLINE_PROFILE_RAW_ALLOCATORFRAMES_H

#include "thermocline/Support/NamedAllocator.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ProfileData/MemProf.h"
#include <map>

namespace thermocline::profile {

class AllocatorFrames {
public:
  explicit AllocatorFrames(llvm::ArrayRef<NamedAllocator> Allocators);

  struct Callers {
    llvm::ArrayRef<llvm::memprof::Frame> Frames;
    /// Whether a cold variant was called.
    bool IsHinted = false;
  };

  /// \p Frames, leaf first, without those inside of allocation functions.
  Callers callers(llvm::ArrayRef<llvm::memprof::Frame> Frames);

  bool empty() const { return Names.empty(); }

  /// The functions that no context had, in their order.
  std::vector<std::string> unseen() const;

private:
  struct Function {
    bool IsVariant = false;
    bool WasSeen = false;
  };

  std::vector<std::string> Names;
  /// The functions of Names and their variants, by GUID.
  std::map<llvm::GlobalValue::GUID, Function> Functions;
};

} // namespace thermocline::profile

#endif
