//===- alloc/arch/ForPrograms.h - What the archive is for -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ARCH_FORPROGRAMS_H
#define THERMOCLINE_ALLOC_ARCH_FORPROGRAMS_H

/// The name of what keeps the archive out of shared libraries: linkers print
/// it.
#define THERMOCLINE_FOR_PROGRAMS                                               \
  "libthermocline_alloc.a is for programs: link shared libraries without it"

#endif
