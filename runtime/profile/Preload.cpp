//===- profile/Preload.cpp - What only the preloaded library has ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Preload.h"
#include "Thread.h"
#include <unwind.h>

using namespace thermocline::runtime;

// Finding a frame by its unwind table takes a hundred times as long as by its
// frame pointer: fewer of them unless asked for.
extern "C" __attribute__((visibility("default")))
const char __memprof_default_options_str[] = "malloc_context_size=48";

namespace {
struct Walk {
  uintptr_t First;
  uint64_t *Calls;
  size_t Limit;
  size_t Count = 0;
  /// Frames of the runtime itself, of which there are few.
  size_t Skipped = 0;
};
} // namespace

static _Unwind_Reason_Code visitFrame(struct _Unwind_Context *Context,
                                      void *Argument) {
  auto &W = *static_cast<Walk *>(Argument);
  constexpr size_t MaxSkipped = 16;
  uintptr_t Address = _Unwind_GetIP(Context);
  if (W.Count == 0 && Address != W.First)
    return ++W.Skipped == MaxSkipped ? _URC_END_OF_STACK : _URC_NO_REASON;
  if (W.Count == W.Limit || Address == 0)
    return _URC_END_OF_STACK;
  W.Calls[W.Count++] = Address - 1;
  return _URC_NO_REASON;
}

static size_t unwind(Caller From, uint64_t *Calls, size_t Limit) {
  InsideRuntime Inside;
  Walk W = {From.ReturnAddress, Calls, Limit};
  _Unwind_Backtrace(visitFrame, &W);
  if (W.Count == 0)
    Calls[W.Count++] = From.ReturnAddress - 1;
  return W.Count;
}

constexpr UnwindFunction thermocline_preload_unwind = unwind;
