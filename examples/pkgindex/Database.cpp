//===- pkgindex/Database.cpp - All packages in memory ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables over the packages. Keys are compared by hand, as searches ignore case.
//
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "Versions.h"

#include <algorithm>

using namespace pkgindex;

static std::string_view key(const Package &P) { return {P.Key, P.KeySize}; }

/// Order of A and B on their first Limit characters.
static int compareKeys(std::string_view A, std::string_view B, size_t Limit) {
  size_t Size = std::min({A.size(), B.size(), Limit});
  for (size_t I = 0; I != Size; ++I)
    if (A[I] != B[I])
      return A[I] < B[I] ? -1 : 1;
  size_t SizeA = std::min(A.size(), Limit), SizeB = std::min(B.size(), Limit);
  if (SizeA == SizeB)
    return 0;
  return SizeA < SizeB ? -1 : 1;
}

bool Database::add(Package *Added) {
  Installed.resize(Names.size(), nullptr);
  Package *&Place = Installed[Added->Name];
  if (Place != nullptr)
    return false;
  Place = Added;
  Packages.push_back(Added);
  return true;
}

void Database::addProvider(NameId Name, Package *P) {
  Providers.resize(Names.size(), nullptr);
  if (Providers[Name] == nullptr)
    Providers[Name] = P;
}

void Database::link() {
  Names.freeze();
  DetailNames.freeze();
  Installed.resize(Names.size(), nullptr);
  Providers.resize(Names.size(), nullptr);
  for (Package *P : Packages)
    for (Relation *Clause = P->Depends; Clause; Clause = Clause->NextClause)
      if (Package *Target = resolve(*Clause).Chosen)
        pool_list_push(&Target->NeededBy, P);
  Sorted = Packages;
  std::sort(Sorted.begin(), Sorted.end(), [](Package *A, Package *B) {
    return compareKeys(key(*A), key(*B), SIZE_MAX) < 0;
  });
}

Package *Database::satisfying(const Relation &Choice) const {
  Package *P = Installed[Choice.Target];
  if (P && satisfies(P->Version, Choice.Test, Choice.Version))
    return P;
  return Providers[Choice.Target];
}

Database::Resolution Database::resolve(const Relation &Clause) const {
  Resolution Result;
  for (const Relation *R = &Clause; R; R = R->Alternative) {
    Package *P = satisfying(*R);
    if (P == nullptr)
      continue;
    if (Result.Choices++ == 0)
      Result.Chosen = P;
  }
  return Result;
}

std::pair<size_t, size_t> Database::prefixRange(std::string_view Prefix) const {
  auto Before = [&](const Package *P, std::string_view Text) {
    return compareKeys(key(*P), Text, Text.size()) < 0;
  };
  auto After = [&](std::string_view Text, const Package *P) {
    return compareKeys(key(*P), Text, Text.size()) > 0;
  };
  auto First = std::lower_bound(Sorted.begin(), Sorted.end(), Prefix, Before);
  auto Last = std::upper_bound(First, Sorted.end(), Prefix, After);
  return {First - Sorted.begin(), Last - Sorted.begin()};
}
