//===- libstdc++/bits/basic_string.tcc - Templates that read strings ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libstdc++'s header of this name without its `extern template` of getline and
// >>, so that what allocates is in the program. What is no template for char is
// in istream.tcc here. See c++config.h here.
//
//===----------------------------------------------------------------------===//

#pragma GCC system_header
#include <bits/c++config.h>

#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#ifdef THERMOCLINE_OWN_INPUT
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#include_next <bits/basic_string.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")

// The empty string of the old ABI must be there once in a process.
#if defined(THERMOCLINE_OWN_INPUT) && !_GLIBCXX_USE_CXX11_ABI
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
extern template basic_string<char>::size_type
    basic_string<char>::_Rep::_S_empty_rep_storage[];
#ifdef _GLIBCXX_USE_WCHAR_T
extern template basic_string<wchar_t>::size_type
    basic_string<wchar_t>::_Rep::_S_empty_rep_storage[];
#endif
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif
