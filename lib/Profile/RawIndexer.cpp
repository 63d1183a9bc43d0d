//===- Profile/RawIndexer.cpp - From a raw profile to contexts ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/RawIndexer.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

SymbolizedStack profile::symbolizeStack(ArrayRef<uint64_t> Addresses,
                                        ProfiledBinary &Binary) {
  SymbolizedStack Result;
  // Set when frames are missing. Those below the root of the program (the C
  // library's start code) are not missed, so it counts only once a frame of the
  // program follows.
  bool Gap = false;
  for (uint64_t Address : Addresses) {
    const SymbolizedAddress &At = Binary.symbolize(Address);
    switch (At.Kind) {
    case AddressKind::Runtime:
      break;
    case AddressKind::ColdFunction:
      Result.IsHinted = true;
      break;
    case AddressKind::OtherObject:
      Gap = true;
      break;
    case AddressKind::NoDebugInfo:
      Gap = Result.MissesDebugInfo = true;
      break;
    case AddressKind::Program:
      if (Gap)
        (Result.Frames.empty() ? Result.AllocatedElsewhere
                               : Result.Interrupted) = true;
      Gap = false;
      append_range(Result.Frames, At.Frames);
      break;
    }
  }
  return Result;
}

Error profile::indexRaw(const RawProfile &Raw, ProfiledBinary &Binary,
                        AllocatorFrames &Allocators, HeapProfile &Into,
                        SymbolizationStatistics &Statistics) {
  if (Error E = Binary.locate(Raw))
    return E;
  bool AnyKept = false;
  TimeSpan Span;
  for (const RawContext &C : Raw.contexts()) {
    SymbolizedStack Stack = symbolizeStack(Raw.addresses(C), Binary);
    const Bytes Size(C.Info.TotalSize);
    Statistics.All.add(Size);
    Span.add(C.Info.AllocTimestamp, C.Info.DeallocTimestamp, C.Info.MaxLifetime,
             /*OfProgram=*/!Stack.Frames.empty());
    if (Stack.Frames.empty()) {
      Statistics.Dropped.add(Size);
      if (Stack.MissesDebugInfo)
        Statistics.DroppedWithoutDebugInfo.add(Size);
      continue;
    }
    AnyKept = true;
    if (Stack.AllocatedElsewhere)
      Statistics.AllocatedElsewhere.add(Size);
    if (Stack.Interrupted)
      Statistics.Interrupted.add(Size);
    Into.addContext(Allocators.callers(Stack.Frames).Frames, C.Info);
  }
  std::string WrongFiles;
  for (const std::string &Problem : Binary.debugFileProblems())
    WrongFiles += "; " + Problem;
  if (!AnyKept && !Raw.contexts().empty())
    return fileError(Raw.file(),
                     Binary.hasDebugInfo()
                         ? "no context has a frame in " + Binary.path()
                         : "no context can be symbolized: " + Binary.path() +
                               " has no debug information (compile with "
                               "-gmlt -fdebug-info-for-profiling)" +
                               WrongFiles);
  Into.addRuns(Raw.run() ? RunInfo::oneRun(Raw.run()->length())
                         : RunInfo::oneEstimatedRun(Span.length()));
  Statistics.HistogramsLeftOut += Raw.numHistograms();
  return Error::success();
}
