//===- Annotate/Metadata/LinkNotice.h - Other linkers speak -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: LLVM's own linkers link annotated objects as any others, and drop
// what the profile says without a word. One --ld-path= of the project, after
// the config file, is enough. Our code does not run there.
//
// Idea: a function that calls itself and has LLVM's attribute for functions
// that should not be called (`__attribute__((warning))`). Code generation warns
// of each such call, in any linker that compiles the bitcode. The function is
// the same in all modules, so a program has one and the warning comes once.
// Where Thermocline links or compiles the module, the function is removed
// before. Clang warns of such calls only where it has the source, so backends
// of a distributed build say nothing.
//
// What a linker says is soon forgotten. So the program has an ELF note as well,
// which `compare` and the allocator's statistics look for. It is in no COMDAT,
// or --gc-sections would drop it. Stock backends leave it, too, of which it is
// only known by what the program has whether they were given decisions.
//
// Native code of fat objects has a note of its own. Whoever links that in place
// of the bitcode loses the hints, and no compiler runs that could warn.
//
// Cost: some forty bytes in programs that another linker made.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_LINKNOTICE_H
#define THERMOCLINE_ANNOTATE_METADATA_LINKNOTICE_H

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// Lets a link of \p M, which has cold contexts, warn if it loses them.
void addLinkNotice(llvm::Module &M);

/// Removes what addLinkNotice() added. \returns whether there was something.
bool removeLinkNotice(llvm::Module &M);

/// Replaces it in the native code of a fat object by a note that says what this
/// is. \returns whether there was something.
bool noteNativeCode(llvm::Module &M);

} // namespace thermocline::annotate

#endif
