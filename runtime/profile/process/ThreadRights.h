//===- process/ThreadRights.h - Rights that follow the program -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// User, groups and capabilities belong to a thread. When the program gives them
// up (setuid), libc makes all threads do the same, but not one that it does not
// know (platform/HiddenThread.h). Whoever took over the program later could
// reach that one's rights through the memory that they share. So it looks what
// rights the first thread has, from time to time, and keeps no more.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PROCESS_THREADRIGHTS_H
#define THERMOCLINE_RUNTIME_PROFILE_PROCESS_THREADRIGHTS_H

#include "platform/Base.h"

namespace thermocline::runtime {

class ThreadRights {
public:
  /// Opens /proc, by the thread itself, which has descriptors of its own. Where
  /// that cannot be done, follow() can do nothing, either.
  void open();
  /// Gives up what the first thread has not. \returns false if it is not known
  /// what that has, or cannot be done: then the thread has to end.
  bool follow();

private:
  /// Where users come from Windows they have up to 1,024.
  static constexpr size_t MaxGroups = 1024;
  struct Rights {
    /// Real, effective and saved.
    uint32_t Users[3] = {}, Groups[3] = {};
    uint32_t OtherGroups[MaxGroups] = {};
    size_t NumOthers = 0;
    uint64_t Inheritable = 0, Permitted = 0, Effective = 0;

    bool operator==(const Rights &) const = default;
  };

  bool read(Rights &Result) const;
  bool take(const Rights &New) const;

  long File = -1;
  Rights Present;
  bool IsPresentKnown = false;
};

} // namespace thermocline::runtime

#endif
