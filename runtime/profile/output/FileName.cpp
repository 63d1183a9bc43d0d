//===- profile/output/FileName.cpp - Patterns in profile names ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileName.h"

using namespace thermocline::runtime;

/// Appends at most \p MaxBytes of the build id. \returns false if there is
/// none.
static bool appendBuildId(const NameParts &Parts, size_t MaxBytes,
                          FixedString &Name) {
  constexpr char Digits[] = "0123456789abcdef";
  for (size_t I = 0; I != Parts.BuildIdBytes && I != MaxBytes; ++I) {
    Name.append(&Digits[Parts.BuildId[I] >> 4], 1);
    Name.append(&Digits[Parts.BuildId[I] & 15], 1);
  }
  return Parts.BuildIdBytes != 0;
}

/// Appends the name of a host or program, which is no path, without slashes.
static void appendWithoutSlashes(const char *Text, FixedString &Name) {
  for (; *Text; ++Text)
    Name.append(*Text == '/' ? "_" : Text, 1);
}

bool thermocline::runtime::expandFileName(const char *Pattern,
                                          const NameParts &Parts,
                                          FixedString &Name, bool &Continuous,
                                          TextWriter &Error) {
  Name.clear();
  bool HasProcessId = false, HasBuildId = true;
  for (; *Pattern; ++Pattern) {
    if (*Pattern != '%') {
      Name.append(Pattern, 1);
      continue;
    }
    const char *Begin = Pattern++;
    if (*Pattern >= '1' && *Pattern <= '9' && Pattern[1] == 'm')
      ++Pattern;
    switch (*Pattern) {
    case '%':
      Name << "%";
      break;
    case 'p':
      Name << Parts.ProcessId;
      HasProcessId = true;
      break;
    case 'h':
      appendWithoutSlashes(Parts.HostName, Name);
      break;
    case 'm':
      HasBuildId = appendBuildId(Parts, 8, Name);
      break;
    case 'b':
      HasBuildId = appendBuildId(Parts, SIZE_MAX, Name);
      break;
    case 't':
      if (!Parts.TemporaryDirectory || !*Parts.TemporaryDirectory) {
        Error << "has %t, but TMPDIR is not set";
        return false;
      }
      Name << Parts.TemporaryDirectory;
      break;
    case 'c':
      Continuous = true;
      break;
    default:
      Error << "has the unknown pattern ";
      Error.write(Begin, *Pattern ? 2 : 1)
          << " (known are %p, %h, %m, %b, %t, %c and %%)";
      return false;
    }
    if (!HasBuildId) {
      Error << "has ";
      Error.write(Begin, 2) << ", but the program has no build id";
      return false;
    }
  }
  if (Name.empty()) {
    Error << "names no file";
    return false;
  }
  if (Parts.ProgramName) {
    Name << ".";
    appendWithoutSlashes(Parts.ProgramName, Name);
  }
  if (!HasProcessId)
    Name << "." << Parts.ProcessId;
  appendWithoutSlashes(Parts.Suffix, Name);
  if (Name.overflowed()) {
    Error << "is too long";
    return false;
  }
  return true;
}

/// Whether the name that ends at \p End is like \p Pattern, which ends at \p
/// PatternEnd. The last '*' takes as little as it can, and more if what follows
/// does not fit.
static bool isLike(const char *Name, const char *Pattern,
                   const char *PatternEnd) {
  const char *Star = nullptr, *Behind = nullptr;
  while (*Name) {
    if (Pattern != PatternEnd && *Pattern == '*') {
      Star = ++Pattern;
      Behind = Name;
    } else if (Pattern != PatternEnd && *Pattern == *Name) {
      ++Pattern;
      ++Name;
    } else if (Star) {
      Pattern = Star;
      Name = ++Behind;
    } else {
      return false;
    }
  }
  while (Pattern != PatternEnd && *Pattern == '*')
    ++Pattern;
  return Pattern == PatternEnd;
}

bool thermocline::runtime::isListed(const char *Name, const char *List) {
  auto IsSeparator = [](char C) { return C == ' ' || C == ',' || C == ':'; };
  while (*List) {
    const char *End = List;
    while (*End && !IsSeparator(*End))
      ++End;
    if (End != List && isLike(Name, List, End))
      return true;
    List = *End ? End + 1 : End;
  }
  return false;
}
