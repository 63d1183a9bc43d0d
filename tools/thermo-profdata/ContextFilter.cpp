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
#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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
    return createStringError(Option + ": " + Pattern +
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
                   Pattern->match(demangled(L.Function));
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
           (*Type && (C.Type.Name.empty() || !(*Type)->match(C.Type.Name)));
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
} // namespace

/// Where the function \p F is, behind its name.
static std::string withPlace(GlobalValue::GUID F, const FunctionNames &Names) {
  const FunctionPlace *Place = Names.place(F);
  return Names.display(F) +
         (Place && Place->Line
              ? ", " + Place->File + ":" + std::to_string(Place->Line)
              : "");
}

/// The allocation function that the call at \p Leaf is of.
static std::string allocationAt(const Frame &Leaf, const CallTable &Calls) {
  // Calls of one place may differ, in a macro or by versions of the function.
  std::string Result;
  for (const SourceFunction &Version : Calls.versions(Leaf.Function))
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
}

/// What \p C is summed up by.
static std::string totalsKey(const ListedContext &C, const FunctionNames &Names,
                             const Askers &Who, const CallTable &Calls,
                             TotalsBy Kind) {
  const Frame &Asker = *Who.of(C).First;
  switch (Kind) {
  case TotalsBy::Function:
    return withPlace(Asker.Function, Names);
  case TotalsBy::File: {
    const FunctionPlace *Place = Names.place(Asker.Function);
    return Place && !Place->File.empty() ? Place->File : "(not known)";
  }
  case TotalsBy::Type:
    return C.Type.describe();
  case TotalsBy::Allocation:
    return allocationAt(C.Frames.front(), Calls);
  }
  llvm_unreachable("all are summed up by something");
}

static const char *nameOf(TotalsBy Kind) {
  switch (Kind) {
  case TotalsBy::Function:
    return "function";
  case TotalsBy::File:
    return "file";
  case TotalsBy::Allocation:
    return "allocation";
  case TotalsBy::Type:
    return "type";
  }
  llvm_unreachable("all have a name");
}

namespace {
using TotalsByName = std::map<std::string, Totals>;

/// Totals of contexts, and of those that ask the funnels among them.
class TotalsTable {
public:
  TotalsTable(const ShowCommand &Command) : Command(Command) {}

  /// \p For is who asks \p Name, if that is a funnel; else empty.
  void count(const ListedContext &C, const std::string &Name,
             const std::string &For);
  Table table() const;

private:
  /// Adds \p Rows, most bytes first. \p Funnel is what they ask, or empty.
  void addRows(const TotalsByName &Rows, StringRef Funnel, Table &Lines) const;

  const ShowCommand &Command;
  Totals All;
  TotalsByName Rows;
  std::map<std::string, TotalsByName> AskersOf;
};
} // namespace

void TotalsTable::count(const ListedContext &C, const std::string &Name,
                        const std::string &For) {
  All.add(C);
  Rows[Name].add(C);
  if (!For.empty())
    AskersOf[Name][For].add(C);
}

void TotalsTable::addRows(const TotalsByName &Rows, StringRef Funnel,
                          Table &Lines) const {
  std::vector<std::pair<StringRef, Totals>> Order(Rows.begin(), Rows.end());
  llvm::sort(Order, [](const auto &A, const auto &B) {
    return std::tie(B.second.All.Size, A.first) <
           std::tie(A.second.All.Size, B.first);
  });
  const size_t Shown =
      std::min<size_t>(Command.Top.value_or(Order.size()), Order.size());
  for (const auto &[Name, T] : ArrayRef(Order).take_front(Shown)) {
    Lines.add(
        {T.All.Size, Cell::share(T.All.Size.count(), All.All.Size.count()),
         T.Cold.Size, T.All.Contexts, T.Allocations,
         Funnel.empty() ? Name.str() : "  for " + Name.str(),
         Funnel.empty() ? Name : Funnel, Funnel.empty() ? Cell() : Cell(Name)});
    if (auto Below = AskersOf.find(Name.str());
        Funnel.empty() && Below != AskersOf.end())
      addRows(Below->second, Name, Lines);
  }
  const size_t Rest = Order.size() - Shown;
  if (!Rest)
    return;
  if (Funnel.empty())
    Lines.Note = "... and " + formatCount(Rest) +
                 " more with fewer bytes (--all lists them)";
  else if (Command.Format == TableFormat::Text)
    Lines.add({"", "", "", "", "", "  and for " + formatCount(Rest) + " more",
               "", ""});
}

Table TotalsTable::table() const {
  const std::string Name = nameOf(*Command.Grouping);
  Table Result = {
      .Key = "totals",
      .Columns = {{"bytes", "bytes", ColumnKind::Bytes},
                  {"of all", "ofAll", ColumnKind::Share},
                  {"cold", "coldBytes", ColumnKind::Bytes},
                  {"contexts", "contexts", ColumnKind::Count},
                  {"allocations", "allocations", ColumnKind::Count},
                  {Name, "", ColumnKind::Text, Audience::People},
                  {"", Name, ColumnKind::Text, Audience::Programs},
                  {"", "for", ColumnKind::Text, Audience::Programs}}};
  addRows(Rows, "", Result);
  return Result;
}

Error profdata::writeTotals(const ShowCommand &Command, const ContextList &List,
                            const FunctionNames &Names, const Askers &Who,
                            raw_ostream &OS) {
  Expected<CallTable> Calls = List.Profile->calls();
  if (!Calls)
    return Calls.takeError();
  TotalsTable Counted(Command);
  for (const ListedContext &C : List.Contexts) {
    const Frame *For =
        *Command.Grouping == TotalsBy::Function ? Who.of(C).For : nullptr;
    Counted.count(C, totalsKey(C, Names, Who, *Calls, *Command.Grouping),
                  For ? withPlace(For->Function, Names) : "");
  }
  const Table Lines = Counted.table();
  if (Command.Format != TableFormat::Text) {
    writeFor(Command.Format,
             {facts({{"version", 1},
                     {"profile", Command.Input},
                     {"by", nameOf(*Command.Grouping)}}),
              Lines},
             OS);
    return Error::success();
  }
  OS << '\n';
  Lines.writeText(OS);
  return Error::success();
}
