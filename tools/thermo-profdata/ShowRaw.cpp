//===- thermo-profdata/ShowRaw.cpp - What is in a raw profile -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ContextFilter.h"
#include "ContextList.h"
#include "RawCalls.h"
#include "TouchLines.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

static void printCall(const RawCall &Call, bool FullNames, raw_ostream &OS) {
  for (const SourceLine &L : Call.Lines) {
    const std::string Name = displayName(L.Function);
    OS << ' ' << (FullNames ? Name : shortenName(Name)) << " (" << Call.File
       << ')' << (L.Line ? ", " + L.File + ":" + utostr(L.Line) : "") << '\n';
  }
  if (!Call.Lines.empty())
    return;
  OS << ' ';
  if (!Call.File.empty())
    OS << Call.File << ": ";
  if (Call.IsInObject)
    OS << (Call.BuildId.empty() ? "no build id" : Call.BuildId) << " + "
       << hexText(Call.Offset) << '\n';
  else
    OS << hexText(Call.Address) << '\n';
}

/// Prints as many counters as LLVM's runtime does.
static void printHistogram(ArrayRef<uint64_t> Histogram, raw_ostream &OS) {
  constexpr size_t MostPrinted = 32;
  OS << " accesses to each 8 bytes:";
  for (uint64_t Counter : Histogram.take_front(MostPrinted))
    OS << ' ' << Counter;
  if (Histogram.size() > MostPrinted)
    OS << " ... (" << formatCount(Histogram.size()) << " counters)";
  OS << '\n';
}

/// Prints how far estimates may be off, in standard errors. \p Counted: there
/// are accesses.
static void printErrors(const RawSampling &S, bool Counted, raw_ostream &OS) {
  auto Error = [](double Variance) {
    return formatCount(truncated(std::min(std::sqrt(Variance) + 0.5, 1e18)));
  };
  OS << "    +- " << Error(S.AllocCountVariance) << " allocations, "
     << Error(S.SizeVariance) << " bytes, ";
  if (Counted)
    OS << Error(S.AccessesVariance) << " accesses, ";
  OS << Error(S.LifetimeVariance) << " ms; "
     << formatCount(S.Measured, "allocation") << " measured";
  if (Counted)
    OS << "; density " << formatNumber(S.Density) << " +- "
       << formatNumber(std::sqrt(S.DensityVariance));
  if (Counted && S.HasGaps)
    OS << "; others were" << (S.PlaceTouched ? "" : " not") << " accessed";
  OS << '\n';
}

static void printContext(const RawContext &C, const RawProfile &Raw,
                         const RawCalls &Calls, bool FullNames,
                         raw_ostream &OS) {
  const bool IsWatched = accessKind(C.Info) == AccessKind::Watched;
  OS << formatBytes(Bytes(C.Info.TotalSize)) << " in "
     << formatCount(C.Info.AllocCount, "allocation") << ", lifetime "
     << formatCount(C.Info.TotalLifetime / C.Info.AllocCount) << " ms";
  if (!accessesAreUnknown(C.Info) && C.Info.TotalSize)
    OS << ", "
       << formatNumber(static_cast<double>(C.Info.TotalAccessCount) /
                       static_cast<double>(C.Info.TotalSize))
       << " accesses per byte";
  OS << '\n';
  if (Raw.isSampled())
    printErrors(Raw.sampling(C), !IsWatched, OS);
  ContextTouches Touches = C.Touches;
  // There they say how many objects were looked at.
  if (IsWatched)
    Touches.Objects.Granules = 0;
  printTouches(Touches, Raw.windows(), Raw.isSampled(), OS);
  if (!C.Histogram.empty())
    printHistogram(C.Histogram, OS);
  for (uint64_t Address : C.Calls)
    printCall(Calls.at(Address), FullNames, OS);
}

/// Prints "NUMBER, of LEAST to MOST ms of processor time".
static void printLengths(StringRef Title, ArrayRef<RawWindow> Windows,
                         uint64_t RawWindow::*Field, raw_ostream &OS) {
  size_t Number = 0;
  uint64_t Least = UINT64_MAX, Most = 0;
  for (const RawWindow &W : Windows) {
    Number += W.*Field != 0;
    Most = std::max(Most, W.*Field);
    if (W.*Field)
      Least = std::min(Least, W.*Field);
  }
  OS << left_justify(Title, 16) << formatCount(Number);
  if (Number)
    OS << ", of " << formatNumber(static_cast<double>(Least) / 1000) << " to "
       << formatNumber(static_cast<double>(Most) / 1000)
       << " ms of processor time";
  OS << '\n';
}

