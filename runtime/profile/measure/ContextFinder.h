//===- profile/measure/ContextFinder.h - The context of a stack -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: each malloc needs the number of its calling context, while stacks
// are hundreds of calls deep and a malloc should take some nanoseconds.
//
// The stack is not listed and hashed, but compared with a guess: the context
// that was last found with this frame and these two calls, or else with these
// six calls, wherever the frame is. (Deep recursion has more frames than a
// table has entries, but few contexts, because only the innermost calls are
// kept.)
//
// Comparing walks from each frame to the next, so each load would have to wait
// for the one before. But a context remembers how far apart its frames were
// when it was first seen. This hardly ever changes, since a function's frame
// has one size. So the addresses of frames and return addresses can be
// predicted, and the processor loads many at once. Each frame pointer is
// compared as well, before what it points to is used. So the result is what the
// walk would have found.
//
// Where frame pointers alone prove nothing (see CallStack.h), calls are
// compared by the unwind rules of the code.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_CONTEXTFINDER_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_CONTEXTFINDER_H

#include "ContextGuesses.h"
#include "Contexts.h"
#include "unwind/CallStack.h"

namespace thermocline::runtime {

class ContextFinder {
public:
  /// \p C lives as long as this.
  void initialize(Contexts *C) { TheContexts = C; }

  /// How a context is taken; set by the runtime's options.
  CaptureSettings Use;

  /// The context of the calls that led to \p Site. \p Guesses are this
  /// thread's.
  ContextId find(Caller Site, ContextGuesses &Guesses);

private:
  using Guess = ContextGuesses::Guess;
  bool isSame(Guess Known, Caller Site, uint64_t Second, FrameWalk Walk) const;
  bool isSameFurther(Guess Known, FrameWalk Walk, size_t Same) const;
  bool isSameByRules(Guess Known, Caller Site) const;
  bool endsAt(Guess Known, uintptr_t Frame, bool HasNext) const;
  Guess findByCalls(Caller Site, Guess Wrong, ContextGuesses &Guesses);
  Guess capture(Caller Site);

  Contexts *TheContexts = nullptr;
};

} // namespace thermocline::runtime

#endif
