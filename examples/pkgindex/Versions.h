//===- pkgindex/Versions.h - Order of version numbers -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Debian's order of version numbers.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_VERSIONS_H
#define PKGINDEX_VERSIONS_H

#include "Package.h"

namespace pkgindex {

/// Negative if A is the older version, positive if B is, else 0.
int compareVersions(const char *A, const char *B);

/// Whether Version passes the test against Limit.
bool satisfies(const char *Version, VersionTest Test, const char *Limit);

} // namespace pkgindex

#endif
