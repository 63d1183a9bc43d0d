//===- libstdc++/bits/c++config.h - Strings in the program's own code -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands before libstdc++'s header of this name, by -cxx-isystem in the config
// files. Up to C++17 that header declares std::string and std::wstring as
// instantiated in libstdc++.so (`extern template`), so that no call in the
// program allocates their memory. A value of -1 is libstdc++'s own way to say
// that programs instantiate strings, as they do from C++20 on, and with
// _GLIBCXX_ASSERTIONS. It keeps out what must be there once in a process. See
// docs/libraries.md.
//
// -DTHERMOCLINE_EXTERN_TEMPLATES leaves everything in libstdc++.so.
//
//===----------------------------------------------------------------------===//

#pragma GCC system_header
#include_next <bits/c++config.h>

#ifndef THERMOCLINE_LIBSTDCXX
#define THERMOCLINE_LIBSTDCXX
#ifndef THERMOCLINE_EXTERN_TEMPLATES
#if _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
// Classes with virtual functions come with their tables, which must be able to
// serve code with RTTI and with exceptions, wherever they end up.
#if defined(__GXX_RTTI) && defined(__EXCEPTIONS)
#define THERMOCLINE_OWN_STREAMS 1
#endif
// Functions that catch what buffers throw must be compiled so that they can.
#if defined(__EXCEPTIONS)
#define THERMOCLINE_OWN_INPUT 1
#endif
#endif
#endif
