//===- alloc/jemalloc/WithoutPadding.c - Large objects fill pages ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// jemalloc gives each object of 16 KiB or more a page in addition and starts it
// anywhere in the first one, so that large objects do not compete for the same
// lines of a cache. That is a quarter of an object of 16 KiB. No option of
// jemalloc 5.3.0 turns it off, though a variable does.
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>

extern bool je_opt_cache_oblivious;
void __real_je_sz_boot(const void *sizes, bool padded);
void __wrap_je_sz_boot(const void *sizes, bool padded);

/// jemalloc calls this once, when it has read its options.
void __wrap_je_sz_boot(const void *sizes, bool padded) {
  (void)padded;
  je_opt_cache_oblivious = false;
  __real_je_sz_boot(sizes, false);
}
