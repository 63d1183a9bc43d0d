//===- thermocline/Tools.cpp - The tools beside this one ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

static StringRef ownDirectory() {
  static const std::string Directory =
      sys::path::parent_path(
          sys::fs::getMainExecutable(
              nullptr, reinterpret_cast<void *>(
                           static_cast<StringRef (*)()>(ownDirectory))))
          .str();
  return Directory;
}

/// The first of \p Places below the directory above the tools' that has
/// \p Name.
static std::optional<std::string> findAbove(ArrayRef<std::string> Places,
                                            StringRef Name) {
  for (StringRef Place : Places) {
    SmallString<128> Path(sys::path::parent_path(ownDirectory()));
    sys::path::append(Path, Place, Name);
    if (sys::fs::exists(Path))
      return Path.str().str();
  }
  return std::nullopt;
}

Expected<std::string> front::findTool(StringRef Name) {
  SmallString<128> Path(ownDirectory());
  sys::path::append(Path, Name);
  if (!sys::fs::can_execute(Path))
    return fileError(Path, "is not there: thermocline needs the other tools "
                           "beside itself");
  return Path.str().str();
}

Expected<std::string> front::findProgram(StringRef Name) {
  if (Name.contains('/')) {
    if (!sys::fs::exists(Name))
      return fileError(Name, "there is no such program");
    return Name.str();
  }
  if (ErrorOr<std::string> InPath = sys::findProgramByName(Name))
    return *InPath;
  return fileError(Name, "there is no such program in PATH (write ./" + Name +
                             " for one in this directory)");
}

/// The folder of a build in which that for \p Architecture is.
static std::string folderOf(StringRef Architecture) {
  return Architecture.empty() ? "" : (Architecture + "/").str();
}

/// The folder of an installation, as Debian's cross packages have it.
static std::string tripleOf(StringRef Architecture) {
  return Architecture.empty() ? "" : (Architecture + "-linux-gnu").str();
}

std::string front::findConfig(StringRef Name, StringRef Architecture) {
  return findAbove({folderOf(Architecture) + "config",
                    "share/thermocline/" + tripleOf(Architecture)},
                   Name)
      .value_or(Name.str());
}

Expected<std::string> front::findLibrary(StringRef Name,
                                         StringRef Architecture) {
  const std::string Installed = Architecture.empty()
                                    ? THERMOCLINE_LIBRARY_DIRECTORY
                                    : "lib/" + tripleOf(Architecture);
  if (auto Path = findAbove(
          {folderOf(Architecture) + "lib", Installed + "/thermocline"}, Name))
    return *Path;
  return fileError(Name, "is not there: it is part of Thermocline, and is "
                         "looked for beside the tools");
}

std::string front::libraryOrName(StringRef Name, StringRef Architecture) {
  return expectedToOptional(findLibrary(Name, Architecture))
      .value_or(Name.str());
}

Expected<TemporaryDirectory> TemporaryDirectory::create() {
  SmallString<128> Path;
  if (std::error_code EC = sys::fs::createUniqueDirectory("thermocline", Path))
    return fileError("temporary directory", EC.message());
  TemporaryDirectory Result;
  Result.Path = Path.str();
  return std::move(Result);
}

TemporaryDirectory::~TemporaryDirectory() {
  if (!Path.empty() && !IsKept)
    sys::fs::remove_directories(Path);
}
