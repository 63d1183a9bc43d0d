//===- Support/RustNames.h - Names of Rust -------------------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All memory of a Rust program comes from three functions, which rustc makes
// anew for each program, library of C's kind and the like:
//
//   __rust_alloc(bytes, alignment)
//   __rust_alloc_zeroed(bytes, alignment)
//   __rust_realloc(pointer, old bytes, alignment, bytes)
//
// They do nothing but call __rdl_alloc and its kin, Rust's default, which asks
// malloc, calloc, realloc or posix_memalign and frees by free. In a program
// with a #[global_allocator] they are the program's own (Rust 1.95), or call
// __rg_alloc and its kin, which are.
//
// Up to Rust 1.86 these are the symbols. Since then they are items of a crate
// __rustc, mangled (v0) with a number of the compiler's own:
// _RNvCsfLfy6EI15iL_7___rustc12___rust_alloc.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_RUSTNAMES_H
#define THERMOCLINE_SUPPORT_RUSTNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace thermocline {

/// The `"alloc-family"` that rustc gives these functions.
inline constexpr llvm::StringLiteral RustFamily = "__rust_alloc";

/// The name without mangling of what may be one of the compiler's own
/// functions; \p Symbol itself for all others.
llvm::StringRef rustcName(llvm::StringRef Symbol);

/// Whether \p Symbol is one of the three functions that allocate.
bool isRustAllocator(llvm::StringRef Symbol);

/// Whether \p Symbol is what they call by default.
bool isRustDefaultAllocator(llvm::StringRef Symbol);

/// Whether \p Symbol is the cold variant of one of the three
/// (runtime/alloc/hints).
bool isRustColdVariant(llvm::StringRef Symbol);

/// The symbol that the program defines if it has an allocator of its own, as
/// the compiler names it that named \p Allocator, one of the three.
std::string rustOwnAllocator(llvm::StringRef Allocator);

/// \p Symbol as people read it: as LLVM demangles it, and the older mangling of
/// Rust, which looks like that of C++, in Rust's words and without its number.
std::string demangled(llvm::StringRef Symbol);

} // namespace thermocline

#endif
