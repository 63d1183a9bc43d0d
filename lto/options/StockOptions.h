//===- options/StockOptions.h - What LLVM's options mean here ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Link lines written for stock lld steer LLVM's own MemProf. Those options stay
// accepted: some mean the same here, and the others are named to the user, once
// each, with what Thermocline has instead. None is silently ignored.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_OPTIONS_STOCKOPTIONS_H
#define THERMOCLINE_LTO_OPTIONS_STOCKOPTIONS_H

#include <optional>
#include <string>
#include <vector>

namespace thermocline::lto {

/// One sentence for each option of LLVM's MemProf that the command line has and
/// that means nothing in a link of ours, by name. Called after it was parsed.
std::vector<std::string> stockOptionsWithoutEffect();

/// What -cold-new-hint-value was given; none if it was not.
std::optional<unsigned> stockColdHint();
/// What -notcold-new-hint-value was given; none if it was not.
std::optional<unsigned> stockNotColdHint();

} // namespace thermocline::lto

#endif
