//===- Annotate/Options.h - What the Annotate stage is asked ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_OPTIONS_H
#define THERMOCLINE_ANNOTATE_OPTIONS_H

#include "thermocline/Profile/Classification.h"
#include "thermocline/Support/NamedAllocator.h"
#include <string>
#include <vector>

namespace thermocline::annotate {

/// What the plugin's command line asks for. Unit tests fill it by hand.
struct AnnotateOptions {
  /// Annotate at all. Without it the passes are not added to clang's pipelines.
  bool Enabled = false;

  /// The indexed profile. If empty, the file given to clang's
  /// -fmemory-profile-use= or, failing that, -fprofile-use= is taken.
  std::string ProfileFile;

  /// Cut off outer frames of contexts as clang's own annotation does, instead
  /// of keeping them whole.
  bool TrimContexts = false;

  /// Pack the contexts of a place that has at least this many
  /// (PackedContexts.h). Nothing is packed if it is 0, or if contexts are
  /// trimmed.
  unsigned LeastToPack = 64;

  /// Leave calls alone that carry heap profile annotation already (clang's own,
  /// from -fmemory-profile-use=), instead of replacing all of it.
  bool KeepExisting = false;

  /// Print to stderr, for each module, what was matched, what was not and why.
  bool PrintStats = false;

  /// Annotate functions that were compiled with -O0, too.
  bool AtO0 = false;

  /// Keep each call where the source has it up to the machine code: a release,
  /// of which profiles are to be taken (Callsites/KeepCalls.h).
  bool KeepsCalls = false;

  /// Do so, and keep all that could become one apart, in the finished program,
  /// whose run is to be audited. It is slower for that.
  bool ForAudit = false;

  /// The module is annotated when it is linked, which its compiler does not
  /// know of.
  bool IsInLink = false;

  /// Allocation functions of the program's own, and their cold variants.
  std::vector<NamedAllocator> Allocators;

  profile::ColdThresholds Thresholds;
};

} // namespace thermocline::annotate

#endif
