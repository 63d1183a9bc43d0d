//===- process/ThreadRights.cpp - Rights that follow the program ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadRights.h"
#include "platform/System.h"
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

/// The file of the thread that the process began with. It stays readable when
/// that thread has ended.
void ThreadRights::open() {
  // Without its number, which may be one of another namespace than that of
  // /proc.
  File = sys::call(SYS_openat, AT_FDCWD, sys::asLong("/proc/self/status"),
                   O_RDONLY | O_CLOEXEC);
  IsPresentKnown = File >= 0 && read(Present);
}

namespace {
/// Reads numbers of a line, which begins with a name.
class Line {
public:
  /// \p Text ends with a 0.
  Line(const char *Text, const char *Name) {
    for (const char *Start = Text; *Start; ++Start) {
      if (Start != Text && Start[-1] != '\n')
        continue;
      const char *Rest = Start;
      for (const char *N = Name; *N && *Rest == *N; ++N)
        ++Rest;
      if (Rest - Start == static_cast<long>(lengthOf(Name)))
        Next = Rest;
    }
  }
  bool isThere() const { return Next; }
  /// \returns false at the end of the line.
  bool number(uint64_t &Result, unsigned Base) {
    if (!Next)
      return false;
    while (*Next == ' ' || *Next == '\t')
      ++Next;
    const char *Begin = Next;
    Result = 0;
    for (unsigned Digit; (Digit = digitOf(*Next)) < Base; ++Next)
      Result = Result * Base + Digit;
    return Next != Begin;
  }

private:
  static size_t lengthOf(const char *Name) {
    size_t Length = 0;
    while (Name[Length])
      ++Length;
    return Length;
  }
  static unsigned digitOf(char C) {
    if (C >= '0' && C <= '9')
      return static_cast<unsigned>(C - '0');
    return C >= 'a' && C <= 'f' ? static_cast<unsigned>(C - 'a') + 10 : ~0U;
  }

  const char *Next = nullptr;
};
} // namespace

bool ThreadRights::read(Rights &Result) const {
  // A child of a fork begins with what its parent knew.
  Result = Rights();
  // A group takes up to 11 bytes, and all else some thousand.
  char Text[16 * MaxGroups];
  const long Bytes =
      sys::call(SYS_pread64, File, sys::asLong(Text), sizeof(Text) - 1, 0);
  if (Bytes <= 0)
    return false;
  Text[Bytes] = 0;
  Line Users(Text, "Uid:"), Groups(Text, "Gid:"), Others(Text, "Groups:");
  uint64_t Number;
  for (unsigned I = 0; I != 3; ++I) {
    if (!Users.number(Number, 10))
      return false;
    Result.Users[I] = static_cast<uint32_t>(Number);
    if (!Groups.number(Number, 10))
      return false;
    Result.Groups[I] = static_cast<uint32_t>(Number);
  }
  if (!Others.isThere())
    return false;
  while (Others.number(Number, 10)) {
    if (Result.NumOthers == MaxGroups)
      return false;
    Result.OtherGroups[Result.NumOthers++] = static_cast<uint32_t>(Number);
  }
  return Line(Text, "CapInh:").number(Result.Inheritable, 16) &&
         Line(Text, "CapPrm:").number(Result.Permitted, 16) &&
         Line(Text, "CapEff:").number(Result.Effective, 16);
}

/// Keeps of this thread's capabilities those that are given.
static bool limitCapabilities(uint64_t Inheritable, uint64_t Permitted,
                              uint64_t Effective) {
  __user_cap_header_struct Head = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct Own[_LINUX_CAPABILITY_U32S_3] = {};
  if (sys::call(SYS_capget, sys::asLong(&Head), sys::asLong(Own)) != 0)
    return false;
  for (unsigned I = 0; I != _LINUX_CAPABILITY_U32S_3; ++I) {
    Own[I].inheritable &= static_cast<uint32_t>(Inheritable >> 32 * I);
    Own[I].permitted &= static_cast<uint32_t>(Permitted >> 32 * I);
    Own[I].effective &= static_cast<uint32_t>(Effective >> 32 * I);
  }
  return sys::call(SYS_capset, sys::asLong(&Head), sys::asLong(Own)) == 0;
}

/// By system calls, which are for this thread alone. Groups first, as the user
/// may be who is allowed to change them.
bool ThreadRights::take(const Rights &New) const {
  constexpr uint32_t Keep = ~0U;
  // Whoever is root only sometimes has to be so for the rest. May fail.
  sys::call(SYS_setresuid, Keep, 0, Keep);
  bool OthersAreSame = New.NumOthers == Present.NumOthers;
  for (size_t I = 0; OthersAreSame && I != New.NumOthers; ++I)
    OthersAreSame = New.OtherGroups[I] == Present.OtherGroups[I];
  return (OthersAreSame ||
          sys::call(SYS_setgroups, static_cast<long>(New.NumOthers),
                    sys::asLong(New.OtherGroups)) == 0) &&
         sys::call(SYS_setresgid, New.Groups[0], New.Groups[1],
                   New.Groups[2]) == 0 &&
         sys::call(SYS_setresuid, New.Users[0], New.Users[1], New.Users[2]) ==
             0 &&
         limitCapabilities(New.Inheritable, New.Permitted, New.Effective);
}

bool ThreadRights::follow() {
  Rights New;
  if (!IsPresentKnown || !read(New))
    return false;
  if (New == Present)
    return true;
  // The kernel takes a change for one of the process.
  const long Dumpable = sys::call(SYS_prctl, PR_GET_DUMPABLE);
  const bool IsDone = take(New);
  if (Dumpable == 1)
    sys::call(SYS_prctl, PR_SET_DUMPABLE, Dumpable);
  Present = New;
  return IsDone;
}
