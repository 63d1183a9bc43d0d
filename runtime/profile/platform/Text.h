//===- profile/platform/Text.h - Text without stdio -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_TEXT_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_TEXT_H

#include "Base.h"

namespace thermocline::runtime {

/// Collects text and writes it to a file descriptor when full, on flush() and
/// at the end of its life. Allocates nothing.
class TextWriter {
public:
  explicit TextWriter(int Fd) : Fd(Fd) {}
  ~TextWriter() { flush(); }
  TextWriter(const TextWriter &) = delete;
  TextWriter &operator=(const TextWriter &) = delete;

  TextWriter &operator<<(const char *Text);
  TextWriter &operator<<(uint64_t Number);
  /// "0x" and hexadecimal digits.
  TextWriter &hex(uint64_t Number);
  /// A hundredth part given in hundredths: 1234 is "12.34".
  TextWriter &hundredths(uint64_t Number);
  TextWriter &write(const char *Text, size_t Size);
  /// \returns false if anything failed to be written so far.
  bool flush();
  /// Forgets what was not written yet.
  void discard() { Used = 0; }
  int descriptor() const { return Fd; }

protected:
  /// What was not written yet.
  const char *text() const { return Buffer; }
  size_t size() const { return Used; }

private:
  int Fd;
  bool Failed = false;
  size_t Used = 0;
  char Buffer[512];
};

/// A message on the program's standard error that begins with "Thermocline: ".
/// A thread with descriptors of its own may use it. Where a filter of system
/// calls may keep that thread from the program's, as those of containers and
/// services do, the message is kept for a thread of the program.
class Message : public TextWriter {
public:
  Message();
  ~Message();

  /// Writes what was kept, by a thread of the program.
  static void writeKept();
  /// Forgets it, in the child of a fork.
  static void forgetKept();

private:
  void keep() const;
};

/// A path or name put together from parts, cut off (and overflowed() then) at
/// its fixed size.
class FixedString {
public:
  FixedString &operator<<(const char *Text);
  FixedString &operator<<(uint64_t Number);
  FixedString &append(const char *Text, size_t Size);
  const char *text() const { return Buffer; }
  size_t size() const { return Used; }
  bool empty() const { return Used == 0; }
  bool overflowed() const { return Overflowed; }
  void clear();

private:
  size_t Used = 0;
  bool Overflowed = false;
  char Buffer[4096] = {};
};

/// \p Number in decimal at \p Buffer. \returns the number of digits.
size_t formatDecimal(uint64_t Number, char (&Buffer)[20]);

size_t textLength(const char *Text);
bool textEquals(const char *A, size_t ASize, const char *B);

} // namespace thermocline::runtime

#endif
