//===- thermo-profdata/diff/DiffPage.cpp - Two profiles as a page ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DiffPage.h"
#include "../page/PageFrames.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;
using namespace thermocline::report;

/// What a page paints alike.
static PageClass classOf(ChangeKind Kind) {
  switch (Kind) {
  case ChangeKind::Disappeared:
  case ChangeKind::Shrank:
    return PageClass::Gained;
  case ChangeKind::Appeared:
  case ChangeKind::Grew:
    return PageClass::Missed;
  case ChangeKind::BecameCold:
  case ChangeKind::BecameNotCold:
    return PageClass::Wrong;
  case ChangeKind::WithinError:
    return PageClass::Kept;
  }
  llvm_unreachable("all kinds have a class");
}

namespace {

class Maker {
public:
  explicit Maker(const FunctionNames &Names) : Names(Names) {}

  /// Adds a context, of which one of both may be null.
  void add(const ListedContext *Before, const ListedContext *After,
           PageOutcome Outcome, uint64_t Weight);
  void describe(const Comparison &Found);
  PageModel Page;

private:
  const FunctionNames &Names;
  /// The bytes of all contexts, and of the cold ones.
  Bytes Before, After, ColdBefore, ColdAfter;
};

} // namespace

void Maker::add(const ListedContext *Old, const ListedContext *New,
                PageOutcome Outcome, uint64_t Weight) {
  const ListedContext &Shown = New ? *New : *Old;
  PageContext Added;
  auto Set = [&](const ListedContext *C, PageValue All, PageValue Cold,
                 Bytes &Sum, Bytes &ColdSum) {
    if (!C)
      return;
    Added.Values[size_t(All)] = C->size().count();
    Sum += C->size();
    if (!C->Cold)
      return;
    Added.Values[size_t(Cold)] = C->size().count();
    ColdSum += C->size();
  };
  Set(Old, PageValue::Before, PageValue::ColdBefore, Before, ColdBefore);
  Set(New, PageValue::After, PageValue::ColdAfter, After, ColdAfter);
  Added.Values[size_t(PageValue::Change)] = Weight;
  Added.Frames = addFrames(Shown, Names, Page);
  Added.Type = Page.add(Shown.Type);
  Added.Name = hexText(Shown.Id);
  Added.Outcome = Page.add(std::move(Outcome));
  Page.Contexts.push_back(std::move(Added));
}

/// "60.5 MiB, and 62.0 MiB before (-2.4 %)".
static std::string sizesText(Bytes Before, Bytes After) {
  std::string Result =
      formatBytes(After) + ", and " + formatBytes(Before) + " before";
  if (Before == After)
    return Result;
  const bool More = Before < After;
  const uint64_t Difference =
      More ? After.count() - Before.count() : Before.count() - After.count();
  Result += More ? " (+" : " (-";
  Result += Before.count() ? formatPercent(Difference, Before.count())
                           : formatBytes(Bytes(Difference));
  return Result + ")";
}

void Maker::describe(const Comparison &Found) {
  Page.Sentences.push_back("The program allocates " + sizesText(Before, After) +
                           ".");
  Page.Sentences.push_back("Cold contexts allocate " +
                           sizesText(ColdBefore, ColdAfter) + ".");
  std::string Counts;
  for (unsigned I = 0; I != NumChangeKinds; ++I) {
    const auto Kind = static_cast<ChangeKind>(I);
    const ContextCount &Count = Found.Counts[I];
    if (!Count.Contexts)
      continue;
    Counts += (Counts.empty() ? "" : ", ") +
              formatCount(Count.Contexts, "context") + " " + name(Kind).str();
    Page.Bar.push_back({name(Kind).str(), Count.Size, classOf(Kind)});
  }
  Page.Sentences.push_back(Counts.empty() ? "All contexts are as they were."
                                          : Counts + ".");
  Page.BarTitle = "Bytes by which contexts differ, or that changed their "
                  "class; and bytes of contexts that are as they were";
  Page.Bar.push_back({"unchanged", Found.Unchanged.Size, PageClass::Kept});
}

PageModel profdata::pageOf(const Comparison &Found, const ContextList &Before,
                           const ContextList &After,
                           const FunctionNames &Names) {
  Maker Make(Names);
  PageModel &Page = Make.Page;
  Page.Title = "What changed in a heap profile";
  Page.Subtitle =
      (Before.Profile->path() + " and, after it, " + After.Profile->path())
          .str();
  Page.ClassTitles = {"Less than before", "More than before", "Unchanged",
                      "Class changed"};
  for (PageValue V : {PageValue::Before, PageValue::After, PageValue::Change,
                      PageValue::ColdBefore, PageValue::ColdAfter})
    Page.knows(V) = true;
  for (const Change &C : Found.Changes)
    Make.add(
        C.Before, C.After,
        {.Name = name(C.Kind).str() + (C.IsEdited ? ", in edited source" : ""),
         .Class = classOf(C.Kind)},
        C.weight());
  for (const ListedContext *C : Found.Same)
    Make.add(C, C, {.Name = "unchanged", .Class = PageClass::Kept}, 0);
  Make.describe(Found);
  return std::move(Page);
}
