//===- Report/SourceLinks.h - Where a page's sources are --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page names files and lines. If it is told where a code host, or an editor,
// has the files of a folder, it links to them.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_SOURCELINKS_H
#define THERMOCLINE_REPORT_SOURCELINKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace thermocline::report {

/// The option's name, and what its help says.
constexpr char SourceUrlOption[] = "source-url";
constexpr char SourceUrlHelp[] =
    "Link to sources, at an address in which {file} stands for the path and "
    "{line} for the line, as https://host/project/blob/main/{file}#L{line}; "
    "with a folder for those below it, as /src=https://...; may be given "
    "several times";

struct SourceLink {
  /// With a '/' at its end: files that begin with it are below it. Empty for
  /// files that the compiler was given by a path below its working directory.
  std::string Folder;
  /// With {file} and {line} in it.
  std::string Address;
};

/// Parses \p Options, each "ADDRESS" or "FOLDER=ADDRESS". The innermost folders
/// come first. It is an error if one is not of this form, if the address has no
/// {file}, or if it is none that is safe to follow from a page that others
/// made.
llvm::Expected<std::vector<SourceLink>>
parseSourceLinks(llvm::ArrayRef<std::string> Options);

} // namespace thermocline::report

#endif
