//===- Context/Text.h - Programs and decisions as text ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line-based text form of a context program and of decisions for it, for
// dumps, tests and fuzzing. Parsing what was printed gives the same again, and
// the same program gives the same text in each run. `;` begins a comment. A
// function is given by its name, or by `@N`, its number from 0, if the name is
// not unique. Stack ids are hexadecimal, innermost first. All other numbers are
// decimal. Places and measures, which only reports show, are left out.
//
//   thermocline-context-program 1
//   folded                              ; if contexts list direct recursion
//                                       ; once
//   savings                             ; if weights are what hints save of the
//                                       ; working set, and not lifetimes
//   function main 120 unclonable        ; NAME INSTRUCTIONS [unclonable]
//                                       ; [anyversion]
//   function make 12
//   callsite main make : 1f 2a          ; CALLER CALLEE [indirect|outside]
//                                       ; [compared] [tail] [again] : IDS
//   callsite main ? indirect : 3b       ; the callee is not known
//   allocation make                     ; OWNER [partial]; its contexts follow
//   context cold 4096 : 1f 2a           ; cold|notcold BYTES
//                                       ; [weight NUMBER]
//                                       ; [full|key ID] : IDS
//
//   thermocline-decisions 1
//   versions make 2                     ; FUNCTION NUMBER, 1 if not mentioned
//   clones 0 : 1                        ; CALLSITE, then by version of its
//                                       ; caller; version 0 if not mentioned
//   hints 0 : notcold cold              ; ALLOCATION, then by version of its
//                                       ; owner; notcold if not mentioned
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CONTEXT_TEXT_H
#define THERMOCLINE_CONTEXT_TEXT_H

#include "thermocline/Context/Decisions.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace thermocline::context {

void printProgram(llvm::raw_ostream &OS, const ContextProgram &Program);

/// Reads what printProgram() writes. Errors name \p FileName and the line.
llvm::Expected<ContextProgram> parseProgram(llvm::StringRef FileName,
                                            llvm::StringRef Text);

/// Reads several programs, one after the other. The dump of a link of regular
/// LTO and ThinLTO is like that.
llvm::Expected<std::vector<ContextProgram>>
parsePrograms(llvm::StringRef FileName, llvm::StringRef Text);

/// \p Decided need not be well formed, so that a dump can show why not.
void printDecisions(llvm::raw_ostream &OS, const ContextProgram &Program,
                    const Decisions &Decided);

/// Reads what printDecisions() writes, for \p Program. Checks the text, not
/// whether the decisions make sense: audit() does that. Errors name
/// \p FileName and the line.
llvm::Expected<Decisions> parseDecisions(llvm::StringRef FileName,
                                         llvm::StringRef Text,
                                         const ContextProgram &Program);

} // namespace thermocline::context

#endif
