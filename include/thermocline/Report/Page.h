//===- Report/Page.h - What a page for a browser shows ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page is made before a link, from a profile, or after it, from the model of
// its report. Both fill this model, and one writer makes the file. The file
// needs nothing beside it. Its size is bounded: of very many contexts the
// smallest are summed up and counted. docs/report.md says what users see.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_PAGE_H
#define THERMOCLINE_REPORT_PAGE_H

#include "thermocline/Profile/DataTypes.h"
#include "thermocline/Report/Model.h"
#include "thermocline/Report/SourceLinks.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace thermocline::report {

/// What a page tells of each context, in this order.
enum class PageValue : uint8_t {
  Bytes,
  Objects,
  Accesses,
  /// Bytes that lived when the program had the most of them.
  Live,
  /// Bytes of pages that are touched, as the model predicts without hints.
  Pages,
  /// What a hint saves of these.
  Saved,
  /// Milliseconds, summed over all objects.
  Lifetime,
  /// Instructions of clones, as far as they are made for this context.
  CloneCost,
  /// Bytes of a context in two profiles that are compared.
  Before,
  After,
  /// By which they differ; or all of them, if the context became cold, or not
  /// cold.
  Change,
  ColdBefore,
  ColdAfter,
};
constexpr size_t NumPageValues = static_cast<size_t>(PageValue::ColdAfter) + 1;
using PageValues = std::array<uint64_t, NumPageValues>;

/// What became of a context, or will.
enum class PageClass : uint8_t {
  /// Cold and hinted, or to be hinted.
  Gained,
  /// Cold without a hint.
  Missed,
  /// Not cold, and not hinted.
  Kept,
  /// Hinted although it is not cold.
  Wrong,
};
constexpr size_t NumPageClasses = static_cast<size_t>(PageClass::Wrong) + 1;

struct PageOutcome {
  /// "hinted cold", "indirect call".
  std::string Name;
  PageClass Class = PageClass::Kept;
  /// What it means, and what helps; may be empty.
  std::string Advice = {};
};

struct PageFrame {
  std::string Function;
  /// Where it is in the source; empty and 0 if that is not known.
  std::string File = {};
  uint32_t Line = 0;
  /// "+5:18", or empty.
  std::string Place = {};

  auto key() const { return std::tie(Function, File, Line, Place); }
  bool operator<(const PageFrame &Other) const { return key() < Other.key(); }
};

/// What contexts allocate, or why that is not known.
struct PageType {
  std::string Name;
  bool Known = true;
  /// See PageOutcome.
  std::string Advice = {};
};

struct PageContext {
  /// Numbers of frames, from the allocation towards the root.
  std::vector<uint32_t> Frames;
  PageValues Values = {};
  uint32_t Outcome = 0;
  /// The number of its type; of no meaning if the page has no types.
  uint32_t Type = 0;
  /// How many contexts it stands for.
  uint64_t Contexts = 1;
  /// How others name it: "context 31", or its id.
  std::string Name;
  /// A digit for each bin of the profile's grid: '-' where nothing lived, else
  /// which part of it was touched, '0' for none to '9' for all. Empty if it is
  /// not known.
  std::string Heat;
  /// What else there is to say, such as the context that it collides with.
  std::string Note;
};

/// Memory in one bin of the profile's grid, in bytes, as the mean of a run.
struct PageBin {
  double Live = 0;
  double TouchedBefore = 0;
  /// With hints, among the objects without and with one.
  double TouchedHot = 0;
  double TouchedCold = 0;
};

struct PagePhase {
  std::string Name;
  /// The length of a bin, in milliseconds of processor time.
  double BinMs = 0;
};

/// A part of the bar on the first screen.
struct PageShare {
  std::string Name;
  Bytes Size;
  PageClass Class = PageClass::Kept;
};

/// What was counted in a run of the program.
struct MeasuredRun {
  std::string File;
  uint64_t HintedCalls = 0;
  Bytes Hinted;
  Bytes Cold;
};

