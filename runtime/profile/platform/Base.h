//===- profile/platform/Base.h - Types and small helpers --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime is part of a host program and stands below its allocator. It uses
// no libstdc++, no exceptions and no RTTI, and calls malloc only under the
// guard in Thread.h.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_BASE_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_BASE_H

#include <stddef.h>
#include <stdint.h>

/// A function that the program or the loader may call by name.
#define THERMOCLINE_INTERFACE                                                  \
  extern "C" __attribute__((visibility("default"), noinline))

/// What DataFlowSanitizer makes of \p Name, an interface function of this file:
/// so that programs with it link, and can say that they cannot be profiled.
#define THERMOCLINE_DATAFLOW_NAME(Name)                                        \
  __asm__(".globl \"" #Name ".dfsan\"\n.set \"" #Name ".dfsan\", " #Name)

/// Returns what another function of the same type returns, which takes this
/// one's place on the stack.
#define THERMOCLINE_JUMP [[clang::musttail]] return

namespace thermocline::runtime {

/// What pages of kernels have at least and at most.
constexpr size_t LeastPageBytes = 4096;
constexpr size_t MostPageBytes = 64 * 1024;

/// Set once, before memory is mapped.
extern size_t ThePageBytes;
/// What a page of this kernel has: memory is mapped and given back by these.
inline size_t pageBytes() { return ThePageBytes; }

/// Set once, before scans: a power of two, by default that of the kernel.
extern uint8_t TheTouchPageShift;
/// Touches are counted as if pages had 1 << this bytes (page_kib=N).
inline unsigned touchPageShift() { return TheTouchPageShift; }
inline size_t touchPageBytes() { return size_t(1) << TheTouchPageShift; }

constexpr uintptr_t roundUp(uintptr_t Value, uintptr_t Multiple) {
  return (Value + Multiple - 1) & ~(Multiple - 1);
}
constexpr uintptr_t roundDown(uintptr_t Value, uintptr_t Multiple) {
  return Value & ~(Multiple - 1);
}
constexpr bool isPowerOfTwo(uintptr_t Value) {
  return Value && !(Value & (Value - 1));
}

/// A value that threads share. Thin names over the compiler's atomics, as
/// <atomic> belongs to libstdc++.
template <typename T> class Atomic {
public:
  constexpr Atomic() = default;
  constexpr explicit Atomic(T Value) : Value(Value) {}
  T load() const { return __atomic_load_n(&Value, __ATOMIC_ACQUIRE); }
  T loadRelaxed() const { return __atomic_load_n(&Value, __ATOMIC_RELAXED); }
  void store(T New) { __atomic_store_n(&Value, New, __ATOMIC_RELEASE); }
  void storeRelaxed(T New) { __atomic_store_n(&Value, New, __ATOMIC_RELAXED); }
  T exchange(T New) {
    return __atomic_exchange_n(&Value, New, __ATOMIC_ACQ_REL);
  }
  T fetchAdd(T Add) {
    return __atomic_fetch_add(&Value, Add, __ATOMIC_ACQ_REL);
  }
  /// On failure \p Expected becomes the present value.
  bool compareExchange(T &Expected, T New) {
    return __atomic_compare_exchange_n(&Value, &Expected, New, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  /// For the kernel.
  T *address() { return &Value; }

private:
  T Value = {};
};

} // namespace thermocline::runtime

#endif
