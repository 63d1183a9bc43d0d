//===- alloc/heap/Settings.cpp - What the user sets by name ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"
#include "Print.h"
#include "thermocline/alloc.h"
#include <cstdlib>
#include <cstring>

using namespace thermocline::alloc;

// Null in programs that do not define it.
#pragma weak thermocline_alloc_options
/// The options from links that choose by a profile
/// (thermocline/Format/Symbols.h). It is the text itself.
extern "C" [[gnu::weak]] const char thermocline_alloc_options_of_link[];

namespace {

struct Names {
  const char *Variable; ///< Null if no variable is read here.
  const char *Option;
};
/// In the order of SettingName.
constexpr Names AllNames[] = {
    {"THERMOCLINE_ALLOC_COLD_ADVICE", "cold_advice"},
    {"THERMOCLINE_ALLOC_COLD_MIB", "cold_mib"},
    {"THERMOCLINE_ALLOC_COLD_NODES", "cold_nodes"},
    {"THERMOCLINE_ALLOC_HUGE_PAGES", "huge_pages"},
    {nullptr, "malloc_conf"},
    {"THERMOCLINE_ALLOC_ORDER", "order"},
};

const char *optionsOfProgram() {
  const char **Options = &thermocline_alloc_options;
  return Options && *Options ? *Options : "";
}

const char *optionsOfLink() {
  return thermocline_alloc_options_of_link ? thermocline_alloc_options_of_link
                                           : "";
}

/// The next item of options, which spaces part.
struct Item {
  const char *Start;
  size_t Bytes;

  /// \returns whether there is one more, which it moves to.
  bool next() {
    Start += Bytes;
    Start += strspn(Start, " ");
    Bytes = strcspn(Start, " ");
    return Bytes != 0;
  }
  bool isCalled(const char *Option) const {
    size_t Length = strlen(Option);
    return Bytes > Length && strncmp(Start, Option, Length) == 0 &&
           Start[Length] == '=';
  }
};

} // namespace

Setting::Setting(SettingName Name) : Name(Name) {
  const Names &N = AllNames[static_cast<size_t>(Name)];
  const char *Text = N.Variable ? secure_getenv(N.Variable) : nullptr;
  if (Text && *Text) {
    Value = Text;
    return;
  }
  // What the program itself says comes last, and counts.
  readOptions(N.Option, optionsOfLink());
  readOptions(N.Option, optionsOfProgram());
}

void Setting::readOptions(const char *Option, const char *Options) {
  for (Item I = {Options, 0}; I.next();) {
    if (!I.isCalled(Option))
      continue;
    size_t Before = strlen(Option) + 1, Bytes = I.Bytes - Before;
    if (Bytes >= sizeof(Copy)) {
      printLine(
          "thermocline-alloc: error: thermocline_alloc_options: %s is too "
          "long",
          Option);
      continue;
    }
    memcpy(Copy, I.Start + Before, Bytes);
    Copy[Bytes] = '\0';
    Value = Bytes ? Copy : nullptr;
    IsPrograms = true;
  }
}

void Setting::refuse(const char *Complaint) const {
  const Names &N = AllNames[static_cast<size_t>(Name)];
  printLine("thermocline-alloc: error: %s%s=%s %s",
            IsPrograms ? "thermocline_alloc_options: " : "",
            IsPrograms ? N.Option : N.Variable, Value, Complaint);
}

void thermocline::alloc::reportUnknownSettings() {
  for (Item I = {optionsOfProgram(), 0}; I.next();) {
    bool IsKnown = false;
    for (const Names &N : AllNames)
      IsKnown |= I.isCalled(N.Option);
    if (!IsKnown)
      printLine(
          "thermocline-alloc: error: thermocline_alloc_options: no option "
          "'%.*s'",
          static_cast<int>(I.Bytes < 100 ? I.Bytes : 100), I.Start);
  }
}
