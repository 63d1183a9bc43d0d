//===- unit/Profile/TouchPartTest.cpp - Touches in indexed files ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles are made of hand-made contexts and runs, and merged from files.
// Damaged copies must give errors, or what the undamaged file gives.
//
//===----------------------------------------------------------------------===//

#include "TouchPart.h"
#include "ProfileParts.h"
#include "TemporaryFile.h"
#include "thermocline/Format/RawSections.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Indexed/Merger.h"
#include "llvm/ProfileData/InstrProfWriter.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstddef>
#include <cstring>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;
using thermocline::test::TemporaryFile;

static constexpr uint32_t NumContexts = 5;

static std::vector<Frame> frames(uint32_t Context) {
  return {Frame(10, Context, 1, true), Frame(20, 5, 1, false)};
}

/// What run number \p Run says of context number \p Context. Of the last one it
/// says nothing.
static ContextTouches touches(uint32_t Run, uint32_t Context) {
  ContextTouches Result;
  if (Context + 1 == NumContexts)
    return Result;
  UnitTouches &Units = Context == 2 ? Result.Pages : Result.Objects;
  Units.First = Run;
  Units.Windows = {{10 * Context + 7, 640, Context, 0},
                   {10 * Context + 5, 600, Context + Run, Run}};
  Units.Granules = 50;
  Units.TouchedGranules = 9 + Context;
  Units.Variance = 1000 * Context;
  return Result;
}

/// A run whose phases its number tells.
static HeapProfile heap(uint32_t Run) {
  HeapProfile P;
  const RunLayout Layout({{5000, 0, ""},
                          {7000, 2000, Run % 2 ? "odd" : "even"},
                          {9000, 0, "b"},
                          {11000, 0, ""}},
                         /*IsWatched=*/Run == 1);
  const auto Places = P.addGrid(Layout.grid());
  for (uint32_t I = 0; I != NumContexts; ++I) {
    P.addContext(frames(I), MemInfoBlock(64, I, 0, 100, 0, 1, 0, 0));
    ContextTouches Laid = Layout.layOut(touches(Run, I));
    for (UnitTouches *Units : {&Laid.Objects, &Laid.Pages})
      Units->Estimated = Units->empty() ? 0 : I;
    P.addTouches(frames(I), Places, Laid);
  }
  RunInfo Length = RunInfo::oneRun(Milliseconds(100 + Run));
  Length.WithWindows = 1;
  P.addRuns(Length);
  return P;
}

