//===- lto/link/LinkLine.cpp - A linker's command line --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkLine.h"
#include <optional>

using namespace llvm;
using namespace thermocline::lto;

/// Options of lld whose value may be the next word. It may well be the name of
/// a file that is there, as that of -soname. With two dashes or one,
static constexpr StringLiteral Long[] = {"Map",
                                         "Tbss",
                                         "Tdata",
                                         "Ttext",
                                         "Ttext-segment",
                                         "auxiliary",
                                         "call-graph-ordering-file",
                                         "chroot",
                                         "compress-debug-sections",
                                         "compress-sections",
                                         "default-script",
                                         "defsym",
                                         "dependency-file",
                                         "dynamic-linker",
                                         "dynamic-list",
                                         "entry",
                                         "error-handling-script",
                                         "error-limit",
                                         "exclude-libs",
                                         "export-dynamic-symbol",
                                         "export-dynamic-symbol-list",
                                         "filter",
                                         "fini",
                                         "format",
                                         "hash-style",
                                         "image-base",
                                         "in-implib",
                                         "init",
                                         "irpgo-profile",
                                         "just-symbols",
                                         "keep-unique",
                                         "library",
                                         "library-path",
                                         "load-pass-plugin",
                                         "lto-known-safe-vtables",
                                         "mllvm",
                                         "oformat",
                                         "opt-remarks-filename",
                                         "opt-remarks-format",
                                         "opt-remarks-hotness-threshold",
                                         "opt-remarks-passes",
                                         "orphan-handling",
                                         "out-implib",
                                         "output",
                                         "pack-dyn-relocs",
                                         "plugin",
                                         "plugin-opt",
                                         "print-symbol-order",
                                         "remap-inputs",
                                         "reproduce",
                                         "require-defined",
                                         "retain-symbols-file",
                                         "rpath",
                                         "rpath-link",
                                         "rsp-quoting",
                                         "script",
                                         "section-start",
                                         "shuffle-sections",
                                         "soname",
                                         "sort-section",
                                         "split-stack-adjust-size",
                                         "symbol-ordering-file",
                                         "sysroot",
                                         "target2",
                                         "thinlto-cache-policy",
                                         "threads",
                                         "time-trace-granularity",
                                         "trace-symbol",
                                         "undefined",
                                         "undefined-glob",
                                         "unresolved-symbols",
                                         "version-script",
                                         "warn-backrefs-exclude",
                                         "why-live",
                                         "wrap"};
/// and with one.
static constexpr StringLiteral Short[] = {"F", "G",  "L", "O", "R", "T",
                                          "b", "dT", "e", "f", "h", "l",
                                          "m", "o",  "u", "y", "z"};

/// The value that is attached to -l, -L or -o, unless \p Option, without its
/// dash, is one with a longer name: of these, linkers take the longest that
/// fits.
static std::optional<StringRef> attachedValue(StringRef Option) {
  StringRef Value = Option.drop_front();
  if (Value.empty())
    return std::nullopt;
  auto IsLonger = [&](ArrayRef<StringRef> Rests) {
    return any_of(Rests,
                  [&](StringRef Rest) { return Value.starts_with(Rest); });
  };
  switch (Option.front()) {
  case 'L':
    return Value;
  case 'l':
    return IsLonger({"ibrary=", "ibrary-path=", "to-", "oad-pass-plugin="}) ||
                   Value == "ibrary" || Value == "ibrary-path"
               ? std::nullopt
               : std::optional(Value);
  case 'o':
    return IsLonger({"magic", "format", "pt-remarks-", "rphan-handling",
                     "utput", "ut-implib"})
               ? std::nullopt
               : std::optional(Value);
  default:
    return std::nullopt;
  }
}

std::vector<LinkArgument>
thermocline::lto::readLinkLine(ArrayRef<const char *> Words,
                               ArrayRef<StringRef> WithValue) {
  std::vector<LinkArgument> Result;
  for (size_t I = 0; I != Words.size(); ++I) {
    LinkArgument &Argument = Result.emplace_back();
    Argument.Words = Words.slice(I, 1);
    StringRef Option = Words[I];
    const bool IsLong = Option.consume_front("--");
    if ((!IsLong && !Option.consume_front("-")) || Option.empty()) {
      Argument.Value = Words[I];
      continue;
    }
    if (auto Attached = IsLong ? std::nullopt : attachedValue(Option)) {
      Argument.Name = Option.take_front();
      Argument.Value = *Attached;
      Argument.HasValue = true;
      continue;
    }
    std::tie(Argument.Name, Argument.Value) = Option.split('=');
    Argument.HasValue = Option.contains('=');
    if (Argument.HasValue ||
        !(is_contained(Long, Argument.Name) ||
          (!IsLong && is_contained(Short, Argument.Name)) ||
          is_contained(WithValue, Argument.Name)))
      continue;
    if (I + 1 == Words.size()) {
      Argument.LacksValue = true;
      continue;
    }
    Argument.Words = Words.slice(I, 2);
    Argument.Value = Words[++I];
    Argument.HasValue = true;
  }
  return Result;
}
