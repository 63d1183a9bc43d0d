//===- Report/Query.cpp - What a user asks about --------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

StringRef report::withoutParameters(StringRef Demangled) {
  size_t End = Demangled.rfind(')');
  if (End == StringRef::npos)
    return Demangled;
  unsigned Depth = 0;
  for (size_t I = End + 1; I-- > 0;) {
    if (Demangled[I] == ')')
      ++Depth;
    else if (Demangled[I] == '(' && --Depth == 0) {
      // The parentheses of a scope are no parameters, nor those of a name.
      StringRef Front = Demangled.take_front(I);
      bool IsPartOfName = Front.empty() || Front.ends_with("::") ||
                          Front.ends_with("operator") ||
                          Demangled.drop_front(End + 1).starts_with("::");
      return IsPartOfName ? Demangled : Front;
    }
  }
  return Demangled;
}

namespace {

/// Whether \p Asked is \p Name, or a part of it that people use for it.
bool isNameOf(StringRef Asked, StringRef Name) {
  if (Asked == Name)
    return true;
  StringRef Base = withoutParameters(Name);
  if (Asked == Base)
    return true;
  return Base.ends_with(Asked) &&
         (Base.drop_back(Asked.size()).ends_with("::") ||
          Base.drop_back(Asked.size()).ends_with(" "));
}

/// The function that a version is named for: "f" of "f.memprof.2", and of
/// "f.memprof.2.cold", a part of it. Other names as they are.
StringRef originalOf(StringRef Symbol) {
  constexpr StringLiteral Infix = ".memprof.";
  size_t Pos = Symbol.rfind(Infix);
  if (Pos == StringRef::npos)
    return Symbol;
  StringRef Rest = Symbol.drop_front(Pos + Infix.size());
  uint32_t Version;
  bool IsVersion =
      !Rest.consumeInteger(10, Version) && (Rest.empty() || Rest[0] == '.');
  return IsVersion ? Symbol.take_front(Pos) : Symbol;
}

struct PlaceQuery {
  StringRef Function;
  uint32_t Line = 0;
  std::optional<uint32_t> Column;

  /// A line as people see it: with a sign, or without one. Nothing if \p Text
  /// is none.
  static std::optional<uint32_t> line(StringRef Text) {
    const bool HasPlus = Text.consume_front("+");
    int32_t Line;
    if (Text.getAsInteger(10, Line) || (HasPlus && Line < 0))
      return std::nullopt;
    return static_cast<uint32_t>(Line);
  }

  static std::optional<PlaceQuery> parse(StringRef Text) {
    auto [Front, Last] = Text.rsplit(':');
    PlaceQuery Result;
    std::optional<uint32_t> Number = line(Last);
    if (!Number) {
      // "FUNCTION +LINE", without a column.
      std::tie(Front, Last) = Text.rsplit(' ');
      if (!Last.starts_with("+") && !Last.starts_with("-"))
        return std::nullopt;
      Number = line(Last);
      if (!Number)
        return std::nullopt;
    }
    Result.Function = Front;
    Result.Line = *Number;
    size_t Pos = Front.find_last_of(": ");
    if (Pos == StringRef::npos)
      return Result;
    if (std::optional<uint32_t> Line = line(Front.drop_front(Pos + 1))) {
      Result.Function = Front.take_front(Pos).rtrim();
      Result.Line = *Line;
      Result.Column = *Number;
    }
    return Result;
  }
};

class Finder {
public:
  Finder(const LinkView &View, StringRef Query) : View(View), Query(Query) {}

