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
    while (__builtin_expect(__count > __INT_MAX__, 0)) {
      (__buffer.*&__get_area::gbump)(__INT_MAX__);
      __count -= __INT_MAX__;
    }
    (__buffer.*&__get_area::gbump)(static_cast<int>(__count));
  }
};

/// Takes __next, which the buffer has not in memory or as the last there, and,
/// of a buffer that has nothing in memory, more. Returns what comes then, unless
/// that is __end, and it was extracted.
template <typename _Char>
__attribute__((__noinline__)) typename char_traits<_Char>::int_type
__take_singly(basic_streambuf<_Char> &__buffer, basic_string<_Char> &__text,
              typename char_traits<_Char>::int_type __next, _Char __end,
              bool &__end_extracted) {
  typedef char_traits<_Char> _Traits;
  typedef __get_area<_Char> _Area;
  const bool __in_memory = _Area::__size(__buffer);
  __text.push_back(_Traits::to_char_type(__next));
  if (_Traits::eq_int_type(__buffer.sbumpc(), _Traits::eof()))
    return _Traits::eof();
  if (!__in_memory)
    // It takes half the calls not to look at characters before they are
    // extracted. There is room for them.
    while (!_Area::__size(__buffer) && __text.size() < __text.capacity()) {
      __next = __buffer.sbumpc();
      if (_Traits::eq_int_type(__next, _Traits::eof()))
        return __next;
      if (_Traits::eq_int_type(__next, _Traits::to_int_type(__end))) {
        __end_extracted = true;
        return __next;
      }
      __text.push_back(_Traits::to_char_type(__next));
    }
  return __buffer.sgetc();
}

/// Reads up to the next __end, which is extracted, too, into __text, which is
/// empty.
template <typename _Char>
__attribute__((__always_inline__)) inline ios_base::iostate
__take_line(basic_streambuf<_Char> &__buffer, basic_string<_Char> &__text,
            _Char __end, bool &__end_extracted) {
  typedef char_traits<_Char> _Traits;
  typedef __get_area<_Char> _Area;
  typedef typename basic_string<_Char>::size_type _Size;
  for (typename _Traits::int_type __next = __buffer.sgetc();;) {
    if (_Traits::eq_int_type(__next, _Traits::eof()))
      return ios_base::eofbit;
    if (_Traits::eq_int_type(__next, _Traits::to_int_type(__end))) {
      __end_extracted = true;
      __buffer.sbumpc();
      return ios_base::goodbit;
    }
    const _Size __room = __text.max_size() - __text.size();
    if (!__room)
      return ios_base::failbit;
    const streamsize __there = _Area::__size(__buffer);
    if (__there <= 1) {
      __next = __take_singly(__buffer, __text, __next, __end, __end_extracted);
      if (__end_extracted)
        return ios_base::goodbit;
      continue;
    }
    const _Char *__begin = _Area::__begin(__buffer);
    const _Size __most =
        static_cast<_Size>(__there) < __room ? __there : __room;
    const _Char *__found = _Traits::find(__begin, __most, __end);
    if (__found) {
      __text.append(__begin, __found - __begin);
      _Area::__skip(__buffer, __found - __begin + 1);
      __end_extracted = true;
      return ios_base::goodbit;
    }
    __text.append(__begin, __most);
    _Area::__skip(__buffer, __most);
    __next = __buffer.sgetc();
  }
}

/// Reads characters up to the next space, and __longest at most, into __text,
/// which is empty.
template <typename _Char>
__attribute__((__always_inline__)) inline ios_base::iostate
__take_word(basic_streambuf<_Char> &__buffer, basic_string<_Char> &__text,
            typename basic_string<_Char>::size_type __longest,
            const ctype<_Char> &__classes) {
  typedef char_traits<_Char> _Traits;
  typedef __get_area<_Char> _Area;
  typedef typename basic_string<_Char>::size_type _Size;
  typename _Traits::int_type __next = __buffer.sgetc();
  while (__text.size() < __longest) {
    if (_Traits::eq_int_type(__next, _Traits::eof()))
      return ios_base::eofbit;
    const _Char __first = _Traits::to_char_type(__next);
    if (__classes.is(ctype_base::space, __first))
      break;
    const streamsize __there = _Area::__size(__buffer);
    if (__there <= 1) {
      __text.push_back(__first);
      __next = __buffer.snextc();
      continue;
    }
    const _Char *__begin = _Area::__begin(__buffer);
    const _Size __room = __longest - __text.size();
    const _Size __most =
        static_cast<_Size>(__there) < __room ? __there : __room;
    const _Size __count = __classes.scan_is(ctype_base::space, __begin + 1,
                                            __begin + __most) -
                          __begin;
    __text.append(__begin, __count);
    _Area::__skip(__buffer, __count);
    __next = __buffer.sgetc();
  }
  return ios_base::goodbit;
}

template <typename _Char>
basic_istream<_Char> &__read_line(basic_istream<_Char> &__in,
                                  basic_string<_Char> &__text, _Char __end) {
  ios_base::iostate __state = ios_base::goodbit;
  typename basic_istream<_Char>::sentry __ready(__in, true);
  if (__ready) {
    bool __end_extracted = false;
    try {
      __text.erase();
      __state = __take_line(*__in.rdbuf(), __text, __end, __end_extracted);
    } catch (__cxxabiv1::__forced_unwind &) {
      __in._M_setstate(ios_base::badbit);
      throw;
    } catch (...) {
      // Rethrows if exceptions() asks for it.
      __in._M_setstate(ios_base::badbit);
    }
    if (__text.empty() && !__end_extracted)
      __state |= ios_base::failbit;
  }
  if (__state)
    __in.setstate(__state);
  return __in;
}

template <typename _Char>
basic_istream<_Char> &__read_word(basic_istream<_Char> &__in,
                                  basic_string<_Char> &__text) {
  typedef ctype<_Char> _Classes;
  typedef typename basic_string<_Char>::size_type _Size;
  ios_base::iostate __state = ios_base::goodbit;
  typename basic_istream<_Char>::sentry __ready(__in, false);
  if (__ready) {
    try {
      __text.erase();
      const streamsize __width = __in.width();
      const locale __locale = __in.getloc();
      __state = __take_word(*__in.rdbuf(), __text,
                            __width > 0 ? static_cast<_Size>(__width)
                                        : __text.max_size(),
                            use_facet<_Classes>(__locale));
      __in.width(0);
    } catch (__cxxabiv1::__forced_unwind &) {
      __in._M_setstate(ios_base::badbit);
      throw;
    } catch (...) {
      __in._M_setstate(ios_base::badbit);
    }
    if (__text.empty())
      __state |= ios_base::failbit;
  }
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
