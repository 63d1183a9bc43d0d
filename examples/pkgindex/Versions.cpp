//===- pkgindex/Versions.cpp - Order of version numbers -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A version is `epoch:upstream-revision`. The parts are compared as alternating
// runs of other characters and of digits; a tilde sorts before the end of a
// run.
//
//===----------------------------------------------------------------------===//

#include "Versions.h"

#include <string_view>

using namespace pkgindex;

static bool isDigit(char C) { return C >= '0' && C <= '9'; }

static bool isLetter(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z');
}

/// The rank of a character among those that are not digits.
static int rank(char C) {
  if (C == '~')
    return -1;
  if (isLetter(C))
    return C;
  return static_cast<unsigned char>(C) + 256;
}

static int rankAt(std::string_view Text, size_t Pos) {
  if (Pos == Text.size() || isDigit(Text[Pos]))
    return 0;
  return rank(Text[Pos]);
}

static int comparePart(std::string_view A, std::string_view B) {
  size_t I = 0, J = 0;
  while (I < A.size() || J < B.size()) {
    while ((I < A.size() && !isDigit(A[I])) ||
           (J < B.size() && !isDigit(B[J]))) {
      int Difference = rankAt(A, I) - rankAt(B, J);
      if (Difference != 0)
        return Difference;
      ++I;
      ++J;
    }
    while (I < A.size() && A[I] == '0')
      ++I;
    while (J < B.size() && B[J] == '0')
      ++J;
    int FirstDifference = 0;
    while (I < A.size() && J < B.size() && isDigit(A[I]) && isDigit(B[J])) {
      if (FirstDifference == 0)
        FirstDifference = A[I] - B[J];
      ++I;
      ++J;
    }
    if (I < A.size() && isDigit(A[I]))
      return 1;
    if (J < B.size() && isDigit(B[J]))
      return -1;
    if (FirstDifference != 0)
      return FirstDifference;
  }
  return 0;
}

namespace {
struct VersionParts {
  std::string_view Epoch = "0", Upstream, Revision;
};
} // namespace

static VersionParts split(const char *Version) {
  const char *Start = Version, *Dash = nullptr, *End = Version;
  VersionParts Parts;
  for (; *End != '\0'; ++End) {
    if (*End == ':' && Start == Version) {
      Parts.Epoch = std::string_view(Version, End - Version);
      Start = End + 1;
    } else if (*End == '-') {
      Dash = End;
    }
  }
  if (Dash == nullptr || Dash < Start)
    Dash = End;
  else
    Parts.Revision = std::string_view(Dash + 1, End - Dash - 1);
  Parts.Upstream = std::string_view(Start, Dash - Start);
  return Parts;
}

int pkgindex::compareVersions(const char *A, const char *B) {
  VersionParts PartsA = split(A), PartsB = split(B);
  if (int Order = comparePart(PartsA.Epoch, PartsB.Epoch))
    return Order;
  if (int Order = comparePart(PartsA.Upstream, PartsB.Upstream))
    return Order;
  return comparePart(PartsA.Revision, PartsB.Revision);
}

bool pkgindex::satisfies(const char *Version, VersionTest Test,
                         const char *Limit) {
  if (Test == VersionTest::Any)
    return true;
  int Order = compareVersions(Version, Limit);
  switch (Test) {
  case VersionTest::Less:
    return Order < 0;
  case VersionTest::LessOrEqual:
    return Order <= 0;
  case VersionTest::Equal:
    return Order == 0;
  case VersionTest::GreaterOrEqual:
    return Order >= 0;
  case VersionTest::Greater:
    return Order > 0;
  case VersionTest::Any:
    break;
  }
  return true;
}