  Expected<std::vector<Subject>> find() {
    uint64_t Number;
    StringRef Text = Query;
    if (Text.empty())
      return error("nothing was asked for");
    if (Text.consume_front("context:") || all_of(Text, isDigit)) {
      if (Text.getAsInteger(10, Number) || !findContext(Number))
        return error("there is no context " + Text + " in the report");
      return std::move(Found);
    }
    if (Text.consume_front("0x")) {
      if (Text.getAsInteger(16, Number))
        return error("'" + Query + "' is not an id");
      findId(Number);
      findLost([&](const LostContext &C) { return C.FullStackId == Number; });
      if (Found.empty())
        return error("no context has the id " + Query +
                     ", and no call the stack id");
      return std::move(Found);
    }
    if (auto [Name, Record] = Query.rsplit('#');
        !Record.empty() && !Record.getAsInteger(10, Number))
      return findAllocation(Name, Number);
    findFunctions(Query);
    if (Found.empty()) {
      auto Matches = [&](const ReportFrame &F) {
        return isNameOf(Query, F.Function);
      };
      findAllocations(Matches);
      findCalls(Matches);
    }
    findLost([&](const LostContext &C) {
      return isNameOf(Query, C.Frames.front().Function);
    });
    if (!Found.empty())
      return std::move(Found);
    if (auto Place = PlaceQuery::parse(Query))
      return findPlace(*Place);
    return notFound(Query);
  }

private:
  Error error(const Twine &Message) const { return createStringError(Message); }

  bool findContext(uint64_t Number) {
    for (auto [I, Part] : enumerate(View.Parts))
      if (Number <= UINT32_MAX)
        if (ContextId C = Part.context(Number))
          Found.push_back({I, C});
    return !Found.empty();
  }

  void findId(uint64_t Id) {
    for (auto [I, Part] : enumerate(View.Parts)) {
      const ContextProgram &Program = Part.program();
      std::set<uint32_t> Numbers;
      bool AnyFrame = false;
      for (size_t C = 0; C != Program.numContexts(); ++C) {
        if (Program[ContextId(C)].profileId() == Id)
          Numbers.insert(Part.number(ContextId(C)));
        AnyFrame |= is_contained(Program.stackIds(ContextId(C)), StackId(Id));
      }
      for (uint32_t Number : Numbers)
        Found.push_back({I, Part.context(Number)});
      bool AnyCall = false;
      for (size_t C = 0; C != Program.numCallsites(); ++C)
        if (is_contained(Program.stackIds(CallsiteId(C)), StackId(Id))) {
          Found.push_back({I, CallsiteId(C)});
          AnyCall = true;
        }
      if (AnyFrame && !AnyCall)
        Found.push_back({I, StackId(Id)});
    }
  }

  void findFunctions(StringRef Name) {
    // A version is explained with its function.
    StringRef Function = originalOf(Name);
    for (auto [I, Part] : enumerate(View.Parts))
      for (size_t F = 0; F != Part.program().numFunctions(); ++F) {
        FunctionId Id(F);
        StringRef Symbol = Part.program()[Id].Name;
        if (Function == Symbol || isNameOf(Function, Part.name(Id)))
          Found.push_back({I, Id});
      }
  }

  template <typename Predicate> void findCalls(Predicate Matches) {
    for (auto [I, Part] : enumerate(View.Parts))
      for (size_t C = 0; C != Part.program().numCallsites(); ++C)
        if (any_of(Part.program().stackIds(CallsiteId(C)), [&](StackId Id) {
              ReportFrame F = describeFrame(Part.from(), Id);
              return !F.Function.empty() && Matches(F);
            }))
          Found.push_back({I, CallsiteId(C)});
  }

  template <typename Predicate> void findAllocations(Predicate Matches) {
    for (auto [I, Part] : enumerate(View.Parts))
      for (size_t A = 0; A != Part.program().numAllocations(); ++A)
        if (any_of(describePlaceOf(Part.from(), AllocationId(A)),
                   [&](const ReportFrame &F) {
                     return !F.Function.empty() && Matches(F);
                   }))
          Found.push_back({I, AllocationId(A)});
  }

  template <typename Predicate> void findLost(Predicate Matches) {
    if (!View.Model.Coverage)
      return;
    for (auto [I, C] : enumerate(View.Model.Coverage->Biggest))
      if (Matches(C))
        Found.push_back({0, LostIndex(I)});
  }

