//===- alloc/heap/Settings.h - What the user sets by name -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A setting is a variable of the environment, such as
// THERMOCLINE_ALLOC_COLD_MIB=64; or an item of thermocline_alloc_options, which
// a program may define: cold_mib=64. The environment goes first, but programs
// that have more rights than their user ignore it. What the program itself says
// holds for these too. Last comes what a link chose by a profile.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_SETTINGS_H
#define THERMOCLINE_ALLOC_SETTINGS_H

#include <cstddef>

namespace thermocline::alloc {

/// The settings that a program may have of its own. jemalloc reads MALLOC_CONF
/// of the environment itself, so MallocConf is only the program's.
enum class SettingName {
  ColdAdvice,
  ColdMiB,
  ColdNodes,
  HugePages,
  MallocConf,
  Order
};

class Setting {
public:
  /// Values of the program's are shorter.
  static constexpr size_t MaxBytes = 512;

  /// Reads it. Needs no memory.
  explicit Setting(SettingName Name);

  /// \returns the value, or null where nothing, or nothing but an empty value,
  /// is set.
  const char *value() const { return Value; }
  /// Prints that the setting, as the user wrote it, is what Complaint says.
  void refuse(const char *Complaint) const;

private:
  void readOptions(const char *Option, const char *Options);

  const char *Value = nullptr;
  bool IsPrograms = false;
  SettingName Name;
  /// For a value of the program's.
  char Copy[MaxBytes];
};

/// Says which items of thermocline_alloc_options are none of the settings.
void reportUnknownSettings();

} // namespace thermocline::alloc

#endif
