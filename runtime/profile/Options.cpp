//===- profile/Options.cpp - MEMPROF_OPTIONS ------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "SignalNames.h"

using namespace thermocline::runtime;

namespace {

/// A part of the option string; not terminated.
struct Span {
  const char *Begin = nullptr;
  size_t Size = 0;
  bool is(const char *Text) const { return textEquals(Begin, Size, Text); }
};

} // namespace

static bool isSeparator(char C) {
  return C == ':' || C == ',' || C == ' ' || C == '\n' || C == '\t' ||
         C == '\r';
}

static bool parseBool(Span Value, bool &Result) {
  if (Value.is("1") || Value.is("true") || Value.is("yes"))
    Result = true;
  else if (Value.is("0") || Value.is("false") || Value.is("no"))
    Result = false;
  else
    return false;
  return true;
}

static bool parseNumber(Span Value, uint64_t Min, uint64_t Max,
                        uint64_t &Result) {
  uint64_t Number = 0;
  for (size_t I = 0; I != Value.Size; ++I) {
    if (Value.Begin[I] < '0' || Value.Begin[I] > '9' || Number > Max)
      return false;
    Number = Number * 10 + static_cast<uint64_t>(Value.Begin[I] - '0');
  }
  if (!Value.Size || Number < Min || Number > Max)
    return false;
  Result = Number;
  return true;
}

namespace {
enum class Outcome { Set, UnknownName, BadValue };
} // namespace

static Outcome parseSignal(Span Value, int &Result) {
  int Number = signalNumber(Value.Begin, Value.Size);
  if (!Number)
    return Outcome::BadValue;
  Result = Number;
  return Outcome::Set;
}

static Outcome setOption(Options &O, Span Name, Span Value) {
  struct {
    const char *Name;
    bool &Target;
  } Booleans[] = {
      {"dump_at_exit", O.DumpAtExit},
      {"dump_on_signal", O.DumpOnSignal},
      {"continuous", O.Continuous},
      {"fold_recursion", O.FoldRecursion},
      {"unwind_tables", O.UnwindTables},
      {"print_text", O.PrintText},
      {"print_terse", O.PrintTerse},
      {"allocator_frees_and_returns_null_on_realloc_zero", O.ReallocZeroFrees},
      {"count_like_llvm", O.CountLikeLlvm},
      {"verbosity", O.Verbose},
  };
  for (auto &[Known, Target] : Booleans)
    if (Name.is(Known))
      return parseBool(Value, Target) ? Outcome::Set : Outcome::BadValue;
  struct {
    const char *Name;
    uint64_t Min, Max;
    uint64_t &Target;
  } Numbers[] = {
      {"malloc_context_size", 1, Options::MaxContextSize, O.MallocContextSize},
      {"max_contexts", 1, Options::ContextLimit, O.MaxContexts},
      {"max_depot_mb", 1, Options::DepotLimitMegabytes, O.MaxDepotMegabytes},
      {"sample", 1, Options::MaxSampleInterval, O.SampleInterval},
      {"sync_interval_ms", 1, Options::MaxSyncIntervalMs, O.SyncIntervalMs},
  };
  for (auto &[Known, Min, Max, Target] : Numbers)
    if (Name.is(Known))
      return parseNumber(Value, Min, Max, Target) ? Outcome::Set
                                                  : Outcome::BadValue;
  if (Name.is("dump_signal"))
    return parseSignal(Value, O.DumpSignal);
  if (Name.is("reset_signal"))
    return parseSignal(Value, O.ResetSignal);
  if (Name.is("log_path")) {
    if (!Value.Size)
      return Outcome::BadValue;
    O.LogPath.clear();
    O.LogPath.append(Value.Begin, Value.Size);
    return O.LogPath.overflowed() ? Outcome::BadValue : Outcome::Set;
  }
  return Outcome::UnknownName;
}

void Options::parse(const char *Text, const char *Source, TextWriter &Errors) {
  while (*Text) {
    if (isSeparator(*Text)) {
      ++Text;
      continue;
    }
    Span Name = {Text, 0}, Value;
    while (*Text && *Text != '=' && !isSeparator(*Text))
      ++Text;
    Name.Size = static_cast<size_t>(Text - Name.Begin);
    if (*Text == '=') {
      ++Text;
      char Quote = *Text == '\'' || *Text == '"' ? *Text++ : 0;
      Value.Begin = Text;
      while (*Text && (Quote ? *Text != Quote : !isSeparator(*Text)))
        ++Text;
      Value.Size = static_cast<size_t>(Text - Value.Begin);
      if (Quote && *Text == Quote)
        ++Text;
    }
    switch (setOption(*this, Name, Value)) {
    case Outcome::Set:
      break;
    case Outcome::UnknownName:
      Errors << "Thermocline: " << Source << ": unknown option '";
      Errors.write(Name.Begin, Name.Size) << "', ignored\n";
      break;
    case Outcome::BadValue:
      Errors << "Thermocline: " << Source << ": option '";
      Errors.write(Name.Begin, Name.Size) << "' cannot be '";
      Errors.write(Value.Begin, Value.Size) << "', ignored\n";
      break;
    }
  }
}
