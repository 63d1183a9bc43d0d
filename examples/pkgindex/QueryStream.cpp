//===- pkgindex/QueryStream.cpp - A long run of queries -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranks are drawn with a density that falls as the cube root rises, then
// scattered over the packages, so that the popular ones lie all over memory.
//
//===----------------------------------------------------------------------===//

#include "QueryStream.h"

using namespace pkgindex;

namespace {

/// The splitmix64 generator.
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}

  uint64_t next() {
    State += 0x9e3779b97f4a7c15;
    uint64_t Z = State;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
    return Z ^ (Z >> 31);
  }

  /// In [0, 1).
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  uint64_t State;
};

/// Draws the packages to ask about.
class Popularity {
public:
  explicit Popularity(size_t Count) : Count(Count) {}

  size_t draw(Random &Source) const {
    double U = Source.fraction();
    uint64_t Rank = static_cast<uint64_t>(U * U * U * double(Count));
    return Rank * 2654435761 % Count;
  }

private:
  size_t Count;
};

/// Draws the kind of query; those that look at every package are rare.
size_t drawKind(Random &Source) {
  uint64_t Share = Source.next() % 1000;
  for (size_t Kind = 0;; ++Kind) {
    static constexpr uint64_t Shares[] = {450, 300, 241, 3, 3, 3};
    if (Share < Shares[Kind])
      return Kind;
    Share -= Shares[Kind];
  }
}

} // namespace

Answer pkgindex::askQueries(Database &DB, uint64_t Count, uint64_t Seed) {
  Answer Result;
  if (DB.packages().empty())
    return Result;
  std::vector<std::unique_ptr<Query>> Kinds = makeQueries();
  Random Source(Seed);
  Popularity Subjects(DB.packages().size());
  for (; Result.Queries != Count; ++Result.Queries) {
    Query &Asked = *Kinds[drawKind(Source)];
    Package &Subject = *DB.packages()[Subjects.draw(Source)];
    Asked.ask(DB, Subject, Result);
  }
  return Result;
}
