//===- Profile/CallTable.h - The calls that the source had ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context names a call by its line and column alone. When the source is
// edited, another call may come to stand there. So the build that is profiled
// writes down all calls that each function has in the source, in their order,
// with what they call and the text of their line. The two lists of a function,
// of then and of now, tell which call became which (Annotate/Edits).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_CALLTABLE_H
#define THERMOCLINE_PROFILE_CALLTABLE_H

#include "thermocline/Profile/NameKeys.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace thermocline::profile {

/// A call as the source has it.
struct SourceCall {
  /// Lines after the function's own line. Negative if the call is above it, as
  /// #line and included files make it.
  int32_t Line = 0;
  uint32_t Column = 0;
  /// What it calls: the GUID of the function's name, for a local function of
  /// its name without what makes it unique in the link. 0 if it is called
  /// through a pointer.
  uint64_t Callee = 0;
  /// A hash of its statement without the name that is called, see
  /// Callsites/CallText.h. 0 if the source could not be read; then nothing else
  /// is known of the text either.
  uint32_t Text = 0;
  /// A hash of what stands in front of the call in there; 0 if nothing does.
  uint32_t Left = 0;
  /// A hash of what the result is stored in, or of "return". 0 if neither.
  uint32_t Target = 0;
  /// In Target: it is a member, an element, or behind a pointer.
  static constexpr uint32_t PathBit = uint32_t(1) << 31;
  /// A hash of the conditions, loops and cases that it is in; 0 if there are
  /// none.
  uint16_t Guard = 0;
  /// Hashes of what must hold where it is, however that is written, and of what
  /// the macros there stand for; sorted, none twice.
  std::vector<uint16_t> Conditions = {};
  /// Those of Conditions which tell what variables among its arguments are, if
  /// they are set to what chooses: a place, a small number, `true`.
  std::vector<uint16_t> Given = {};
  /// If the result is stored in a variable, hashes of where that goes next;
  /// sorted, none twice.
  std::vector<uint16_t> Sinks = {};
  /// The highest bits of a sink: a function takes it; it is stored or returned;
  /// another one is under a condition; it is exchanged for something.
  static constexpr uint16_t SinkKind = 3 << 14;
  static constexpr uint16_t SinkTaken = 0;
  static constexpr uint16_t SinkStored = 1 << 14;
  static constexpr uint16_t SinkUnder = 2 << 14;
  static constexpr uint16_t SinkExchanged = 3 << 14;
  /// The sink of `return p;`.
  static constexpr uint16_t SinkReturned = SinkStored;
  /// If the result alone is stored in what is no variable of the function, the
  /// sink that this is of a variable: of `Grid[i] = p;` for `Grid[i] =
  /// make(n);`. Else 0.
  uint16_t StoredAs = 0;
  /// Hashes of the other names, strings and numbers of the statement, without
  /// what is called; sorted, none twice.
  std::vector<uint16_t> Words = {};
  static constexpr size_t MaxWords = 15;
  /// In a word: it is a number that only tells how much.
  static constexpr uint16_t AmountBit = uint16_t(1) << 15;
  /// Hashes of the arguments of the call, and of what is around it without what
  /// the result is stored in, each in order: of what stands between commas,
  /// parentheses and braces. Numbers that only tell how much count as one.
  std::vector<uint16_t> Arguments = {};
  std::vector<uint16_t> Around = {};
  static constexpr size_t MaxPieces = 15;
  /// Its function returns the result.
  bool IsReturned = false;
  /// What is called, see NameKeys::Base; 0 for what has no mangled name.
  uint32_t Base = 0;
  /// A hash of all this that is known of the text, as it is if local variables
  /// are called by their types and which of these they are in the function. So
  /// it stays when some are renamed. 0 if the text is not known.
  uint32_t Nameless = 0;

  auto operator<=>(const SourceCall &) const = default;
};

/// The calls of a function, by line and column. Those of one place, as of a
/// macro, are in the order in which the compiler made them.
struct SourceFunction {
  llvm::GlobalValue::GUID Function = 0;
  /// For a local function, the GUID of its name without what makes it unique in
  /// the link; else 0.
  uint64_t Local = 0;
  /// A hash of the name of the file that it is in, without directories.
  uint32_t File = 0;
  std::vector<SourceCall> Calls;
  NameKeys Name = {};
  /// Hashes of the names of its variables, in the order of their declarations,
  /// none twice. Empty if the source could not be read.
  std::vector<uint16_t> Locals = {};

