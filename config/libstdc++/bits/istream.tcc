//===- libstdc++/bits/istream.tcc - Strings read in the program's code ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What std::getline reads into a std::string or std::wstring, and >> into a
// std::string, is allocated in the program. libstdc++ declares these as
// explicit specializations, whose definitions are in libstdc++.so only. Here
// they are defined a second time, from what the C++ standard says of them.
//
// No copy of them has the library's name. What calls them calls __read_line and
// __read_word here, which are the program's. Their addresses are still those of
// libstdc++.so, and so is what other code of the process calls.
//
// See c++config.h here.
//
//===----------------------------------------------------------------------===//

#pragma GCC system_header
#include <bits/c++config.h>
#include_next <bits/istream.tcc>

#if defined(THERMOCLINE_OWN_INPUT) && !defined(THERMOCLINE_ISTREAM_TCC)
#define THERMOCLINE_ISTREAM_TCC
#include <bits/cxxabi_forced.h>
#include <bits/locale_facets.h>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __thermocline {

/// What a buffer has in memory. Its own functions for that are protected, and
/// may be named as members of a class derived from it.
template <typename _Char> class __get_area : basic_streambuf<_Char> {
  typedef basic_streambuf<_Char> _Buffer;

public:
  static const _Char *__begin(const _Buffer &__buffer) {
    return (__buffer.*&__get_area::gptr)();
  }
  static streamsize __size(const _Buffer &__buffer) {
    return (__buffer.*&__get_area::egptr)() - __begin(__buffer);
  }
  static void __skip(_Buffer &__buffer, streamsize __count) {
    for (; __count > __INT_MAX__; __count -= __INT_MAX__)
      (__buffer.*&__get_area::gbump)(__INT_MAX__);
    (__buffer.*&__get_area::gbump)(static_cast<int>(__count));
  }
};

/// Appends up to the next __end, which is extracted, too, to __text.
template <typename _Char>
ios_base::iostate __take_line(basic_streambuf<_Char> &__buffer,
                              basic_string<_Char> &__text, _Char __end,
                              bool &__extracted) {
  typedef char_traits<_Char> _Traits;
  typedef __get_area<_Char> _Area;
  typedef typename basic_string<_Char>::size_type _Size;
  _Size __room = __text.max_size();
  for (typename _Traits::int_type __next = __buffer.sgetc();;) {
    if (_Traits::eq_int_type(__next, _Traits::eof()))
      return ios_base::eofbit;
    if (_Traits::eq_int_type(__next, _Traits::to_int_type(__end))) {
      __extracted = true;
      __buffer.sbumpc();
      return ios_base::goodbit;
    }
    if (!__room)
      return ios_base::failbit;
    const streamsize __there = _Area::__size(__buffer);
    if (__there <= 1) {
      __text.push_back(_Traits::to_char_type(__next));
      __extracted = true;
      --__room;
      __next = __buffer.snextc();
      continue;
    }
    const _Char *__begin = _Area::__begin(__buffer);
    const _Size __most =
        static_cast<_Size>(__there) < __room ? __there : __room;
    const _Char *__found = _Traits::find(__begin, __most, __end);
    const _Size __count = __found ? __found - __begin : __most;
    __text.append(__begin, __count);
    __extracted = true;
    _Area::__skip(__buffer, __count + (__found != 0));
    if (__found)
      return ios_base::goodbit;
    __room -= __count;
    __next = __buffer.sgetc();
  }
}