/// Prints each phase that the program named, with the numbers of its windows.
static void printPhases(ArrayRef<RawWindow> Windows, raw_ostream &OS) {
  MapVector<StringRef, std::vector<size_t>> Phases;
  for (auto [I, W] : enumerate(Windows))
    Phases[W.Phase].push_back(I + 1);
  if (Phases.size() == 1 && Phases.front().first.empty())
    return;
  OS << "Phases:         ";
  ListSeparator Next("; ");
  for (const auto &[Name, Numbers] : Phases) {
    OS << Next;
    printPhaseName(Name, OS);
    OS << (Numbers.size() == 1 ? ", window" : ", windows");
    for (size_t I = 0, End; I != Numbers.size(); I = End) {
      End = I + 1;
      while (End != Numbers.size() && Numbers[End] == Numbers[End - 1] + 1)
        ++End;
      OS << ' ' << Numbers[I];
      if (End - I > 1)
        OS << '-' << Numbers[End - 1];
    }
  }
  OS << '\n';
}

static void print(const ShowCommand &Command, const RawProfile &Raw,
                  const RawCalls &Calls, FunctionFilter &Filter,
                  raw_ostream &OS) {
  std::vector<const RawContext *> Contexts = bytesDescending(Raw);
  uint64_t Allocations = 0;
  Bytes Size(0);
  uint64_t Measured = 0;
  bool Unknown = true;
  for (const RawContext &C : Raw.contexts()) {
    Allocations += C.Info.AllocCount;
    Size += Bytes(C.Info.TotalSize);
    if (Raw.isSampled())
      Measured = SaturatingAdd(Measured, Raw.sampling(C).Measured);
    // Of a single context, sampling may have told too little.
    Unknown &= accessesAreUnknown(C.Info);
  }
  OS << "Profile:        " << Command.Input << " (raw)\n"
     << "Run:            ";
  if (Raw.run())
    OS << formatCount(Raw.run()->length().count()) << " ms, from "
       << formatCount(Raw.run()->BeginMs) << " ms to "
       << formatCount(Raw.run()->EndMs) << " ms after the program's start\n";
  else
    OS << "not recorded\n";
  OS << "Segments:       " << formatCount(Raw.segments().size()) << '\n'
     << "Contexts:       " << formatCount(Contexts.size()) << '\n'
     << "Allocations:    " << formatCount(Allocations) << '\n'
     << "Bytes:          " << formatBytes(Size) << '\n';
  if (Raw.isSampled())
    OS << "Sampled:        1 of " << formatCount(Raw.sampleInterval())
       << " allocations of a place, " << formatCount(Measured)
       << " measured; the rest is estimated\n";
  if (ArrayRef<RawWindow> Windows = Raw.windows(); !Windows.empty()) {
    printLengths("Windows:", Windows, &RawWindow::LengthUs, OS);
    printLengths("Bursts:", Windows, &RawWindow::BurstUs, OS);
    printPhases(Windows, OS);
  }
  if (Unknown && !Contexts.empty())
    OS << "Accesses:       not counted\n";
  if (!Filter.isEmpty()) {
    llvm::erase_if(Contexts, [&](const RawContext *C) {
      return !Filter.matches(C->Calls, Calls);
    });
    OS << "Selected:       " << formatCount(Contexts.size(), "context") << '\n';
  }
  size_t Listed = 0;
  for (const RawContext *C : Contexts) {
    if (Listed == Command.Top)
      break;
    OS << "\n#" << ++Listed << ' ';
    printContext(*C, Raw, Calls, Command.FullNames, OS);
  }
  if (Listed != Contexts.size())
    OS << "\n... and " << formatCount(Contexts.size() - Listed)
       << " more with fewer bytes (--all lists them)\n";
}

Error profdata::runShowRaw(const ShowCommand &Command) {
  Expected<RawProfile> Raw =
      readRaw(Command, Command.Grouping ? "--by is for merged profiles" : "");
  if (!Raw)
    return Raw.takeError();
  Expected<FunctionFilter> Filter = FunctionFilter::create(Command.Function);
  if (!Filter)
    return Filter.takeError();
  Expected<RawCalls> Calls =
      RawCalls::of(*Raw, Command.Binaries, Command.Libraries);
  if (!Calls)
    return Calls.takeError();
  warnOfCounts(Raw->contexts());
  return writeFileAtomically(Command.Output, [&](raw_ostream &OS) {
    print(Command, *Raw, *Calls, *Filter, OS);
    return Error::success();
  });
}
