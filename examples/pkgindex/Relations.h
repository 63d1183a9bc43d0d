//===- pkgindex/Relations.h - Parser of dependency expressions --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses fields such as `Depends: libc6 (>= 2.36), awk | mawk:any`.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_RELATIONS_H
#define PKGINDEX_RELATIONS_H

#include "NameTable.h"
#include "Package.h"

#include <string_view>

namespace pkgindex {

/// The clauses of Text, linked in its order; Suffix is appended to each name.
/// Throws ParseError (see StatusReader.h) if Text is no dependency expression.
Relation *parseRelations(std::string_view Text, NameTable &Names,
                         std::string_view Suffix);

} // namespace pkgindex

#endif
