//===- lto/link/LinkMessages.cpp - What a link has to say -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkMessages.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace thermocline::lto;

LinkMessages thermocline::lto::messagesToStandardError(StringRef Tool) {
  return {.Error =
              [Tool](const Twine &Text) {
                WithColor::error(errs(), Tool) << Text << '\n';
              },
          .Warning =
              [Tool](const Twine &Text) {
                WithColor::warning(errs(), Tool) << Text << '\n';
              },
          .Note =
              [Tool](const Twine &Text) {
                WithColor::note(errs(), Tool) << Text << '\n';
              },
          .Statement =
              [Tool](const Twine &Text) {
                errs() << Tool << ": " << Text << '\n';
              }};
}
