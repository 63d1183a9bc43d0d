//===- Profile/Raw/RunHints.cpp - What a run asked for cold ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/RunHints.h"
#include "thermocline/Profile/StackIds.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

Error RunHints::add(const RawProfile &Raw, ProfiledBinaries &Binaries) {
  if (Error E = Binaries.locate(Raw))
    return E;
  Binaries.prepare(Raw.addresses());
  for (const RawContext &C : Raw.contexts()) {
    const SymbolizedStack Stack = symbolizeStack(C.Calls, Binaries);
    const Bytes Size(C.Info.TotalSize);
    // A library's function that allocates may be one of those named.
    if (Stack.Frames.empty() ||
        (Stack.AllocatedElsewhere && Allocators.empty())) {
      Outside.add(C.Info.AllocCount, Size);
      continue;
    }
    const AllocatorFrames::Callers Callers = Allocators.callers(Stack.Frames);
    RunContext &Entry = Contexts[computeFullStackId(Callers.Frames)];
    if (Entry.Frames.empty())
      Entry.Frames.assign(Callers.Frames.begin(), Callers.Frames.end());
    (Stack.IsHinted || Callers.IsHinted ? Entry.Hinted : Entry.Plain)
        .add(C.Info.AllocCount, Size);
  }
  return Error::success();
}
