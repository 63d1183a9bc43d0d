//===- thermocline/Memory.h - Memory of a running program -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program, and counts which pages of its heap it touches: the kernel
// marks pages that are referenced, and the marks are cleared at the beginning
// of each window, an equal share of the processor time. The program is stopped
// while its pages are counted. It is stopped once more when it ends, by ptrace,
// to see what it has in memory then. This costs time, so runs whose time is
// taken are others.
//
// Only the process that was started is looked at, not its children. If it
// replaces itself by another program, as env does, counting begins again.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_MEMORY_H
#define THERMOCLINE_TOOLS_THERMOCLINE_MEMORY_H

#include "Child.h"
#include "thermocline/Support/Units.h"

namespace thermocline::front {

struct MemoryOfRun {
  Ending How;
  /// Referenced in each window. The last may be shorter than others.
  std::vector<Bytes> Touched;
  /// The most that was resident at a time, and what was at the end.
  Bytes Peak;
  Bytes Final;

  /// The mean of the windows.
  double meanTouched() const;
};

/// Runs \p Command with windows of \p WindowSeconds of processor time. The
/// error says what the kernel does not allow.
llvm::Expected<MemoryOfRun> runForMemory(const ShellCommand &Command,
                                         double WindowSeconds);

/// The bytes that \p Smaps, the text of /proc/PID/smaps, says are referenced in
/// anonymous mappings other than stacks. \p InThreads has an address of each
/// thread but the first, near where its stack begins.
Bytes referencedHeap(llvm::StringRef Smaps,
                     llvm::ArrayRef<uint64_t> InThreads = {});

} // namespace thermocline::front

#endif
