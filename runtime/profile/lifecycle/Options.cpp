//===- profile/lifecycle/Options.cpp - MEMPROF_OPTIONS --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "SignalNames.h"
#include "platform/Files.h"
#include "platform/System.h"

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
                        bool IsPowerOfTwo, uint64_t &Result) {
  uint64_t Number = 0;
  for (size_t I = 0; I != Value.Size; ++I) {
    if (Value.Begin[I] < '0' || Value.Begin[I] > '9' || Number > Max)
      return false;
    Number = Number * 10 + static_cast<uint64_t>(Value.Begin[I] - '0');
  }
  if (!Value.Size || Number < Min || Number > Max)
    return false;
  if (IsPowerOfTwo && !isPowerOfTwo(Number))
    return false;
  Result = Number;
  return true;
}

namespace {
enum class Outcome { Set, UnknownName, BadValue, NoMeaning };
} // namespace

static Outcome parseSignal(Span Value, int &Result) {
  int Number = signalNumber(Value.Begin, Value.Size);
  if (!Number)
    return Outcome::BadValue;
  Result = Number;
  return Outcome::Set;
}

//===-- The options -------------------------------------------------------===//

namespace {

struct BooleanOption {
  const char *Name;
  bool Options::*Target;
  const char *Meaning;
};
constexpr BooleanOption Booleans[] = {
    {"dump_at_exit", &Options::DumpAtExit,
     "write a profile when the program ends"},
    {"dump_on_signal", &Options::DumpOnSignal,
     "also when a signal ends the program"},
    {"continuous", &Options::Continuous,
     "keep a valid profile in the file all the time"},
    {"fold_recursion", &Options::FoldRecursion,
     "leave out of contexts what recursion repeats"},
    {"unwind_tables", &Options::UnwindTables,
     "step out of code without frame pointers by its unwind tables"},
    {"print_text", &Options::PrintText, "text instead of the raw format"},
    {"print_terse", &Options::PrintTerse, "one line a context in the text"},
    {"allocator_frees_and_returns_null_on_realloc_zero",
     &Options::ReallocZeroFrees, "realloc(p, 0) frees"},
    {"count_like_llvm", &Options::CountLikeLlvm,
     "read and clear counters as LLVM's runtime does"},
    {"touch_windows", &Options::TouchWindows,
     "record when memory is touched, not only how often"},
    {"page_touches", &Options::PageTouches,
     "tell by the page table when memory is touched, in programs that are not "
     "instrumented"},
    {"standby", &Options::Standby,
     "record nothing until thermocline record --live --pid asks for it, in "
     "programs that are not instrumented"},
    {"deepbind", &Options::DeepBind,
     "let plugins be loaded with RTLD_DEEPBIND"},
    {"test_clock", &Options::TestClock,
     "for tests: time passes only by __thermocline_pass_time()"},
    {"log_exe_name", &Options::LogExeName,
     "add the program's name to that of the profile"},
    {"atexit", &Options::StatisticsAtExit,
     "say at the end how much was allocated"},
    {"help", &Options::Help, "print this list"},
};

struct NumberOption {
  const char *Name;
  uint64_t Min, Max;
  uint64_t Options::*Target;
  const char *Meaning;
  bool IsPowerOfTwo = false;
};
constexpr NumberOption Numbers[] = {
    {"malloc_context_size", 1, Options::MaxContextSize,
     &Options::MallocContextSize, "calls kept of a context"},
    {"max_contexts", 1, Options::ContextLimit, &Options::MaxContexts,
     "contexts kept; all others are one"},
    {"max_depot_mb", 1, Options::DepotLimitMegabytes,
     &Options::MaxDepotMegabytes, "memory that contexts may take, in MiB"},
    {"sample", 1, Options::MaxSampleInterval, &Options::SampleInterval,
     "record one of so many allocations"},
    {"sync_interval_ms", 1, Options::MaxSyncIntervalMs,
     &Options::SyncIntervalMs,
     "the longest time between two writings in continuous mode"},
    {"page_kib", LeastPageBytes / 1024, MostPageBytes / 1024, &Options::PageKib,
     "count touches for pages of so many KiB, a power of two; at first: those "
     "of this kernel",
     /*IsPowerOfTwo=*/true},
    {"touch_cost", 1, Options::MaxTouchCost, &Options::TouchCost,
     "with page_touches=1, thousandths of the processor time that it may take"},
    {"verbosity", 0, Options::MaxVerbosity, &Options::Verbosity,
     "1: say where the profile was written"},
};

struct TextOption {
  const char *Name;
  FixedString Options::*Target;
  const char *Meaning;
};
constexpr TextOption Texts[] = {
    {"log_path", &Options::LogPath,
     "the profile's name, with patterns; or stdout, stderr"},
    {"log_suffix", &Options::LogSuffix, "added at the end of that name"},
    {"programs", &Options::Programs,
     "names of the programs that write profiles, with * for any text"},
};

struct SignalOption {
  const char *Name;
  int Options::*Target;
  const char *Meaning;
};
constexpr SignalOption SignalOptions[] = {
    {"dump_signal", &Options::DumpSignal,
     "a signal that writes the profile up to now"},
    {"reset_signal", &Options::ResetSignal, "a signal that begins a new round"},
};

/// Names of files to read options from; the second need not exist.
constexpr char Include[] = "include", IncludeIfExists[] = "include_if_exists";

/// Options of LLVM's runtime for things that this one does not do: reports,
/// symbols, checks, and functions of its own in place of libc's.
constexpr const char *LlvmOnly[] = {
    "abort_on_error",
    "allocator_may_return_null",
    "allocator_release_to_os_interval_ms",
    "allow_addr2line",
    "allow_user_segv_handler",
    "can_use_proc_maps_statm",
    "check_printf",
    "clear_shadow_mmap_threshold",
    "cloak_sanitizer_signal_handlers",
    "color",
    "compress_stack_depot",
    "cov_8bit_counters_out",
    "cov_pcs_out",
    "coverage",
    "coverage_dir",
    "decorate_proc_maps",
    "dedup_token_length",
    "demangle",
    "detect_deadlocks",
    "detect_invalid_join",
    "detect_leaks",
    "detect_write_exec",
    "disable_coredump",
    "dump_instruction_bytes",
    "dump_registers",
    "enable_symbolizer_markup",
    "exitcode",
    "external_symbolizer_path",
    "fast_unwind_on_check",
    "fast_unwind_on_fatal",
    "fast_unwind_on_malloc",
    "full_address_space",
    "halt_on_error",
    "handle_abort",
    "handle_ioctl",
    "handle_segv",
    "handle_sigbus",
    "handle_sigfpe",
    "handle_sigill",
    "handle_sigtrap",
    "hard_rss_limit_mb",
    "heap_profile",
    "html_cov_report",
    "intercept_intrin",
    "intercept_memcmp",
    "intercept_memmem",
    "intercept_send",
    "intercept_stat",
    "intercept_strchr",
    "intercept_strcmp",
    "intercept_strlen",
    "intercept_strndup",
    "intercept_strpbrk",
    "intercept_strspn",
    "intercept_strstr",
    "intercept_strtok",
    "intercept_tls_get_addr",
    "leak_check_at_exit",
    "legacy_pthread_cond",
    "log_fallback_to_stderr",
    "log_to_syslog",
    "max_allocation_size_mb",
    "mmap_limit_mb",
    "no_huge_pages_for_shadow",
    "print_cmdline",
    "print_full_thread_history",
    "print_legend",
    "print_module_map",
    "print_summary",
    "print_suppressions",
    "protect_shadow_gap",
    "sancov_path",
    "soft_rss_limit_mb",
    "stack_trace_format",
    "strict_memcmp",
    "strict_string_checks",
    "strip_env",
    "strip_path_prefix",
    "suppress_equal_pcs",
    "symbolize",
    "symbolize_inline_frames",
    "symbolize_vs_style",
    "test_only_emulate_no_memorymap",
    "test_only_replace_dlopen_main_program",
    "unmap_shadow_on_exit",
    "use_madv_dontdump",
    "use_sigaltstack",
    "verify_interceptors",
};

} // namespace

