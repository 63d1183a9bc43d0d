//===- Support/Message.h - What processes tell each other -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers and texts in a row, between processes of one program. Who reads one
// does not trust who wrote it: nothing is read behind its end, and no list is
// longer than the bytes that are left.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_MESSAGE_H
#define THERMOCLINE_SUPPORT_MESSAGE_H

#include "llvm/ADT/StringRef.h"
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace thermocline {

class MessageWriter {
public:
  template <std::unsigned_integral NumberT> void number(NumberT Value) {
    char Bytes[sizeof(Value)];
    std::memcpy(Bytes, &Value, sizeof(Value));
    Contents.append(Bytes, sizeof(Value));
  }
  void flag(bool Value) { number(static_cast<uint8_t>(Value)); }
  void text(llvm::StringRef Value) {
    number(static_cast<uint64_t>(Value.size()));
    Contents.append(Value.data(), Value.size());
  }
  /// A list of texts, or of what \p Add writes of each element.
  template <class ListT, class AddT> void list(const ListT &List, AddT &&Add) {
    number(static_cast<uint64_t>(List.size()));
    for (const auto &Each : List)
      Add(Each);
  }
  template <class ListT> void texts(const ListT &List) {
    list(List, [&](llvm::StringRef Each) { text(Each); });
  }

  /// What was written; the writer is empty then.
  std::string take() { return std::exchange(Contents, {}); }

private:
  std::string Contents;
};

class MessageReader {
public:
  /// \p Contents must outlive the reader and the texts that it returns.
  explicit MessageReader(llvm::StringRef Contents) : Rest(Contents) {}

  /// 0 behind the end.
  template <std::unsigned_integral NumberT> NumberT number() {
    NumberT Value = 0;
    if (Rest.size() < sizeof(Value)) {
      fail();
      return 0;
    }
    std::memcpy(&Value, Rest.data(), sizeof(Value));
    Rest = Rest.drop_front(sizeof(Value));
    return Value;
  }
  bool flag() { return number<uint8_t>() != 0; }
  /// Empty behind the end.
  llvm::StringRef text() {
    const uint64_t Size = number<uint64_t>();
    if (Rest.size() < Size) {
      fail();
      return {};
    }
    const llvm::StringRef Result = Rest.take_front(Size);
    Rest = Rest.drop_front(Size);
    return Result;
  }
  /// Calls \p Take for each element of a list, which has to read it.
  template <class TakeT> void list(TakeT &&Take) {
    const uint64_t Size = number<uint64_t>();
    for (uint64_t I = 0; I != Size && !Failed; ++I)
      Take();
  }
  /// Appends a list of texts to \p List.
  template <class ListT> void texts(ListT &List) {
    list([&] { List.emplace_back(text()); });
  }

  /// Whether all that was asked for was there, and nothing is left.
  bool isComplete() const { return !Failed && Rest.empty(); }

private:
  void fail() {
    Failed = true;
    Rest = {};
  }

  llvm::StringRef Rest;
  bool Failed = false;
};

} // namespace thermocline

#endif
