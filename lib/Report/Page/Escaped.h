//===- Report/Page/Escaped.h - Text for HTML --------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_REPORT_PAGE_ESCAPED_H
#define THERMOCLINE_LIB_REPORT_PAGE_ESCAPED_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace thermocline::report {

/// \p Text as HTML has it, as text or in an attribute.
std::string escaped(llvm::StringRef Text);

} // namespace thermocline::report

#endif