static bool isLlvmOnly(Span Name) {
  for (const char *Known : LlvmOnly)
    if (Name.is(Known))
      return true;
  return false;
}

static bool setText(FixedString &Target, Span Value) {
  Target.clear();
  Target.append(Value.Begin, Value.Size);
  return Value.Size && !Target.overflowed();
}

static Outcome setOption(Options &O, Span Name, Span Value) {
  auto Result = [](bool IsGood) {
    return IsGood ? Outcome::Set : Outcome::BadValue;
  };
  for (const BooleanOption &Known : Booleans)
    if (Name.is(Known.Name))
      return Result(parseBool(Value, O.*Known.Target));
  for (const NumberOption &Known : Numbers)
    if (Name.is(Known.Name))
      return Result(parseNumber(Value, Known.Min, Known.Max, Known.IsPowerOfTwo,
                                O.*Known.Target));
  for (const SignalOption &Known : SignalOptions)
    if (Name.is(Known.Name))
      return parseSignal(Value, O.*Known.Target);
  for (const TextOption &Known : Texts)
    if (Name.is(Known.Name))
      return Result(setText(O.*Known.Target, Value));
  return isLlvmOnly(Name) ? Outcome::NoMeaning : Outcome::UnknownName;
}

void Options::describe(TextWriter &Out) const {
  Out << "Thermocline: options in MEMPROF_OPTIONS, as name=value separated by "
         "':'\n";
  auto Line = [&](const char *Name, const char *Meaning) -> TextWriter & {
    return Out << "  " << Name << ": " << Meaning << " (now ";
  };
  for (const BooleanOption &Known : Booleans)
    Line(Known.Name, Known.Meaning) << uint64_t(this->*Known.Target) << ")\n";
  for (const NumberOption &Known : Numbers)
    Line(Known.Name, Known.Meaning)
        << this->*Known.Target << ", from " << Known.Min << " to " << Known.Max
        << ")\n";
  for (const SignalOption &Known : SignalOptions)
    Line(Known.Name, Known.Meaning)
        << static_cast<uint64_t>(this->*Known.Target) << ")\n";
  for (const TextOption &Known : Texts)
    Line(Known.Name, Known.Meaning)
        << "'" << (this->*Known.Target).text() << "')\n";
  Out << "  " << Include << ", " << IncludeIfExists
      << ": a file with more options; the second need not exist\n";
}

