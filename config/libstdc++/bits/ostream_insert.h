//===- libstdc++/bits/ostream_insert.h - Strings into streams -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libstdc++'s header of this name without its `extern template`, so that what
// allocates is in the program. See c++config.h here.
//
//===----------------------------------------------------------------------===//

#pragma GCC system_header
#include <bits/c++config.h>

#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#ifdef THERMOCLINE_OWN_STREAMS
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#include_next <bits/ostream_insert.h>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
