//===- pkgindex/Queries.cpp - Questions to the database -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks over the database. All of them leave the packages' details alone.
//
//===----------------------------------------------------------------------===//

#include "Queries.h"

#include <algorithm>
#include <deque>
#include <utility>

using namespace pkgindex;

static constexpr uint64_t Prime = 0x100000001b3;

void Answer::addNumber(uint64_t Number) {
  Checksum = (Checksum ^ Number) * Prime;
}

void Answer::addText(std::string_view Text) {
  for (char C : Text)
    addNumber(static_cast<unsigned char>(C));
}

void Answer::add(const Database &DB, const Package &P) {
  ++Found;
  addText(DB.names().text(P.Name));
  for (const char *Next = P.Version; *Next != '\0'; ++Next)
    addNumber(static_cast<unsigned char>(*Next));
}

namespace {

/// Everything that must be installed for a package to work.
class ClosureQuery : public Query {
public:
  const char *name() const override { return "dependency closure"; }

  void ask(Database &DB, Package &Subject, Answer &To) override {
    uint32_t Mark = DB.nextMark();
    std::vector<Package *> Open = {&Subject};
    Subject.Mark = Mark;
    while (!Open.empty()) {
      Package *P = Open.back();
      Open.pop_back();
      To.add(DB, *P);
      for (Relation *R = P->Depends; R; R = R->NextClause) {
        Database::Resolution Need = DB.resolve(*R);
        To.addNumber(Need.Choices);
        if (Need.Chosen == nullptr || Need.Chosen->Mark == Mark)
          continue;
        Need.Chosen->Mark = Mark;
        Open.push_back(Need.Chosen);
      }
    }
  }
};

/// What would break, near by, if a package were removed.
class ReverseQuery : public Query {
public:
  const char *name() const override { return "reverse dependencies"; }

  void ask(Database &DB, Package &Subject, Answer &To) override {
    static constexpr size_t MaxFound = 200;
    uint32_t Mark = DB.nextMark();
    std::deque<Package *> Open = {&Subject};
    Subject.Mark = Mark;
    for (size_t Seen = 0; !Open.empty() && Seen != MaxFound; ++Seen) {
      Package *P = Open.front();
      Open.pop_front();
      To.add(DB, *P);
      for (uint32_t I = 0; I != P->NeededBy.count; ++I) {
        Package *User = static_cast<Package *>(P->NeededBy.items[I]);
        if (User->Mark == Mark)
          continue;
        User->Mark = Mark;
        Open.push_back(User);
      }
    }
  }
};

/// Packages whose names start as the subject's does.
class PrefixQuery : public Query {
public:
  const char *name() const override { return "prefix search"; }

  void ask(Database &DB, Package &Subject, Answer &To) override {
    size_t Size = std::min<size_t>(Subject.KeySize, 6);
    auto [First, Last] = DB.prefixRange(std::string_view(Subject.Key, Size));
    for (size_t Place = First; Place != Last; ++Place)
      To.add(DB, DB.sorted(Place));
  }
};

/// Packages whose names contain the middle of the subject's.
class SubstringQuery : public Query {
public:
  const char *name() const override { return "substring search"; }

  void ask(Database &DB, Package &Subject, Answer &To) override {
    std::string_view Part(Subject.Key, Subject.KeySize);
    Part = Part.substr(Part.size() / 3, 4);
    for (const Package *P : DB.packages())
      if (contains(*P, Part))
        To.add(DB, *P);
  }

private:
  static bool contains(const Package &P, std::string_view Part) {
    for (uint32_t Start = 0; Start + Part.size() <= P.KeySize; ++Start) {
      size_t Size = 0;
      while (Size != Part.size() && P.Key[Start + Size] == Part[Size])
        ++Size;
      if (Size == Part.size())
        return true;
    }
    return false;
  }
};

/// Packages all of whose dependencies are satisfied.
class ConsistencyQuery : public Query {
public:
  const char *name() const override { return "consistency"; }

  void ask(Database &DB, Package &, Answer &To) override {
    for (const Package *P : DB.packages())
      if (isComplete(DB, *P))
        To.add(DB, *P);
  }

private:
  static bool isComplete(const Database &DB, const Package &P) {
    bool Complete = true;
    for (const Relation *R = P.Depends; R; R = R->NextClause)
      Complete &= DB.resolve(*R).Chosen != nullptr;
    return Complete;
  }
};

/// The packages with the most users, counting the users of users.
class MostNeededQuery : public Query {
public:
  const char *name() const override { return "most needed"; }

  void ask(Database &DB, Package &, Answer &To) override {
    static constexpr size_t MaxFound = 20;
    std::vector<std::pair<uint64_t, const Package *>> Ranking;
    Ranking.reserve(DB.packages().size());
    for (const Package *P : DB.packages())
      Ranking.push_back({weight(*P), P});
    size_t Count = std::min(MaxFound, Ranking.size());
    std::partial_sort(Ranking.begin(), Ranking.begin() + Count, Ranking.end(),
                      [](const auto &A, const auto &B) {
                        if (A.first != B.first)
                          return A.first > B.first;
                        return A.second->Name < B.second->Name;
                      });
    for (size_t I = 0; I != Count; ++I)
      To.add(DB, *Ranking[I].second);
  }

private:
  static uint64_t weight(const Package &P) {
    uint64_t Weight = P.NeededBy.count;
    for (uint32_t I = 0; I != P.NeededBy.count; ++I)
      Weight += static_cast<Package *>(P.NeededBy.items[I])->NeededBy.count;
    return Weight;
  }
};

} // namespace

std::vector<std::unique_ptr<Query>> pkgindex::makeQueries() {
  std::vector<std::unique_ptr<Query>> Kinds;
  Kinds.push_back(std::make_unique<ClosureQuery>());
  Kinds.push_back(std::make_unique<ReverseQuery>());
  Kinds.push_back(std::make_unique<PrefixQuery>());
  Kinds.push_back(std::make_unique<SubstringQuery>());
  Kinds.push_back(std::make_unique<ConsistencyQuery>());
  Kinds.push_back(std::make_unique<MostNeededQuery>());
  return Kinds;
}
