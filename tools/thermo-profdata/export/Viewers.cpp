//===- thermo-profdata/export/Viewers.cpp - For other viewers -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Viewers.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <set>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

bool ViewProfile::knows(ViewValue V) const {
  return any_of(Values, [&](const ViewValueInfo &I) { return I.Value == V; });
}

uint32_t ViewProfile::add(ViewFrame F) {
  auto [Known, New] = Numbers.try_emplace(
      {F.Name, F.LinkageName, F.File, F.Line, F.Column, F.IsInlined},
      static_cast<uint32_t>(Frames.size()));
  if (New)
    Frames.push_back(std::move(F));
  return Known->second;
}

static void setMeasures(ViewContext &C, const MemInfoBlock &Info) {
  C[ViewValue::Bytes] = Info.TotalSize;
  C[ViewValue::Objects] = Info.AllocCount;
  if (!accessesAreUnknown(Info))
    C[ViewValue::Accesses] = Info.TotalAccessCount;
  C.LifetimeMs = Info.TotalLifetime;
}

static void setValues(ViewProfile &View, const std::set<ViewValue> &Known) {
  copy_if(AllViewValues, std::back_inserter(View.Values),
          [&](const ViewValueInfo &I) { return Known.count(I.Value); });
}

//===-- Live objects ------------------------------------------------------===//

namespace {

/// What lived at the ends of windows, or in the mean of runs in bins.
class LiveObjects {
public:
  /// What a window is a sum of.
  struct Window {
    uint64_t Runs = 1;
    /// See TouchPhase::scaleOfPages().
    double ScaleOfPages = 1;
  };
  explicit LiveObjects(std::vector<Window> Windows)
      : Windows(std::move(Windows)), Bytes(this->Windows.size()) {}

  void add(const ContextTouches &T) {
    for (size_t I = 0; I != Windows.size(); ++I)
      Bytes[I] += at(T, I).Bytes;
  }
  /// The window in which most bytes lived of all that was added.
  size_t peak() const {
    return static_cast<size_t>(max_element(Bytes) - Bytes.begin());
  }
  /// Pages of large objects count as bytes, and their objects as one if any is
  /// there: how many there are is not known.
  ViewContext::Live at(const ContextTouches &T, size_t Window) const {
    auto TouchesOf = [&](const UnitTouches &U) {
      return Window >= U.First && Window - U.First < U.Windows.size()
                 ? U.Windows[Window - U.First]
                 : WindowTouches();
    };
    const WindowTouches Objects = TouchesOf(T.Objects),
                        Pages = TouchesOf(T.Pages);
    const uint64_t N = std::max<uint64_t>(Windows[Window].Runs, 1);
    const uint64_t PageBytes = truncated(static_cast<double>(Pages.LiveBytes) *
                                         Windows[Window].ScaleOfPages);
    return {Objects.Live / N + (Pages.Live ? 1 : 0),
            (Objects.LiveBytes + PageBytes) / N};
  }
  void set(ViewContext &C, const ContextTouches &T) const {
    for (size_t I = 0; I != Windows.size(); ++I)
      if (const ViewContext::Live L = at(T, I); L.Bytes > C.AtMost.Bytes)
        C.AtMost = L;
    C.AtPeak = at(T, peak());
    C.AtEnd = at(T, Windows.size() - 1);
    C[ViewValue::LiveBytes] = C.AtPeak.Bytes;
  }

private:
  std::vector<Window> Windows;
  /// Of all that was added, in each window.
  std::vector<uint64_t> Bytes;
};

} // namespace

//===-- Indexed profiles --------------------------------------------------===//

static ViewFrame viewOf(const Frame &F, const FunctionNames &Names) {
  ViewFrame Result;
  Result.Name = Names.display(F.Function);
  Result.LinkageName = Names.lookup(F.Function).str();
  Result.Column = F.Column;
  Result.IsInlined = F.IsInlineFrame;
  if (const FunctionPlace *Place = Names.place(F.Function)) {
    Result.File = Place->File;
    Result.StartLine = Place->Line;
    Result.Line = lineOf(Place->Line, F.LineOffset, F.Column);
  } else {
    Result.Name += ' ' + describePlace(F.LineOffset, F.Column);
  }
  return Result;
}

