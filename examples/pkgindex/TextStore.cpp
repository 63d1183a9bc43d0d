//===- pkgindex/TextStore.cpp - Texts of any length -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides texts between the arena and buffers of their own.
//
//===----------------------------------------------------------------------===//

#include "StringArena.h"
#include "strpool.h"

#include <cstring>

using namespace pkgindex;

/// Heads the buffer of a large text.
struct TextStore::LargeText {
  LargeText *Previous;
};

static constexpr size_t MaxSmallText = 128;

TextStore::~TextStore() {
  while (Large != nullptr) {
    LargeText *Previous = Large->Previous;
    pool_free(Large);
    Large = Previous;
  }
}

const char *TextStore::keep(std::string_view Text) {
  if (Text.size() <= MaxSmallText) {
    const char *Copy = Small.copy(Text);
    return Copy;
  }
  void *Buffer = pool_buffer(sizeof(LargeText) + Text.size() + 1);
  Large = new (Buffer) LargeText{Large};
  char *Copy = reinterpret_cast<char *>(Large + 1);
  std::memcpy(Copy, Text.data(), Text.size());
  Copy[Text.size()] = '\0';
  return Copy;
}
