//===- cmake/SanitizerOptions.c - Defaults of sanitized programs ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

const char *__asan_default_options(void);

const char *__asan_default_options(void) {
  // LLVM's libraries are not sanitized. Their copies of BumpPtrAllocator's
  // inline functions do not unpoison what ours have poisoned.
  return "allow_user_poisoning=0:"
         // LLVM's tools end without freeing what the process's end frees.
         "detect_leaks=0";
}
