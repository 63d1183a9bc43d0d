//===- Support/RustNames.cpp - Names of Rust's allocator ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

/// The crate of the compiler's own functions, as the mangling has it.
static constexpr StringLiteral Crate = "_7___rustc";

/// Divides a mangled name of that crate, which ends with the length of the
/// function's name, an underline and the name. Both are empty for other names.
static std::pair<StringRef, StringRef> divide(StringRef Symbol) {
  const size_t At = Symbol.find(Crate);
  if (!Symbol.starts_with("_RNvCs") || At == StringRef::npos)
    return {};
  StringRef Name = Symbol.drop_front(At + Crate.size());
  size_t Length;
  if (Name.consumeInteger(10, Length) || !Name.consume_front("_") ||
      Name.size() != Length)
    return {};
  return {Symbol.take_front(At + Crate.size()), Name};
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