/// Figures of runs that users give to compare with what is predicted.
struct Measurements {
  std::vector<MeasuredRun> Runs;
  /// The pages that a program touched without and with hints.
  std::optional<std::pair<Bytes, Bytes>> Pages;
};

/// Reads the files \p Runs, each what THERMOCLINE_ALLOC_STATS wrote, where
/// several processes in one file are summed, and \p Pages ("19.0MiB,8.3MiB")
/// unless it is empty.
llvm::Expected<Measurements> readMeasurements(llvm::ArrayRef<std::string> Runs,
                                              llvm::StringRef Pages);

struct PageModel {
  std::string Title;
  /// Who decided, what was linked: under the title.
  std::string Subtitle;
  /// Which runs the profile is of, in a line each; may be empty.
  std::vector<std::string> Recorded = {};
  /// What people call the classes, by number.
  std::array<std::string, NumPageClasses> ClassTitles = {
      "Hinted cold", "Cold without a hint", "Not cold", "Hinted, not cold"};
  /// Where sources are; empty if nobody said it.
  std::vector<SourceLink> Sources = {};
  /// How the page was made, and of what: at its end. Empty if it is not known.
  std::string Made;
  /// What was gained, and what not.
  std::vector<std::string> Sentences;
  /// What the bar is of; its parts make up the whole.
  std::string BarTitle;
  std::vector<PageShare> Bar;
  /// Which values are known.
  std::array<bool, NumPageValues> Known = {};
  std::vector<PageFrame> Frames;
  std::vector<PageOutcome> Outcomes;
  /// Empty if nobody asked for types.
  std::vector<PageType> Types;
  std::vector<PageContext> Contexts;
  std::vector<PagePhase> Phases;
  /// By bin of all phases; empty if windows are not known.
  std::vector<PageBin> Bins;
  Measurements Measured;
  /// Prints further figures as HTML. It must escape what it prints.
  std::function<void(llvm::raw_ostream &)> Figures;

  /// \returns the number of \p F; equal frames have one.
  uint32_t add(PageFrame F);
  /// \returns the number of the outcome with this name and class.
  uint32_t add(PageOutcome O);
  /// \returns the number of the type.
  uint32_t add(const profile::DataType &T);
  bool &knows(PageValue V) { return Known[static_cast<size_t>(V)]; }
  bool knows(PageValue V) const { return Known[static_cast<size_t>(V)]; }

private:
  std::map<PageFrame, uint32_t> FrameNumbers;
  std::map<std::pair<std::string, PageClass>, uint32_t> OutcomeNumbers;
  std::map<std::string, uint32_t> TypeNumbers;
};

/// What a profile knows of one context, beside what a link does.
struct ProfileFacts {
  struct Context {
    PageValues Values = {};
    std::string Heat;
    profile::DataType Type = {};
  };
  /// By full stack id.
  std::map<uint64_t, Context> Contexts;
  std::array<bool, NumPageValues> Known = {};
  std::vector<PagePhase> Phases;
  /// With the hints that were asked for.
  std::vector<PageBin> Bins;
  /// See PageModel.
  std::vector<std::string> Recorded = {};

  /// Reads them from \p Profile. \p IsHinted says of a full stack id whether
  /// hints are made for it.
  static llvm::Expected<ProfileFacts>
  read(const profile::IndexedProfile &Profile,
       llvm::function_ref<bool(uint64_t)> IsHinted);
};

/// What \p Profile knows of the contexts of a link, with the hints of \p Model.
/// Nothing if it has no memory profile.
llvm::Expected<std::optional<ProfileFacts>>
factsOf(const ReportModel &Model, const profile::IndexedProfile &Profile);

/// The page of a link. \p Facts may be null.
PageModel pageOf(const ReportModel &Model, const ProfileFacts *Facts);

/// The value's name for scripts, and its heading.
llvm::StringRef nameOf(PageValue V);
llvm::StringRef headingOf(PageValue V);

/// Writes \p Page as one HTML file. The same model gives the same bytes.
void writePage(const PageModel &Page, llvm::raw_ostream &OS);

} // namespace thermocline::report

#endif
