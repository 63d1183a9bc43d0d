//===- profile/platform/ThreadSafety.h - Which lock guards what -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names for the attributes that clang checks (-Wthread-safety, an error here).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_THREADSAFETY_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_THREADSAFETY_H

/// A class whose objects are locks.
#define THERMOCLINE_LOCK __attribute__((capability("lock")))
/// A class whose objects hold a lock as long as they live.
#define THERMOCLINE_SCOPED __attribute__((scoped_lockable))
/// A member that may be used only with a lock.
#define THERMOCLINE_GUARDED_BY(Lock) __attribute__((guarded_by(Lock)))
/// A function to be called with locks held.
#define THERMOCLINE_REQUIRES(...)                                              \
  __attribute__((requires_capability(__VA_ARGS__)))
/// A function that takes a lock, or tries to and returns whether it did.
#define THERMOCLINE_ACQUIRE(...)                                               \
  __attribute__((acquire_capability(__VA_ARGS__)))
#define THERMOCLINE_TRY_ACQUIRE(...)                                           \
  __attribute__((try_acquire_capability(true, ##__VA_ARGS__)))
#define THERMOCLINE_RELEASE(...)                                               \
  __attribute__((release_capability(__VA_ARGS__)))
/// A function that is not checked; the reason stands beside it.
#define THERMOCLINE_UNCHECKED __attribute__((no_thread_safety_analysis))

#endif
