//===- profile/lifecycle/Preload.cpp - What only the preloaded library has ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Preload.h"

constexpr bool thermocline_is_preloaded = true;
