//===- Support/RustNames.cpp - Names of Rust ------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

/// The crate of the compiler's own functions, as the mangling has it.
static constexpr StringLiteral Crate = "_7___rustc";

/// Divides a mangled name of that crate, which ends with the length of the
/// function's name, an underline and the name. Both are empty for other names.
static std::pair<StringRef, StringRef> divide(StringRef Symbol) {
  const size_t Pos = Symbol.find(Crate);
  if (!Symbol.starts_with("_RNvCs") || Pos == StringRef::npos)
    return {};
  StringRef Name = Symbol.drop_front(Pos + Crate.size());
  size_t Length;
  if (Name.consumeInteger(10, Length) || !Name.consume_front("_") ||
      Name.size() != Length)
    return {};
  return {Symbol.take_front(Pos + Crate.size()), Name};
}

StringRef thermocline::rustcName(StringRef Symbol) {
  const StringRef Name = divide(Symbol).second;
  return Name.empty() ? Symbol : Name;
}

static bool isAny(StringRef Name, StringRef Prefix) {
  return Name.consume_front(Prefix) &&
         (Name == "alloc" || Name == "alloc_zeroed" || Name == "realloc");
}

bool thermocline::isRustAllocator(StringRef Symbol) {
  return isAny(rustcName(Symbol), "__rust_");
}

bool thermocline::isRustDefaultAllocator(StringRef Symbol) {
  return isAny(rustcName(Symbol), "__rdl_");
}

bool thermocline::isRustColdVariant(StringRef Symbol) {
  return Symbol.consume_back("_cold") && isAny(Symbol, "__rust_");
}

std::string thermocline::rustOwnAllocator(StringRef Allocator) {
  constexpr StringLiteral Own = "__rg_alloc";
  const StringRef Mangled = divide(Allocator).first;
  if (Mangled.empty())
    return Own.str();
  return (Mangled + utostr(Own.size()) + "_" + Own).str();
}

/// The character that the older mangling writes as $Code$; 0 for none.
static char characterOf(StringRef Code) {
  static constexpr std::pair<StringLiteral, char> Known[] = {
      {"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'},
      {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}};
  for (const auto &[Name, Character] : Known)
    if (Name == Code)
      return Character;
  unsigned Value;
  if (Code.consume_front("u") && !Code.getAsInteger(16, Value) &&
      Value < 0x80 && isPrint(static_cast<char>(Value)))
    return static_cast<char>(Value);
  return 0;
}

/// What the older mangling of Rust escapes in \p Name, unescaped. A part of the
/// path that begins with an escape has an underline before it.
static std::string unescape(StringRef Name) {
  std::string Result;
  bool IsBegin = true;
  while (!Name.empty()) {
    if (IsBegin && Name.starts_with("_$"))
      Name = Name.drop_front();
    IsBegin = Name.consume_front("::");
    if (IsBegin || Name.consume_front("..")) {
      Result += "::";
      continue;
    }
    if (const size_t End = Name.find('$', 1);
        Name.front() == '$' && End != StringRef::npos)
      if (const char Is = characterOf(Name.slice(1, End))) {
        Result += Is;
        Name = Name.drop_front(End + 1);
        continue;
      }
    Result += Name.front();
    Name = Name.drop_front();
  }
  return Result;
}

std::string thermocline::demangled(StringRef Symbol) {
  std::string Result = demangle(Symbol);
  // The number is a hash of the crate and the types.
  constexpr size_t HashLength = 3 + 16;
  if (!Symbol.starts_with("_ZN") || Result.size() <= HashLength)
    return Result;
  StringRef Hash = StringRef(Result).take_back(HashLength);
  if (!Hash.consume_front("::h") || !all_of(Hash, isHexDigit))
    return Result;
  return unescape(StringRef(Result).drop_back(HashLength));
}
