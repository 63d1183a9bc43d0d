//===- profile/platform/Text.cpp - Text without stdio ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "Files.h"
#include "Thread.h"
#include <errno.h>

using namespace thermocline::runtime;

size_t thermocline::runtime::formatDecimal(uint64_t Number,
                                           char (&Buffer)[20]) {
  char Reversed[20];
  size_t Size = 0;
  do {
    Reversed[Size++] = static_cast<char>('0' + Number % 10);
    Number /= 10;
  } while (Number);
  for (size_t I = 0; I != Size; ++I)
    Buffer[I] = Reversed[Size - 1 - I];
  return Size;
}

size_t thermocline::runtime::textLength(const char *Text) {
  size_t Size = 0;
  while (Text[Size])
    ++Size;
  return Size;
}

bool thermocline::runtime::textEquals(const char *A, size_t ASize,
                                      const char *B) {
  for (size_t I = 0; I != ASize; ++I)
    if (A[I] != B[I]) // Covers the end of B, as A has no zero inside.
      return false;
  return B[ASize] == 0;
}

TextWriter &TextWriter::write(const char *Text, size_t Size) {
  for (size_t I = 0; I != Size; ++I) {
    if (Used == sizeof(Buffer))
      flush();
    Buffer[Used++] = Text[I];
  }
  return *this;
}

TextWriter &TextWriter::operator<<(const char *Text) {
  return write(Text, textLength(Text));
}

TextWriter &TextWriter::operator<<(uint64_t Number) {
  char Digits[20];
  return write(Digits, formatDecimal(Number, Digits));
}

TextWriter &TextWriter::hex(uint64_t Number) {
  char Digits[18] = {'0', 'x'};
  size_t Size = 2;
  bool Leading = true;
  for (int Shift = 60; Shift >= 0; Shift -= 4) {
    unsigned Digit = (Number >> Shift) & 15;
    Leading = Leading && !Digit && Shift;
    if (!Leading)
      Digits[Size++] = "0123456789abcdef"[Digit];
  }
  return write(Digits, Size);
}

TextWriter &TextWriter::hundredths(uint64_t Number) {
  *this << Number / 100 << ".";
  return *this << Number / 10 % 10 << Number % 10;
}

bool TextWriter::flush() {
  if (Used && sys::writeAll(Fd, Buffer, Used) != 0)
    Failed = true;
  Used = 0;
  return !Failed;
}

Message::Message() : TextWriter(sys::borrowStandardError()) {
  *this << "Thermocline: ";
}

static constinit struct {
  /// A thread that finds it in use leaves it alone.
  Atomic<bool> IsInUse;
  size_t Size = 0;
  char Text[1024] = {};
} Kept;

void Message::keep() const {
  if (Kept.IsInUse.exchange(true))
    return;
  for (size_t I = 0; I != size() && Kept.Size != sizeof(Kept.Text); ++I)
    Kept.Text[Kept.Size++] = text()[I];
  Kept.IsInUse.store(false);
}

void Message::writeKept() {
  if (thisThread().HasOwnDescriptors || Kept.IsInUse.exchange(true))
    return;
  sys::writeAll(2, Kept.Text, Kept.Size);
  Kept.Size = 0;
  Kept.IsInUse.store(false);
}

void Message::forgetKept() {
  Kept.Size = 0;
  Kept.IsInUse.store(false);
}

Message::~Message() {
  // Where the program has closed it, nobody wants to hear anything.
  const bool IsClosed = descriptor() == -EBADF || descriptor() == -ENOENT;
  if (descriptor() < 0 && !IsClosed) {
    keep();
    discard();
  }
  flush();
  sys::returnDescriptor(descriptor());
}

FixedString &FixedString::append(const char *Text, size_t Size) {
  for (size_t I = 0; I != Size; ++I) {
    if (Used + 1 == sizeof(Buffer)) {
      Overflowed = true;
      return *this;
    }
    Buffer[Used++] = Text[I];
  }
  Buffer[Used] = 0;
  return *this;
}

FixedString &FixedString::operator<<(const char *Text) {
  return append(Text, textLength(Text));
}

FixedString &FixedString::operator<<(uint64_t Number) {
  char Digits[20];
  return append(Digits, formatDecimal(Number, Digits));
}

void FixedString::clear() {
  Used = 0;
  Overflowed = false;
  Buffer[0] = 0;
}
