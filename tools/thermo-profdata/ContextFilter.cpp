//===- thermo-profdata/ContextFilter.cpp - Contexts that are asked for ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextFilter.h"
#include "thermocline/Profile/AllocationCalls.h"
#include "thermocline/Profile/CallTable.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

/// Null for an empty \p Pattern.
static Expected<std::unique_ptr<Regex>> parsePattern(StringRef Option,
                                                     StringRef Pattern) {
  if (Pattern.empty())
    return nullptr;
  auto Result = std::make_unique<Regex>(Pattern);
  std::string Problem;
  if (!Result->isValid(Problem))
    return createStringError(inconvertibleErrorCode(),
                             Option + ": " + Pattern +
                                 " is no regular expression: " + Problem);
  return std::move(Result);
}

Expected<FunctionFilter> FunctionFilter::create(StringRef Pattern) {
  FunctionFilter Result;
  if (Error E = parsePattern("--function", Pattern).moveInto(Result.Pattern))
    return std::move(E);
  return std::move(Result);
}

bool FunctionFilter::matches(GlobalValue::GUID Function,
                             const FunctionNames &Names) {
  if (!Pattern)
    return true;
  auto [Answer, New] = Known.try_emplace(Function, false);
  if (New)
    Answer->second = Pattern->match(Names.display(Function)) ||
                     Pattern->match(Names.lookup(Function));
  return Answer->second;
}

bool FunctionFilter::matches(const ListedContext &C,
                             const FunctionNames &Names) {
  return !Pattern || any_of(C.Frames, [&](const Frame &F) {
    return matches(F.Function, Names);
  });
}

bool FunctionFilter::matches(RawAddresses Addresses, const RawCalls &Calls) {
  return !Pattern || any_of(Addresses, [&](uint64_t Address) {
    auto [Answer, New] = Known.try_emplace(Address, false);
    if (New)
      Answer->second =
          any_of(Calls.at(Address).Lines, [&](const SourceLine &L) {
            return Pattern->match(L.Function) ||
                   Pattern->match(demangle(L.Function));
          });
    return Answer->second;
  });
}

Error profdata::filterContexts(const ProfileSettings &Settings,
                               const FunctionNames &Names,
                               std::optional<unsigned> Top, ContextList &List) {
  Expected<FunctionFilter> Filter = FunctionFilter::create(Settings.Function);
  if (!Filter)
    return Filter.takeError();
  Expected<std::unique_ptr<Regex>> Type = parsePattern("--type", Settings.Type);
  if (!Type)
    return Type.takeError();
  llvm::erase_if(List.Contexts, [&](const ListedContext &C) {
    return (Settings.ColdOnly && !C.Cold) || !Filter->matches(C, Names) ||
           (*Type && !(*Type)->match(C.Type.describe()));
  });
  if (Top && List.Contexts.size() > *Top)
    List.Contexts.resize(*Top);
  return Error::success();
}

namespace {
struct Totals {
  ContextCount All;
  ContextCount Cold;
  uint64_t Allocations = 0;

  void add(const ListedContext &C) {
    All.add(C.size());
    if (C.Cold)
      Cold.add(C.size());
    Allocations += C.Info.AllocCount;
  }
};

/// The columns in front of a row's name.
constexpr unsigned LeftOfName = 51;
} // namespace

/// Most bytes first.
static std::vector<std::pair<std::string, Totals>>
sorted(const std::map<std::string, Totals> &Rows) {
  std::vector<std::pair<std::string, Totals>> Order(Rows.begin(), Rows.end());
  llvm::sort(Order, [](const auto &A, const auto &B) {
    return std::tie(B.second.All.Size, A.first) <
           std::tie(A.second.All.Size, B.first);
  });
  return Order;
}

static void printRow(const Totals &T, Bytes All, const Twine &Name,
                     raw_ostream &OS) {
  OS << formatv(
      "{0,10}  {1,6}  {2,8}  {3,8}  {4,11}  {5}\n", formatBytes(T.All.Size),
      formatPercent(T.All.Size.count(), All.count()), formatBytes(T.Cold.Size),
      formatCount(T.All.Contexts), formatCount(T.Allocations), Name.str());
}

/// Where the function \p F is, behind its name.
static std::string withPlace(GlobalValue::GUID F, const FunctionNames &Names) {
  const FunctionPlace *Place = Names.place(F);
  return Names.display(F) +
         (Place && Place->Line
              ? ", " + Place->File + ":" + std::to_string(Place->Line)
              : "");
}

Error profdata::printTotals(const ContextList &List, const FunctionNames &Names,
                            const Askers &Who, TotalsBy By,
                            std::optional<unsigned> Top, raw_ostream &OS) {
  Expected<CallTable> Calls = List.Profile->calls();
  if (!Calls)
    return Calls.takeError();
  auto KeyOf = [&](const ListedContext &C) -> std::string {
    const Frame &Leaf = C.Frames.front(), &Asker = *Who.of(C).At;
    switch (By) {
    case TotalsBy::Function:
      return withPlace(Asker.Function, Names);
    case TotalsBy::File: {
      const FunctionPlace *Place = Names.place(Asker.Function);
      return Place && !Place->File.empty() ? Place->File : "(not known)";
    }
    case TotalsBy::Type:
      return C.Type.describe();
    case TotalsBy::Allocation:
      break;
    }
    // Calls of one place may differ, in a macro or by versions of the function.
    std::string Result;
    for (const SourceFunction &Version : Calls->versions(Leaf.Function))
      for (const SourceCall &Call : Version.Calls)
        if (Call.Line == static_cast<int32_t>(Leaf.LineOffset) &&
            Call.Column == Leaf.Column) {
          const std::string Known = allocationFunction(Call.Callee);
          if (Known.empty())
            continue;
          if (!Result.empty() && Result != Known)
            return "(several of one place)";
          Result = Known;
        }
    return Result.empty() ? "(not known)" : Result;
  };
  std::map<std::string, Totals> Rows;
  // Who asks the funnels among them.
  std::map<std::string, std::map<std::string, Totals>> Below;
  Totals All;
  for (const ListedContext &C : List.Contexts) {
    const std::string Key = KeyOf(C);
    const Frame *For = By == TotalsBy::Function ? Who.of(C).For : nullptr;
    for (Totals *Into :
         {&All, &Rows[Key],
          For ? &Below[Key][withPlace(For->Function, Names)] : nullptr})
      if (Into)
        Into->add(C);
  }
  OS << "\n     bytes  of all      cold  contexts  allocations  "
     << (By == TotalsBy::Function ? "function"
         : By == TotalsBy::File   ? "file"
         : By == TotalsBy::Type   ? "type"
                                  : "allocation")
     << '\n';
  const auto Order = sorted(Rows);
  const size_t Shown =
      std::min<size_t>(Top.value_or(Order.size()), Order.size());
  for (const auto &[Name, Of] : ArrayRef(Order).take_front(Shown)) {
    printRow(Of, All.All.Size, Name, OS);
    const auto Asking = sorted(Below[Name]);
    const size_t Most =
        std::min<size_t>(Top.value_or(Asking.size()), Asking.size());
    for (const auto &[Caller, Part] : ArrayRef(Asking).take_front(Most))
      printRow(Part, All.All.Size, "  for " + Caller, OS);
    if (Most != Asking.size())
      OS.indent(LeftOfName)
          << "  and for " << formatCount(Asking.size() - Most) << " more\n";
  }
  if (Shown != Order.size())
    OS << "... and " << formatCount(Order.size() - Shown)
       << " more with fewer bytes (--all lists them)\n";
  return Error::success();
}