  Expected<std::vector<Subject>> findAllocation(StringRef Name,
                                                uint64_t Record) {
    findFunctions(Name);
    if (Found.empty())
      return notFound(Name);
    std::vector<Subject> Result;
    for (const Subject &S : Found) {
      const PartView &Part = View.Parts[S.Part];
      auto &All = Part.program()[std::get<FunctionId>(S.What)].Allocations;
      if (Record < All.size())
        Result.push_back({S.Part, All[Record]});
    }
    if (Result.empty())
      return error(Name + " has no allocation " + Twine(Record) +
                   " with a profile");
    return std::move(Result);
  }

  Expected<std::vector<Subject>> findPlace(const PlaceQuery &Place) {
    bool AnyNames = any_of(View.Parts, [](const PartView &Part) {
      return Part.from().Frames != nullptr;
    });
    if (!AnyNames)
      return error("the lines of calls are in the profile: give it with "
                   "--profile=FILE, or a stack id");
    std::map<std::pair<uint32_t, uint32_t>, std::string> Near;
    auto Matches = [&](const ReportFrame &F) {
      if (!isNameOf(Place.Function, F.Function))
        return false;
      Near.try_emplace({F.LineOffset, F.Column}, frameText(F));
      return F.LineOffset == Place.Line &&
             (!Place.Column || F.Column == *Place.Column);
    };
    findAllocations(Matches);
    findCalls(Matches);
    if (!Found.empty())
      return std::move(Found);
    if (Near.empty())
      return notFound(Place.Function);
    std::string Calls;
    for (const auto &[Key, Text] : Near)
      Calls += (Calls.empty() ? "" : ", ") + Text;
    return error("no call of the link is at '" + Query +
                 "'; lines count from the beginning of the function. Calls "
                 "with a profile in it: " +
                 Calls);
  }

  Error notFound(StringRef Name) const {
    // By distance, then by name; without scopes and parameters on both sides.
    auto Short = [](StringRef Text) {
      StringRef Base = withoutParameters(Text);
      return Base.drop_front(
          Base.rfind("::") == StringRef::npos ? 0 : Base.rfind("::") + 2);
    };
    std::set<std::pair<unsigned, std::string>> Near;
    StringRef Asked = Short(Name);
    const unsigned Limit = std::max<size_t>(Asked.size() / 3, 2);
    auto Consider = [&](const std::string &Known) {
      StringRef Base = Short(Known);
      unsigned Distance =
          Base.contains_insensitive(Asked)
              ? 1
              : Base.edit_distance(Asked, /*AllowReplacements=*/true, Limit);
      if (!Asked.empty() && Distance <= Limit)
        Near.insert({Distance, Known});
    };
    for (const PartView &Part : View.Parts) {
      for (size_t F = 0; F != Part.program().numFunctions(); ++F)
        Consider(Part.name(FunctionId(F)));
      for (size_t C = 0; C != Part.program().numCallsites(); ++C)
        for (StackId Id : Part.program().stackIds(CallsiteId(C)))
          if (ReportFrame F = describeFrame(Part.from(), Id);
              !F.Function.empty())
            Consider(F.Function);
    }
    std::set<std::string> Inlined;
    for (const ReportContext &C : View.Model.Contexts)
      for (const ReportFrame &F : C.Place)
        if (!F.Function.empty())
          Inlined.insert(F.Function);
    llvm::for_each(Inlined, Consider);
    if (View.Model.Coverage)
      for (const LostContext &C : View.Model.Coverage->Biggest)
        Consider(C.Frames.front().Function);
    std::string Message =
        "no function with a profile in the link matches '" + Name.str() + "'";
    constexpr size_t Shown = 5;
    for (auto [I, Entry] : enumerate(Near)) {
      if (I == Shown)
        break;
      Message += (I ? ", " : "; near are: ") + Entry.second;
    }
    return createStringError(Message);
  }

  const LinkView &View;
  const StringRef Query;
  std::vector<Subject> Found;
};

} // namespace

Expected<std::vector<Subject>> report::findSubjects(const LinkView &View,
                                                    StringRef Query) {
  return Finder(View, Query).find();
}
