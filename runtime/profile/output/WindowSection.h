//===- output/WindowSection.h - When memory was touched, encoded *- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The windows of a raw profile (thermocline/Format/RawSections.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_WINDOWSECTION_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_WINDOWSECTION_H

#include "ProfileFile.h"
#include "measure/Contexts.h"
#include "measure/PhaseNames.h"

namespace thermocline::runtime {

/// Numbers of variable length, which have up to 10 bytes each.
template <size_t MaxBytes> class EncodedNumbers {
public:
  const char *data() const { return Bytes; }
  size_t size() const { return Size; }

protected:
  void byte(char Value) { Bytes[Size++] = Value; }
  void number(uint64_t Value) {
    for (; Value >= 0x80; Value >>= 7)
      Bytes[Size++] = static_cast<char>(Value | 0x80);
    Bytes[Size++] = static_cast<char>(Value);
  }

private:
  char Bytes[MaxBytes];
  size_t Size = 0;
};

/// What one record says, encoded: of two tables four numbers in front, eleven
/// for each window.
class EncodedTouches
    : public EncodedNumbers<2 * 10 * (4 + 11 * TouchTable::MaxWindows)> {
public:
  EncodedTouches(const Contexts::TouchTables &Tables,
                 const TouchWindows &Windows);

private:
  /// Encodes how far \p New is from \p Old.
  void change(uint64_t Old, uint64_t New);
  void table(const TouchTable *Table, const TouchWindows &Windows);
};

/// Pages, phases and windows, encoded.
class EncodedRun
    : public EncodedNumbers<
          10 + PhaseNames::MaxPhases * (10 + format::MaxPhaseNameBytes) +
          10 * 3 * TouchTable::MaxWindows> {
public:
  EncodedRun(const TouchWindows &Windows, const PhaseNames &Names);
};

/// The section, copied out of the tables, which go on to change. Holds pages of
/// its own.
class WindowSection {
public:
  WindowSection() = default;
  ~WindowSection();
  WindowSection(const WindowSection &) = delete;
  WindowSection &operator=(const WindowSection &) = delete;

  /// \p Visit(Encode) calls Encode with the tables of each record of the
  /// profile, the same each time. \returns false if there is no memory.
  template <typename Visitor>
  bool encode(const TouchWindows &Windows, const PhaseNames &Names,
              Visitor Visit) {
    format::WindowHeader Head;
    Head.NumWindows = Windows.size();
    Head.NumBytes = EncodedRun(Windows, Names).size();
    Visit([&](const Contexts::TouchTables &T) {
      ++Head.Count;
      Head.NumBytes += EncodedTouches(T, Windows).size();
    });
    if (!makeRoom(sizeof(Head) + Head.NumBytes))
      return false;
    append(&Head, sizeof(Head));
    append(EncodedRun(Windows, Names));
    Visit([&](const Contexts::TouchTables &T) {
      append(EncodedTouches(T, Windows));
    });
    return true;
  }

  /// 0 if there are no windows.
  size_t size() const { return Size; }
  void write(FileWriter &Out) const { Out.write(Pages, Size); }

private:
  bool makeRoom(size_t Bytes);
  void append(const void *Data, size_t Size);
  template <size_t N> void append(const EncodedNumbers<N> &E) {
    append(E.data(), E.size());
  }

  char *Pages = nullptr;
  size_t Size = 0;
  size_t Used = 0;
};

} // namespace thermocline::runtime

#endif