  /// What calls of it have as callee.
  uint64_t calledBy() const { return Local ? Local : Function; }
  auto operator<=>(const SourceFunction &) const = default;
};

/// Writes \p F as programs and profiles hold it.
void encode(const SourceFunction &F, llvm::raw_ostream &OS);

/// A hash of what the calls of \p F are and of its file, whatever their places.
uint32_t digestOf(const SourceFunction &F);

/// A hash of what is known of the text of \p Call; not 0.
uint32_t digestOf(const SourceCall &Call);

/// SourceCall::Callee for the function \p Name.
uint64_t calleeKey(llvm::StringRef Name);

/// The functions of a profile, by GUID. One name may stand for several
/// functions: the entry of each plugin of a process, or one function before and
/// after an edit, in profiles that were merged. These are its versions.
class CallTable {
public:
  /// A function of more versions is ambiguous: none of them is known.
  static constexpr size_t MaxVersions = 8;

  bool empty() const { return Names.empty(); }

  /// The bytes of all contexts of the profile that are cold by the default
  /// thresholds; known to what was read from a profile.
  uint64_t ColdBytes = 0;
  /// The stack ids of calls through which many contexts go, cold ones and
  /// others, see Indexed/CommonCalls.h; known to what was read from a profile.
  std::set<uint64_t> CommonCalls;

  /// Adds the functions of a program's section. Returns an error if it is
  /// damaged.
  llvm::Error addSection(llvm::StringRef Contents);
  /// Adds a function, as a new version if it is known with other calls.
  void add(const SourceFunction &Added);
  void add(const CallTable &Other);

  /// All versions of a function, sorted. There are none if its calls are not
  /// known.
  llvm::ArrayRef<SourceFunction>
  versions(llvm::GlobalValue::GUID Function) const;
  /// The function, if it has one version; else null.
  const SourceFunction *lookup(llvm::GlobalValue::GUID Function) const;
  /// Whether the function had different calls, which are not known: there were
  /// too many versions, or the profile is of the time when none were kept.
  bool isAmbiguous(llvm::GlobalValue::GUID Function) const {
    return Ambiguous.contains(Function);
  }
  /// Whether the program had the function, with or without contexts.
  bool hadFunction(llvm::GlobalValue::GUID Function) const {
    return Names.contains(shortName(Function));
  }
  /// Whether the program had \p F without contexts, with these calls; or had a
  /// function whose calls are not known.
  bool hadUnprofiled(const SourceFunction &F) const;
  /// By GUID, the versions of each function.
  const std::map<llvm::GlobalValue::GUID, std::vector<SourceFunction>> &
  functions() const {
    return Functions;
  }

  /// Appends it to \p File, an indexed profile, with the calls of those
  /// functions that are \p Wanted, and of all others a digest.
  void appendTo(std::string &File,
                llvm::function_ref<bool(llvm::GlobalValue::GUID)> Wanted) const;
  /// What appendTo() put into \p Contents; an empty table if there is nothing.
  /// Errors do not name the file.
  static llvm::Expected<CallTable> readFrom(llvm::StringRef Contents);

private:
  static uint32_t shortName(llvm::GlobalValue::GUID Function) {
    return static_cast<uint32_t>(Function);
  }
  std::string
  encode(llvm::function_ref<bool(llvm::GlobalValue::GUID)> Wanted) const;
  static llvm::Expected<CallTable> decode(llvm::StringRef Bytes);

  /// The versions of each are sorted.
  std::map<llvm::GlobalValue::GUID, std::vector<SourceFunction>> Functions;
  /// See isAmbiguous(). No such function is in Functions.
  std::set<llvm::GlobalValue::GUID> Ambiguous;
  /// The lower halves of the GUIDs of all functions of the program.
  std::set<uint32_t> Names;
  /// By these, digests of the calls of functions that are not in Functions, one
  /// for each version.
  std::set<std::pair<uint32_t, uint32_t>> Digests;
};

} // namespace thermocline::profile

#endif
