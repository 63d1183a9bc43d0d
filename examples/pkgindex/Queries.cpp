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

#include <deque>

using namespace pkgindex;

static constexpr uint64_t Prime = 0x100000001b3;

void Answer::addText(const char *Text) {
  for (; *Text != '\0'; ++Text)
    Checksum = (Checksum ^ static_cast<unsigned char>(*Text)) * Prime;
}

void Answer::add(const Package &P) {
  ++Found;
  Checksum = (Checksum ^ P.Name) * Prime;
  addText(P.Version);
}

namespace {

/// Everything that must be installed for a package to work.
class ClosureQuery : public Query {
public:
  const char *name() const override { return "dependency closure"; }

  void ask(Database &In, Package &Subject, Answer &To) override {
    uint32_t Mark = In.nextMark();
    std::vector<Package *> Open = {&Subject};
    Subject.Mark = Mark;
    while (!Open.empty()) {
      Package *P = Open.back();
      Open.pop_back();
      To.add(*P);
      for (Relation *R = P->Depends; R; R = R->NextClause) {
        Package *Target = In.resolve(*R);
        if (Target == nullptr || Target->Mark == Mark)
          continue;
        Target->Mark = Mark;
        Open.push_back(Target);
      }
    }
  }
};

/// What would break, near by, if a package were removed.
class ReverseQuery : public Query {
public:
  const char *name() const override { return "reverse dependencies"; }

  void ask(Database &In, Package &Subject, Answer &To) override {
    static constexpr size_t MaxFound = 200;
    uint32_t Mark = In.nextMark();
    std::deque<Package *> Open = {&Subject};
    Subject.Mark = Mark;
    for (size_t Seen = 0; !Open.empty() && Seen != MaxFound; ++Seen) {
      Package *P = Open.front();
      Open.pop_front();
      To.add(*P);
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

  void ask(Database &In, Package &Subject, Answer &To) override {
    size_t Size = std::min<size_t>(Subject.KeySize, 6);
    auto [First, Last] = In.prefixRange(std::string_view(Subject.Key, Size));
    for (size_t Place = First; Place != Last; ++Place)
      To.add(In.sorted(Place));
  }
};

/// Packages whose names contain the middle of the subject's.
class SubstringQuery : public Query {
public:
  const char *name() const override { return "substring search"; }

  void ask(Database &In, Package &Subject, Answer &To) override {
    std::string_view Part(Subject.Key, Subject.KeySize);
    Part = Part.substr(Part.size() / 3, 4);
    for (const Package *P : In.packages())
      if (contains(*P, Part))
        To.add(*P);
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

} // namespace

std::vector<std::unique_ptr<Query>> pkgindex::makeQueries() {
  std::vector<std::unique_ptr<Query>> Kinds;
  Kinds.push_back(std::make_unique<ClosureQuery>());
  Kinds.push_back(std::make_unique<ReverseQuery>());
  Kinds.push_back(std::make_unique<PrefixQuery>());
  Kinds.push_back(std::make_unique<SubstringQuery>());
  return Kinds;
}
