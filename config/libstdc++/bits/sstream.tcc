//===- libstdc++/bits/sstream.tcc - String streams of the program's own ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libstdc++'s header of this name without its `extern template` of buffers, so
// that what allocates is in the program. See c++config.h here.
//
// Classes with virtual bases stay in libstdc++: GCC has their tables in one
// COMDAT, and clang in several, some of which it drops. A static link of both
// would take the table from here, and then lack the rest.
//
//===----------------------------------------------------------------------===//

#pragma GCC system_header
#include <bits/c++config.h>

#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#ifdef THERMOCLINE_OWN_STREAMS
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#include_next <bits/sstream.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")

#ifdef THERMOCLINE_OWN_STREAMS
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
extern template class basic_istringstream<char>;
extern template class basic_ostringstream<char>;
extern template class basic_stringstream<char>;
#ifdef _GLIBCXX_USE_WCHAR_T
extern template class basic_istringstream<wchar_t>;
extern template class basic_ostringstream<wchar_t>;
extern template class basic_stringstream<wchar_t>;
#endif
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif
