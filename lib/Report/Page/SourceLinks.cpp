//===- Report/Page/SourceLinks.cpp - Where a page's sources are -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/SourceLinks.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::report;

/// Whether \p Address begins with a scheme, and not with one that runs what
/// follows as a script of the page.
static bool isSafe(StringRef Address) {
  const auto [Scheme, Rest] = Address.split("://");
  return !Scheme.empty() && !Rest.empty() && isAlpha(Scheme.front()) &&
         all_of(Scheme,
                [](char C) { return isAlnum(C) || C == '-' || C == '+'; }) &&
         !Scheme.equals_insensitive("javascript") &&
         !Scheme.equals_insensitive("data");
}

static Expected<SourceLink> parse(StringRef Option) {
  const std::string Name = ("--" + Twine(SourceUrlOption)).str();
  // Addresses may have a '=' as well.
  const size_t End = Option.find('=');
  const bool HasFolder = End < Option.find("://");
  const StringRef Folder = HasFolder ? Option.take_front(End) : "";
  const StringRef Address = HasFolder ? Option.substr(End + 1) : Option;
  if (HasFolder && Folder.empty())
    return fileError(Name, "'" + Option + "' names no folder");
  if (!Address.contains("{file}"))
    return fileError(Name, "'" + Address + "' has no {file}");
  if (!isSafe(Address))
    return fileError(Name, "'" + Address +
                               "' is no address of a file, as "
                               "https://host/{file}#L{line}");
  return SourceLink{HasFolder ? (Folder.rtrim('/') + "/").str() : "",
                    Address.str()};
}

Expected<std::vector<SourceLink>>
report::parseSourceLinks(ArrayRef<std::string> Options) {
  std::vector<SourceLink> Result;
  for (const std::string &Option : Options) {
    Expected<SourceLink> Link = parse(Option);
    if (!Link)
      return Link.takeError();
    Result.push_back(std::move(*Link));
  }
  llvm::sort(Result, [](const SourceLink &A, const SourceLink &B) {
    return std::make_tuple(~A.Folder.size(), A.Folder, A.Address) <
           std::make_tuple(~B.Folder.size(), B.Folder, B.Address);
  });
  return std::move(Result);
}