//===-- Their text --------------------------------------------------------===//

void Options::include(const char *Path, bool MustExist, const char *Source,
                      TextWriter &Errors, FixedString &WithoutMeaning,
                      unsigned Depth) {
  constexpr unsigned MaxDepth = 8;
  size_t Size, MappedSize;
  char *Text =
      Depth == MaxDepth ? nullptr : sys::readFile(Path, Size, MappedSize);
  if (Text) {
    parse(Text, Path, Errors, WithoutMeaning, Depth + 1);
    sys::unmapPages(Text, MappedSize);
  } else if (MustExist || Depth == MaxDepth) {
    Errors << "Thermocline: " << Source << ": options cannot be read from '"
           << Path << "'"
           << (Depth == MaxDepth ? ", as files include each other" : "")
           << "\n";
  }
}

void Options::parse(const char *Text, const char *Source, TextWriter &Errors) {
  FixedString WithoutMeaning;
  parse(Text, Source, Errors, WithoutMeaning, 0);
  if (!WithoutMeaning.empty())
    Errors << "Thermocline: " << Source
           << ": without meaning here, as options of LLVM's runtime: "
           << WithoutMeaning.text() << "\n";
}

void Options::parse(const char *Text, const char *Source, TextWriter &Errors,
                    FixedString &WithoutMeaning, unsigned Depth) {
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
    if (Name.is(Include) || Name.is(IncludeIfExists)) {
      FixedString Path;
      Path.append(Value.Begin, Value.Size);
      include(Path.text(), Name.is(Include), Source, Errors, WithoutMeaning,
              Depth);
      continue;
    }
    switch (setOption(*this, Name, Value)) {
    case Outcome::Set:
      break;
    case Outcome::NoMeaning:
      if (!WithoutMeaning.empty())
        WithoutMeaning << ", ";
      WithoutMeaning.append(Name.Begin, Name.Size);
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