static Error addWorkingSet(ViewProfile &View, const ContextList &List) {
  Expected<TouchesById> Touches = List.touchesWithMeasures();
  if (!Touches)
    return Touches.takeError();
  Expected<std::vector<placement::ContextShare>> Shares =
      placement::shareOut(Touches->Touches, BitVector(Touches->Ids.size()),
                          List.Profile->decidedFor());
  if (!Shares)
    return Shares.takeError();
  for (auto [C, Viewed] : zip_equal(List.Contexts, View.Contexts)) {
    const auto Known = lower_bound(Touches->Ids, C.Id);
    if (Known == Touches->Ids.end() || *Known != C.Id)
      continue;
    const placement::ContextShare &S =
        (*Shares)[static_cast<size_t>(Known - Touches->Ids.begin())];
    Viewed[ViewValue::WorkingSet] =
        static_cast<uint64_t>(std::llround(S.SmallPages + S.LargePages));
  }
  return Error::success();
}

Expected<ViewProfile> profdata::viewOf(const ContextList &List,
                                       const FunctionNames &Names,
                                       const LinkOutcomes *Links) {
  ViewProfile Result;
  Result.Path = List.Profile->path();
  if (const std::optional<RunInfo> &Runs = List.Profile->runInfo())
    Result.LengthMs = Runs->Runs ? Runs->TotalLength.count() / Runs->Runs : 0;
  std::set<ViewValue> Known = {ViewValue::Bytes, ViewValue::Objects,
                               ViewValue::ColdBytes};
  if (List.Accesses == AccessKind::Counted && List.Profile->hasFullSchema())
    Known.insert(ViewValue::Accesses);
  if (Links)
    Known.insert(ViewValue::LostBytes);
  const TouchGrid &Grid = List.Profile->touchGrid();
  std::vector<LiveObjects::Window> Bins;
  for (const TouchPhase &P : Grid.Phases)
    Bins.insert(Bins.end(), BinsPerPhase, {P.Runs, P.scaleOfPages()});
  LiveObjects Live(Bins);
  for (const ListedContext &C : List.Contexts)
    Live.add(C.Touches);
  Result.HasLive = !Grid.empty();
  for (const ListedContext &C : List.Contexts) {
    ViewContext &Viewed = Result.Contexts.emplace_back();
    setMeasures(Viewed, C.Info);
    if (C.Cold)
      Viewed[ViewValue::ColdBytes] = C.Info.TotalSize;
    if (Links)
      Viewed[ViewValue::LostBytes] = Links->lostBytes(C);
    for (const Frame &F : C.Frames)
      Viewed.Frames.push_back(Result.add(::viewOf(F, Names)));
    if (Result.HasLive)
      Live.set(Viewed, C.Touches);
  }
  if (Result.HasLive) {
    Known.insert(ViewValue::LiveBytes);
    // What lives is known at the end of each bin. Phases have no order.
    Result.PeakMs = Grid.Phases.size() == 1
                        ? Result.LengthMs * (Live.peak() + 1) / Bins.size()
                        : Result.LengthMs;
    if (List.Profile->predicted()) {
      Known.insert(ViewValue::WorkingSet);
      if (Error E = addWorkingSet(Result, List))
        return std::move(E);
    }
  }
  setValues(Result, Known);
  return std::move(Result);
}

//===-- Raw profiles ------------------------------------------------------===//

static void addCall(ViewProfile &View, ViewContext &Viewed,
                    const RawCall &Call) {
  if (Call.Lines.empty()) {
    ViewFrame F;
    const std::string Object = Call.File.empty() ? Call.BuildId : Call.File;
    F.Name = Call.IsInObject ? Object + "+" + hexText(Call.Offset)
                             : hexText(Call.Address);
    Viewed.Frames.push_back(View.add(std::move(F)));
    return;
  }
  for (const SourceLine &L : Call.Lines) {
    ViewFrame F;
    F.Name = displayName(L.Function);
    F.LinkageName = L.Function;
    F.File = L.File;
    F.Line = L.Line;
    F.Column = L.Column;
    F.StartLine = L.StartLine;
    F.IsInlined = &L != &Call.Lines.back();
    Viewed.Frames.push_back(View.add(std::move(F)));
  }
}

