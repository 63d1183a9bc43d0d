//===- thermo-profdata/ContextList.h - A profile in memory ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contexts of an indexed profile in the form that show, export and diff
// need: each context once, classified, and with names if the program is given.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_CONTEXTLIST_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_CONTEXTLIST_H

#include "Commands.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/Program/ProgramReader.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thermocline::profdata {

struct ListedContext {
  /// LLVM's id of the whole context.
  uint64_t Id = 0;
  /// Leaf first.
  std::vector<llvm::memprof::Frame> Frames;
  /// The fields that the profile does not have are 0.
  llvm::memprof::MemInfoBlock Info;
  bool Cold = false;
  profile::DataType Type = {};
  /// By bins of the profile's grid.
  profile::ContextTouches Touches = {};
  /// How well its totals are known.
  profile::ContextSamples Samples = {};
  /// Whether it is not cold as sampling told too little.
  bool TooFew = false;

  Bytes size() const { return Bytes(Info.TotalSize); }
  double meanLifetimeMs() const {
    return static_cast<double>(Info.TotalLifetime) / Info.AllocCount;
  }
};

struct ContextList {
  std::unique_ptr<profile::IndexedProfile> Profile;
  profile::ColdRule Rule = profile::ColdRule::Relative;
  /// How accesses of the program are known.
  profile::AccessKind Accesses = profile::AccessKind::Counted;
  /// Which binary has what, if the profile is of several.
  profile::BinaryMap Binaries;
  /// What LLVM's tools measured of static data; mostly empty.
  profile::DataAccesses StaticData;
  /// Bytes descending, then by id.
  std::vector<ListedContext> Contexts;

  /// Reads \p Path. A profile without memory profile is an error.
  static llvm::Expected<ContextList>
  load(llvm::StringRef Path, const profile::ColdThresholds &Thresholds);
  /// Makes the list of a profile that was read.
  static llvm::Expected<ContextList>
  of(std::unique_ptr<profile::IndexedProfile> Profile,
     const profile::ColdThresholds &Thresholds);

  /// When memory was touched, with what else the model of touched pages wants
  /// of each context: sizes, and whether accesses are known. Empty without
  /// windows.
  llvm::Expected<profile::TouchesById> touchesWithMeasures() const;
};

/// The names and places of the functions of \p Binaries. A debug file of
/// another build is warned of.
llvm::Expected<profile::FunctionNames>
loadNames(const profile::BinaryOptions &Binaries);

/// Warns if some of \p Contexts have more allocations than can be counted.
template <typename Range> void warnOfCounts(const Range &Contexts) {
  if (const auto Number = llvm::count_if(Contexts, [](const auto &C) {
        return C.Info.AllocCount == profile::MostAllocations;
      }))
    llvm::WithColor::warning(llvm::errs(), "thermo-profdata")
        << profile::tooManyAllocationsText(static_cast<uint64_t>(Number))
        << '\n';
}

/// Warns of debug files that are not those of their programs.
void warnOfDebugFiles(llvm::ArrayRef<std::string> Problems);

/// Loads the contexts of an indexed profile and the names of the binaries that
/// are given, each of which must have functions of the profile, and puts what
/// \p Write prints of them into the output. Returns an error if there are other
/// libraries: an indexed profile has no calls in them. \p Profile is the input,
/// if it was read already.
llvm::Error writeContexts(
    const ProfileSettings &Settings,
    llvm::function_ref<llvm::Error(
        ContextList &, const profile::FunctionNames &, llvm::raw_ostream &)>
        Write,
    profile::NameDetail Wanted = profile::NameDetail::All,
    std::unique_ptr<profile::IndexedProfile> Profile = nullptr);

/// "cold" or "not cold".
llvm::StringRef className(bool Cold);

/// Formats a number with one decimal.
std::string formatNumber(double Value);

/// Prints one line of measures.
void printMeasures(const ContextList &List, const ListedContext &C,
                   llvm::raw_ostream &OS);

/// \p Name, a demangled one, with "..." for the arguments of its outermost
/// templates if it is long.
std::string shortenName(llvm::StringRef Name);

/// "name +line:column" of each of \p Frames.
std::vector<std::string> frameTexts(llvm::ArrayRef<llvm::memprof::Frame> Frames,
                                    const profile::FunctionNames &Names);

/// Prints a line with the type of \p C, if it is known. A long name is
/// shortened, unless it is wanted in full.
void printType(const ListedContext &C, bool FullNames, llvm::raw_ostream &OS);

/// ", FILE:LINE" of the call \p F, or nothing if \p Names does not know that.
std::string describeSource(const llvm::memprof::Frame &F,
                           const profile::FunctionNames &Names);

/// Prints one line for each frame, leaf first, with its place in the source if
/// \p Names knows that. Long names are shortened, unless they are wanted in
/// full.
void printFrames(const ListedContext &C, const profile::FunctionNames &Names,
                 bool FullNames, llvm::raw_ostream &OS);

} // namespace thermocline::profdata

#endif
