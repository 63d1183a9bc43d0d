//===- cmake/SanitizerOptions.c - Defaults of sanitized programs ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ThermoclineSanitize.cmake has the options and why.
//
//===----------------------------------------------------------------------===//

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void) { return THERMOCLINE_ASAN_OPTIONS; }

const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }
