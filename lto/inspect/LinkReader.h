//===- inspect/LinkReader.h - A link read back from its files ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what the audit looks at: the contexts of a link's modules, from their
// bitcode, and the decisions that some linker recorded in an index. An index
// does not repeat the contexts, and the modules do not know the decisions, so
// both are needed.
//
// Regular LTO records no decisions. For its modules the engine decides again,
// on all of them merged, as the link does.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_INSPECT_LINKREADER_H
#define THERMOCLINE_LTO_INSPECT_LINKREADER_H

#include "program/CodeInventory.h"
#include "program/SummaryReader.h"
#include "thermocline/Context/Decisions.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace thermocline::lto {

/// What was decided for itself: the ThinLTO part of a link, or the regular one.
struct PartContents {
  context::ContextProgram Program;
  /// The instructions of all functions that are linked.
  uint64_t Instructions = 0;
  /// What the given indexes say; nothing if only modules were given.
  std::optional<context::Decisions> Decided;
  /// Decisions that contradict themselves or do not fit the modules.
  std::vector<std::string> Malformed;
};

struct LinkContents {
  /// The parts in the order in which a link decides them: regular LTO comes
  /// first.
  std::vector<PartContents> Parts;
  profile::FunctionNames Names;
  /// The frames of calls, by their places in the modules; only if
  /// frame names are asked for.
  profile::FrameTable Frames;
  /// The code of the link. It is collected only if frame names are asked for.
  CodeInventory Code;
  LinkBases Bases;
  /// Notes of ThinLTO modules that no summary has any more.
  size_t LostNotes = 0;
  /// The files that were read because indexes name them.
  std::vector<std::string> NamedFiles;
};

/// Reads \p Files: bitcode modules of ThinLTO and of regular LTO, and indexes
/// with decisions, of one module each or of the whole link. If there is an
/// index but no ThinLTO module, the modules that it names are read. Without an
/// index, of several definitions the first strong one prevails, as it would for
/// a linker. With \p FrameNames, names of inlined functions are read from their
/// code, too, and what a profile is compared with.
llvm::Expected<LinkContents> readLink(llvm::ArrayRef<std::string> Files,
                                      bool FrameNames);

} // namespace thermocline::lto

#endif