TEST(PagesDecideTest, UnlessRunsAreTooShortForThem) {
  auto Grid = [](uint64_t Windows, uint64_t Us, uint64_t Runs = 1) {
    return TouchGrid{
        {{.Name = "", .Runs = Runs, .Windows = Windows, .WindowUs = Us}}};
  };
  placement::Prediction None;
  None.AtBurst = None.AtWindow = {8000, 8000};
  auto Decide = [&](const TouchGrid &G, bool AnyCold) {
    return pagesDecide(G, None, AnyCold, {});
  };
  for (bool AnyCold : {false, true}) {
    EXPECT_FALSE(Decide(TouchGrid(), AnyCold));
    EXPECT_FALSE(Decide(Grid(1, 200'000), AnyCold));
    EXPECT_TRUE(Decide(Grid(4, 100'000), AnyCold));
    EXPECT_TRUE(Decide(Grid(8, 200'000, 2), AnyCold));
    // In between, pages decide if they find something.
    EXPECT_EQ(Decide(Grid(2, 15'000), AnyCold), AnyCold);
    EXPECT_EQ(Decide(Grid(3, 200'000), AnyCold), AnyCold);
    EXPECT_EQ(Decide(Grid(16, 99'000), AnyCold), AnyCold);
    EXPECT_EQ(Decide(Grid(8, 199'000, 2), AnyCold), AnyCold);
  }
  // Totals would not know the phase.
  placement::PlacementOptions OfPhase;
  OfPhase.Phase = "steady";
  EXPECT_TRUE(pagesDecide(Grid(2, 15'000), None, false, OfPhase));
  // Nor what the page table tells.
  TouchGrid Watched = Grid(2, 15'000);
  Watched.Phases[0].WatchedRuns = 1;
  EXPECT_TRUE(Decide(Watched, false));
  // Of samples they know no better.
  placement::Prediction Sampled = None;
  Sampled.AtBurst.Errors.Before = Sampled.AtWindow.Errors.Before = 10;
  EXPECT_TRUE(pagesDecide(Grid(2, 15'000), Sampled, false, {}));
}

/// The file without parts of ours.
static std::string written(const HeapProfile &P,
                           IndexedVersion Version = Version3) {
  InstrProfWriter Writer(/*Sparse=*/false, 0, 0, /*WritePrevVersion=*/false,
                         Version, /*FullSchema=*/true);
  cantFail(Writer.mergeProfileKind(InstrProfKind::MemProf));
  Writer.addMemProfData(P.tables(getFullSchema()),
                        [](Error E) { cantFail(std::move(E)); });
  std::string Result;
  raw_string_ostream OS(Result);
  cantFail(Writer.write(OS));
  return Result;
}

static Expected<std::unique_ptr<IndexedProfile>> parse(StringRef Bytes) {
  return IndexedProfile::parse("test.profdata",
                               MemoryBuffer::getMemBufferCopy(Bytes));
}

static placement::Placement decisions(size_t Count) {
  placement::Placement Result;
  for (size_t I = 0; I != Count; ++I)
    Result.Contexts.push_back(
        {I % 3 == 1, I % 3 == 1 ? 0.5 + 100.0 * I : 0, I % 3 == 2});
  Result.Predicted = {placement::Horizon::Burst,
                      {9000, 8000, {900, 800, 300, 0.25}},
                      {7000, 6000, {700, 600, 200, 0.125}},
                      5000,
                      4000.5};
  return Result;
}

static std::string withParts(const HeapProfile &P,
                             IndexedVersion Version = Version3) {
  std::string Result = written(P, Version);
  const uint64_t Checksum = cantFail(cantFail(parse(Result))->checksum());
  const TouchesById All = P.touches().sums();
  appendTouches(Result, Checksum, All, placement::PlacementOptions(),
                decisions(All.Ids.size()));
  return Result;
}

/// The merged file, or the error.
static std::string merged(ArrayRef<std::string> Files,
                          std::vector<std::string> *Warnings = nullptr) {
  Merger Merged{MergeOptions()};
  for (const std::string &Contents : Files) {
    TemporaryFile File(Contents);
    if (Error E = Merged.add(File.path()))
      return toString(std::move(E));
  }
  if (Error E = Merged.finishInputs())
    return toString(std::move(E));
  if (Error E = Merged.decide())
    return toString(std::move(E));
  std::string Result = cantFail(Merged.write());
  if (Warnings)
    *Warnings = Merged.warnings();
  return Result;
}

/// All that a profile says of windows, as text; or the error.
static std::string read(StringRef Bytes) {
  auto Profile = parse(Bytes);
  if (!Profile)
    return toString(Profile.takeError());
  std::string Result;
  raw_string_ostream OS(Result);
  Expected<TouchesById> All = (*Profile)->touches();
  if (!All)
    return toString(All.takeError());
  for (const TouchPhase &P : All->Touches.Grid.Phases)
    OS << P.Name << ' ' << P.Runs << ' ' << P.Windows << ' ' << P.WindowUs
       << ' ' << P.Bursts << ' ' << P.BurstUs << ' ' << P.WatchedRuns << '\n';
  for (auto [Id, C] : zip_equal(All->Ids, All->Touches.Contexts)) {
    auto Decided = (*Profile)->decision(Id);
    if (!Decided)
      return "no decision";
    OS << Id << ' ' << Decided->Cold << ' ' << Decided->Benefit;
    for (const UnitTouches *Units : {&C.Objects, &C.Pages}) {
      OS << ' ' << Units->First << ' ' << Units->Granules << ' '
         << Units->TouchedGranules << ' ' << Units->Estimated << ' '
         << Units->Variance << ':';
      for (const WindowTouches &W : Units->Windows)
        OS << ' ' << W.Live << ',' << W.LiveBytes << ',' << W.Touched << ','
           << W.TouchedInBurst;
    }
    OS << '\n';
  }
  if (auto Predicted = (*Profile)->predicted())
    OS << Predicted->AtBurst.Before << ' ' << Predicted->AtBurst.After << ' '
       << Predicted->AtWindow.Before << ' ' << Predicted->AtWindow.After << ' '
       << Predicted->SmallBytes << ' ' << Predicted->LiveBytes << ' '
       << Predicted->AtBurst.Errors.Saved << ' '
       << Predicted->AtWindow.Errors.SavedPart << '\n';
  return Result;
}

class TouchPartVersion : public testing::TestWithParam<IndexedVersion> {};
INSTANTIATE_TEST_SUITE_P(Versions, TouchPartVersion,
                         testing::Values(Version2, Version3, Version4));

TEST_P(TouchPartVersion, GivesBackWhatWasWritten) {
  const HeapProfile P = heap(1);
  auto Profile = cantFail(parse(withParts(P, GetParam())));
  const TouchesById Expected = P.touches().sums();
  EXPECT_EQ(Profile->touchGrid(), Expected.Touches.Grid);
  EXPECT_EQ(Profile->touchGrid().Phases.size(), 3u);
  EXPECT_EQ(Profile->touchGrid().Phases[0].WatchedRuns, 1u);
  EXPECT_FALSE(Profile->lostWindows());
  const TouchesById Read = cantFail(Profile->touches());
  EXPECT_EQ(Read.Ids, Expected.Ids);
  ASSERT_EQ(Read.Ids.size(), NumContexts - 1);
  EXPECT_EQ(Read.Touches.Grid, Expected.Touches.Grid);
  for (auto [Got, Want] :
       zip_equal(Read.Touches.Contexts, Expected.Touches.Contexts)) {
    EXPECT_EQ(Got.Objects.First, Want.Objects.First);
    EXPECT_EQ(Got.Objects.Windows, Want.Objects.Windows);
    EXPECT_EQ(Got.Objects.Granules, Want.Objects.Granules);
    EXPECT_EQ(Got.Objects.TouchedGranules, Want.Objects.TouchedGranules);
    EXPECT_EQ(Got.Pages.Windows, Want.Pages.Windows);
    EXPECT_EQ(Got.Objects.Estimated, Want.Objects.Estimated);
    EXPECT_EQ(Got.Pages.Estimated, Want.Pages.Estimated);
    EXPECT_EQ(Got.Objects.Variance, Want.Objects.Variance);
    EXPECT_EQ(Got.Pages.Variance, Want.Pages.Variance);
  }
  EXPECT_TRUE(any_of(Read.Touches.Contexts, [](const ContextTouches &C) {
    return C.Objects.Estimated == 3;
  }));
  const placement::Placement Placed = decisions(Read.Ids.size());
  for (auto [Id, Want] : zip_equal(Read.Ids, Placed.Contexts)) {
    auto Got = Profile->decision(Id);
    ASSERT_TRUE(Got);
    EXPECT_EQ(Got->Cold, Want.Cold);
    EXPECT_EQ(Got->Benefit, Want.Benefit);
    EXPECT_EQ(Got->TooFew, Want.TooFew);
    EXPECT_FALSE(Profile->decision(Id + 1));
  }
  EXPECT_FALSE(Profile->decision(0));
  EXPECT_FALSE(Profile->decision(UINT64_MAX));
  EXPECT_EQ(Profile->predicted()->AtWindow.After, 6000);
  EXPECT_EQ(Profile->predicted()->LiveBytes, 4000.5);
  EXPECT_EQ(Profile->predicted()->AtBurst.Errors.After, 800);
  EXPECT_EQ(Profile->predicted()->AtBurst.Errors.SavedPart, 0.25);
  EXPECT_EQ(Profile->predicted()->AtWindow.Errors.Saved, 200);
}

TEST_P(TouchPartVersion, ContextsAreThoseOfTheProfile) {
  auto Profile = cantFail(parse(withParts(heap(1), GetParam())));
  unsigned Decided = 0;
  cantFail(Profile->forEachContext([&](const IndexedContext &C) {
    Decided += Profile->decision(C.FullStackId).has_value();
  }));
  EXPECT_EQ(Decided, NumContexts - 1);
}

TEST(TouchPartTest, ProfilesWithoutWindowsHaveNone) {
  auto Profile = cantFail(parse(written(HeapProfile(heap(0)))));
  EXPECT_TRUE(Profile->touchGrid().empty());
  EXPECT_FALSE(Profile->predicted());
  EXPECT_FALSE(Profile->decision(1));
  EXPECT_TRUE(cantFail(Profile->touches()).Ids.empty());
  EXPECT_TRUE(Profile->lostWindows());
}

TEST_P(TouchPartVersion, TreesOfMergesGiveTheSameFile) {
  std::vector<std::string> Runs;
  for (uint32_t Run = 0; Run != 3; ++Run)
    Runs.push_back(withParts(heap(Run), GetParam()));
  const std::string All = merged(Runs);
  auto Profile = cantFail(parse(All));
  ASSERT_EQ(Profile->touchGrid().Phases.size(), 4u);
  EXPECT_EQ(Profile->touchGrid().Phases[0],
            (TouchPhase{"", 3, 6, 48000, 0, 0, 1}));
  EXPECT_EQ(Profile->touchGrid().Phases[2],
            (TouchPhase{"even", 2, 2, 14000, 2, 4000}));
  EXPECT_EQ(Profile->runInfo()->WithWindows, 3u);
  EXPECT_EQ(merged({Runs[2], Runs[0], Runs[1]}), All);
  EXPECT_EQ(merged({merged({Runs[0], Runs[1]}), Runs[2]}), All);
  EXPECT_EQ(merged({Runs[1], merged({Runs[2], Runs[0]})}), All);
  EXPECT_EQ(merged({All}), All);
}

TEST(TouchPartTest, ContextsOfUnknownAccessesAreNotPlaced) {
  // Busy objects, and idle ones of two contexts.
  auto Merge = [&](bool Unknown) {
    HeapProfile P;
    const RunLayout Layout(std::vector<RawWindow>(32, {5000, 5000, ""}));
    const auto Places = P.addGrid(Layout.grid());
    for (uint32_t I = 0; I != 3; ++I) {
      MemInfoBlock Info(64, 1000, 0, 100, 0, 1, 0, 0);
      if (Unknown && I == 2) {
        Info.TotalAccessCount = 0;
        Info.TotalLifetimeAccessDensity = format::UnknownAccessDensity;
      }
      P.addContext(frames(I), Info);
      ContextTouches Touches;
      const uint64_t Touched = I ? 0 : 50000;
      Touches.Objects.Windows.assign(32, {50000, 3200000, Touched, Touched});
      P.addTouches(frames(I), Places, Layout.layOut(Touches));
    }
    RunInfo Length = RunInfo::oneRun(Milliseconds(100));
    Length.WithWindows = 1;
    P.addRuns(Length);
    return cantFail(parse(merged({withParts(P)})));
  };
  auto Cold = [](const IndexedProfile &Profile, uint32_t Context) {
    return Profile.decision(computeFullStackId(frames(Context)))->Cold;
  };
  auto Known = Merge(false), Unknown = Merge(true);
  EXPECT_FALSE(Cold(*Known, 0));
  EXPECT_TRUE(Cold(*Known, 1));
  EXPECT_TRUE(Cold(*Known, 2));
  EXPECT_TRUE(Cold(*Unknown, 1));
  EXPECT_FALSE(Cold(*Unknown, 2));
  // Nor is it predicted that it is.
  EXPECT_NEAR(Known->predicted()->AtBurst.After, 3.2e6, 1e4);
  EXPECT_NEAR(Unknown->predicted()->AtBurst.After, 6.4e6, 1e4);
}

TEST(TouchPartTest, RunsWithoutWindowsAreWarnedOf) {
  HeapProfile Without;
  Without.addContext(frames(0), MemInfoBlock(64, 0, 0, 100, 0, 1, 0, 0));
  Without.addRuns(RunInfo::oneRun(Milliseconds(100)));
  std::vector<std::string> Warnings;
  const std::string File =
      merged({withParts(heap(0)), written(Without)}, &Warnings);
  EXPECT_EQ(cantFail(parse(File))->runInfo()->WithWindows, 1u);
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_NE(Warnings[0].find("1 of 2 runs do not say when memory was touched"),
            std::string::npos);
  merged({withParts(heap(0)), withParts(heap(1))}, &Warnings);
  EXPECT_TRUE(Warnings.empty());
  merged({written(Without)}, &Warnings);
  EXPECT_TRUE(Warnings.empty());
}

TEST(TouchPartTest, LostWindowsAreWarnedOf) {
  std::vector<std::string> Warnings;
  const std::string File = merged({written(heap(0))}, &Warnings);
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_NE(Warnings[0].find("does not say any more when memory was touched"),
            std::string::npos);
  // Once is enough.
  EXPECT_FALSE(cantFail(parse(File))->lostWindows());
}

TEST_P(TouchPartVersion, AnyByteChangedIsAnErrorOrChangesNothing) {
  const std::string Bytes = withParts(heap(1), GetParam());
  const std::string Expected = read(Bytes);
  ASSERT_TRUE(StringRef(Expected).contains("odd 1 1 7000 1 2000"));
  const size_t Begin = written(heap(1), GetParam()).size();
  size_t Errors = 0;
  for (size_t I = 0; I != Bytes.size(); ++I)
    for (unsigned char Change : {0x01, 0x80, 0xff}) {
      std::string Changed = Bytes;
      Changed[I] ^= static_cast<char>(Change);
      std::string Got = read(Changed);
      if (Got == Expected)
        continue;
      // Without the mark at the end, or without a memory profile, there is no
      // part.
      EXPECT_TRUE(Got.empty() || StringRef(Got).starts_with("test.profdata: "))
          << I << ": " << Got;
      if (I < Begin)
        continue;
      ++Errors;
      EXPECT_TRUE(StringRef(Got).contains("part of windows: ") ||
                  StringRef(Got).contains("part of touches: "))
          << I << ": " << Got;
    }
  // All of it matters.
  EXPECT_EQ(Errors, 3 * (Bytes.size() - Begin));
}

TEST(TouchPartTest, CutAtAnyByteIsAnError) {
  const std::string Bytes = withParts(heap(1));
  const size_t Begin = written(heap(1)).size();
  for (size_t Size = Begin + 16; Size != Bytes.size(); ++Size)
    EXPECT_EQ(read(StringRef(Bytes).take_front(Size)),
              "test.profdata: part of windows: truncated")
        << Size;
}

/// Changes the part of windows of \p Bytes, their last, and makes its checksum
/// right again.
template <typename Function>
static std::string changed(std::string Bytes, Function Change) {
  format::TouchPartHeader H;
  const size_t End = Bytes.size() - sizeof(format::PartFooter);
  uint64_t NumBytes;
  std::memcpy(&NumBytes, Bytes.data() + End, sizeof(NumBytes));
  char *Part = Bytes.data() + Bytes.size() - NumBytes;
  char *Header = Part + sizeof(format::PartHeader);
  std::memcpy(&H, Header, sizeof(H));
  char *Table = Header + sizeof(H) + alignTo(H.PhaseBytes, 8);
  Change(H, Table + H.NumContexts * sizeof(uint64_t));
  std::memcpy(Header, &H, sizeof(H));
  const uint64_t Checksum =
      partChecksum(StringRef(Part, Bytes.data() + End - Part));
  std::memcpy(Part + offsetof(format::PartHeader, Checksum), &Checksum,
              sizeof(Checksum));
  return Bytes;
}

TEST(TouchPartTest, WhatIsNoNumberOfBytesIsAnError) {
  const std::string Bytes = withParts(heap(1)), Expected = read(Bytes);
  auto WithPrediction = [&](size_t I, double Value) {
    return read(
        changed(Bytes, [&](auto &Head, char *) { Head.Predicted[I] = Value; }));
  };
  auto WithBenefit = [&](float Value) {
    return read(changed(Bytes, [&](auto &, char *Benefits) {
      std::memcpy(Benefits + sizeof(float), &Value, sizeof(float));
    }));
  };
  EXPECT_EQ(changed(Bytes, [](auto &, char *) {}), Bytes);
  EXPECT_NE(WithPrediction(3, 0x1p62), Expected);
  EXPECT_TRUE(StringRef(WithPrediction(3, 0x1p62)).contains(" 4.611"));
  for (double Wrong : {std::nan(""), HUGE_VAL, -1.0, 0x1p63, 1e300}) {
    for (size_t I = 0; I != 6; ++I)
      EXPECT_EQ(WithPrediction(I, Wrong),
                "test.profdata: part of windows: a predicted working set is "
                "no number of bytes")
          << Wrong;
    const std::string Got = WithBenefit(static_cast<float>(Wrong));
    EXPECT_TRUE(StringRef(Got).starts_with(
        "test.profdata: part of windows: the benefit of context 0x"))
        << Got;
    EXPECT_TRUE(StringRef(Got).ends_with(" is no number of bytes")) << Got;
  }
}

TEST(TouchPartTest, NumbersThatNoReaderTakesAreCut) {
  const HeapProfile P = heap(1);
  std::string File = written(P);
  const uint64_t Checksum = cantFail(cantFail(parse(File))->checksum());
  const TouchesById All = P.touches().sums();
  placement::Placement Placed = decisions(All.Ids.size());
  Placed.Predicted.AtBurst.Before = Placed.Contexts[1].Benefit = 1e30;
  Placed.Predicted.AtWindow.After = -1;
  appendTouches(File, Checksum, All, placement::PlacementOptions(), Placed);
  auto Profile = cantFail(parse(File));
  EXPECT_EQ(Profile->predicted()->AtBurst.Before, placement::MostPredicted);
  EXPECT_EQ(Profile->predicted()->AtWindow.After, 0);
  EXPECT_EQ(Profile->decision(All.Ids[1])->Benefit, placement::MostPredicted);
}

TEST(TouchPartTest, PartsOfAnotherProfileAreAnError) {
  HeapProfile Other;
  for (uint32_t I = 0; I != NumContexts; ++I)
    Other.addContext(frames(I + 1), MemInfoBlock(64, I, 0, 100, 0, 1, 0, 0));
  Other.addRuns(RunInfo::oneRun(Milliseconds(100)));
  const std::string Bytes = withParts(heap(1)), Plain = written(heap(1)),
                    Theirs = written(Other);
  StringRef Parts = StringRef(Bytes).drop_front(Plain.size());
  ASSERT_EQ(Plain.size() % 8, 0u);
  // Elsewhere in the file, and then at the same place.
  EXPECT_EQ(read(Plain + "01234567" + Parts.str()),
            "test.profdata: part of windows: it does not belong to this "
            "profile");
  ASSERT_EQ(Theirs.size(), Plain.size());
  const std::string Expected =
      "part of windows: the memory profile is not the one that it was "
      "written for; is it damaged?";
  EXPECT_EQ(read(Theirs + Parts.str()), "test.profdata: " + Expected);
  EXPECT_TRUE(StringRef(merged({Theirs + Parts.str()})).ends_with(Expected));
}

TEST(TouchPartTest, MorePhasesThanAProfileHoldsAreAnError) {
  std::vector<std::string> Files;
  for (unsigned Half = 0; Half != 2; ++Half) {
    std::vector<RawWindow> Windows;
    for (unsigned I = 0; I != 33; ++I)
      Windows.push_back({1000, 0, "p" + std::to_string(100 * Half + I)});
    HeapProfile P;
    P.addContext(frames(0), MemInfoBlock(64, 0, 0, 100, 0, 1, 0, 0));
    P.addTouches(frames(0), P.addGrid(RunLayout(Windows).grid()), {});
    Files.push_back(withParts(P));
  }
  EXPECT_EQ(cantFail(parse(merged({Files[0]})))->touchGrid().Phases.size(),
            33u);
  EXPECT_TRUE(
      StringRef(merged(Files))
          .ends_with("with its phases there are 66; a profile holds 64"));
}