ViewProfile profdata::viewOf(const RawProfile &Raw,
                             ArrayRef<const RawContext *> Order,
                             const RawCalls &Calls) {
  ViewProfile Result;
  Result.Path = Raw.file();
  if (Raw.run())
    Result.LengthMs = Raw.run()->EndMs - Raw.run()->BeginMs;
  std::set<ViewValue> Known = {ViewValue::Bytes, ViewValue::Objects};
  if (any_of(Order,
             [](const RawContext *C) { return !accessesAreUnknown(C->Info); }))
    Known.insert(ViewValue::Accesses);
  LiveObjects Live(std::vector<LiveObjects::Window>(Raw.windows().size()));
  for (const RawContext *C : Order)
    Live.add(C->Touches);
  Result.HasLive = !Raw.windows().empty();
  std::map<uint64_t, RawCall> Named;
  for (const RawContext *C : Order) {
    ViewContext &Viewed = Result.Contexts.emplace_back();
    setMeasures(Viewed, C->Info);
    for (uint64_t Address : C->Calls) {
      auto [Call, New] = Named.try_emplace(Address);
      if (New)
        Call->second = Calls.at(Address);
      addCall(Result, Viewed, Call->second);
    }
    if (Result.HasLive)
      Live.set(Viewed, C->Touches);
  }
  if (Result.HasLive) {
    Known.insert(ViewValue::LiveBytes);
    uint64_t Until = 0, All = 0;
    for (auto [I, Window] : enumerate(Raw.windows())) {
      All += Window.LengthUs;
      Until += I <= Live.peak() ? Window.LengthUs : 0;
    }
    Result.PeakMs = All ? Result.LengthMs * Until / All : Result.LengthMs;
  }
  setValues(Result, Known);
  return Result;
}

//===-- Collapsed stacks and speedscope -----------------------------------===//

static void writeCollapsed(const ViewProfile &View, ViewValue Only,
                           raw_ostream &OS) {
  // Equal lines are one, as those of contexts that differ in lines only.
  std::map<std::string, uint64_t> Lines;
  for (const ViewContext &C : View.Contexts) {
    std::string Line;
    for (uint32_t F : reverse(C.Frames)) {
      if (!Line.empty())
        Line += ';';
      // It parts frames.
      for (char Ch : View.Frames[F].Name)
        Line += Ch == ';' ? ':' : Ch;
    }
    Lines[Line.empty() ? "?" : Line] += C[Only];
  }
  for (const auto &[Line, Value] : Lines)
    if (Value)
      OS << Line << ' ' << Value << '\n';
}

static void writeSpeedscope(const ViewProfile &View, raw_ostream &OS) {
  json::OStream J(OS);
  J.object([&] {
    J.attribute("$schema",
                "https://www.speedscope.app/file-format-schema.json");
    J.attribute("name", json::fixUTF8(View.Path));
    J.attribute("exporter", "thermo-profdata");
    J.attributeObject("shared", [&] {
      J.attributeArray("frames", [&] {
        for (const ViewFrame &F : View.Frames)
          J.object([&] {
            J.attribute("name", json::fixUTF8(F.Name));
            if (!F.File.empty())
              J.attribute("file", json::fixUTF8(F.File));
            if (F.Line)
              J.attribute("line", F.Line);
            if (F.Line && F.Column)
              J.attribute("col", F.Column);
          });
      });
    });
    J.attributeArray("profiles", [&] {
      for (const ViewValueInfo &I : View.Values)
        J.object([&] {
          uint64_t Sum = 0;
          for (const ViewContext &C : View.Contexts)
            Sum += C[I.Value];
          J.attribute("type", "sampled");
          J.attribute("name", I.Name);
          J.attribute("unit", I.Unit == "bytes" ? "bytes" : "none");
          J.attribute("startValue", 0);
          J.attribute("endValue", Sum);
          auto Each = [&](auto Write) {
            for (const ViewContext &C : View.Contexts)
              if (C[I.Value])
                Write(C);
          };
          J.attributeArray("samples", [&] {
            Each([&](const ViewContext &C) {
              J.array([&] {
                for (uint32_t F : reverse(C.Frames))
                  J.value(F);
              });
            });
          });
          J.attributeArray("weights", [&] {
            Each([&](const ViewContext &C) { J.value(C[I.Value]); });
          });
        });
    });
  });
  OS << '\n';
}

Error profdata::writeView(const ViewProfile &View, ExportFormat As,
                          ViewValue Only, raw_ostream &OS) {
  switch (As) {
  case ExportFormat::Pprof:
    writePprof(View, OS);
    break;
  case ExportFormat::Dhat:
    writeDhat(View, OS);
    break;
  case ExportFormat::Speedscope:
    writeSpeedscope(View, OS);
    break;
  case ExportFormat::Collapsed:
    if (!View.knows(Only))
      return createStringError("%s: does not know the value '%s'",
                               View.Path.c_str(),
                               AllViewValues[size_t(Only)].Name.data());
    writeCollapsed(View, Only, OS);
    break;
  case ExportFormat::Json:
  case ExportFormat::Csv:
  case ExportFormat::Sarif:
    llvm_unreachable("formats that are made of contexts");
  }
  return Error::success();
}
