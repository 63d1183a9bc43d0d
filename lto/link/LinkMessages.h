//===- lto/link/LinkMessages.h - What a link has to say ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The user tells the linker what becomes of warnings and errors
// (--fatal-warnings, --no-warnings, --color-diagnostics ...). So no code of a
// link prints messages by itself: the driver says where they go.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKMESSAGES_H
#define THERMOCLINE_LTO_LINK_LINKMESSAGES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <functional>

namespace thermocline::lto {

/// May be called by several threads.
struct LinkMessages {
  using Handler = std::function<void(const llvm::Twine &)>;

  /// Makes the link fail, now or when it is through.
  Handler Error;
  Handler Warning;
  /// What the user asked to see, such as remarks.
  Handler Note;
  /// What the link says of itself; the tool's name is put in front.
  Handler Statement;
};

/// Prints messages as LLVM's tools do. \p Tool, which stands before each, must
/// outlive the result.
LinkMessages messagesToStandardError(llvm::StringRef Tool);

} // namespace thermocline::lto

#endif