/// Appends characters up to the next space, and __room at most, to __text.
template <typename _Char>
ios_base::iostate __take_word(basic_streambuf<_Char> &__buffer,
                              basic_string<_Char> &__text,
                              typename basic_string<_Char>::size_type __room,
                              const ctype<_Char> &__classes,
                              bool &__extracted) {
  typedef char_traits<_Char> _Traits;
  typedef __get_area<_Char> _Area;
  typedef typename basic_string<_Char>::size_type _Size;
  typename _Traits::int_type __next = __buffer.sgetc();
  while (__room) {
    if (_Traits::eq_int_type(__next, _Traits::eof()))
      return ios_base::eofbit;
    const _Char __first = _Traits::to_char_type(__next);
    if (__classes.is(ctype_base::space, __first))
      break;
    const streamsize __there = _Area::__size(__buffer);
    if (__there <= 1) {
      __text.push_back(__first);
      __extracted = true;
      --__room;
      __next = __buffer.snextc();
      continue;
    }
    const _Char *__begin = _Area::__begin(__buffer);
    const _Size __most =
        static_cast<_Size>(__there) < __room ? __there : __room;
    const _Size __count = __classes.scan_is(ctype_base::space, __begin + 1,
                                            __begin + __most) -
                          __begin;
    __text.append(__begin, __count);
    __extracted = true;
    _Area::__skip(__buffer, __count);
    __room -= __count;
    __next = __buffer.sgetc();
  }
  return ios_base::goodbit;
}

template <typename _Char>
basic_istream<_Char> &__read_line(basic_istream<_Char> &__in,
                                  basic_string<_Char> &__text, _Char __end) {
  ios_base::iostate __state = ios_base::goodbit;
  bool __extracted = false;
  typename basic_istream<_Char>::sentry __ready(__in, true);
  if (__ready) {
    try {
      __text.erase();
      __state = __take_line(*__in.rdbuf(), __text, __end, __extracted);
    } catch (__cxxabiv1::__forced_unwind &) {
      __in._M_setstate(ios_base::badbit);
      throw;
    } catch (...) {
      // Rethrows if exceptions() asks for it.
      __in._M_setstate(ios_base::badbit);
    }
  }
  if (!__extracted)
    __state |= ios_base::failbit;
  if (__state)
    __in.setstate(__state);
  return __in;
}

template <typename _Char>
basic_istream<_Char> &__read_word(basic_istream<_Char> &__in,
                                  basic_string<_Char> &__text) {
  ios_base::iostate __state = ios_base::goodbit;
  bool __extracted = false;
  typename basic_istream<_Char>::sentry __ready(__in, false);
  if (__ready) {
    try {
      __text.erase();
      const streamsize __width = __in.width();
      const locale __locale = __in.getloc();
      __state = __take_word(
          *__in.rdbuf(), __text,
          __width > 0
              ? static_cast<typename basic_string<_Char>::size_type>(__width)
              : __text.max_size(),
          use_facet<ctype<_Char>>(__locale), __extracted);
      __in.width(0);
    } catch (__cxxabiv1::__forced_unwind &) {
      __in._M_setstate(ios_base::badbit);
      throw;
    } catch (...) {
      __in._M_setstate(ios_base::badbit);
    }
  }
  if (!__extracted)
    __state |= ios_base::failbit;
  if (__state)
    __in.setstate(__state);
  return __in;
}

} // namespace __thermocline

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgnu-inline-cpp-without-extern"
// For calls only: a definition that other modules do not see.
#define THERMOCLINE_INSTEAD                                                    \
  inline __attribute__((__gnu_inline__, __always_inline__))

template <>
THERMOCLINE_INSTEAD basic_istream<char> &
operator>>(basic_istream<char> &__in, basic_string<char> &__text) {
  return __thermocline::__read_word(__in, __text);
}

template <>
THERMOCLINE_INSTEAD basic_istream<char> &
getline(basic_istream<char> &__in, basic_string<char> &__text, char __end) {
  return __thermocline::__read_line(__in, __text, __end);
}

#ifdef _GLIBCXX_USE_WCHAR_T
template <>
THERMOCLINE_INSTEAD basic_istream<wchar_t> &
getline(basic_istream<wchar_t> &__in, basic_string<wchar_t> &__text,
        wchar_t __end) {
  return __thermocline::__read_line(__in, __text, __end);
}
#endif

#undef THERMOCLINE_INSTEAD
#pragma clang diagnostic pop
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif
