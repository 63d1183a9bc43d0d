//===- Live/StandbyProtocol.h - To record what runs -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process with the option standby=1 listens on a socket without a file
// (AF_UNIX, SOCK_SEQPACKET), whose name has its number. Who wants to record it
// connects, and sends a Request together with a descriptor that the raw profile
// goes to. The answer is a packet of one Answer. After Answer::Recording the
// connection stays. A packet EndRecording asks for the profile; so does the end
// of the process. It is written, and the last packet is Answer::Written or
// Answer::Failed. A connection that is closed before ends the recording, and
// nothing is written.
//
// The process takes requests of its own user and of root. The kernel tells both
// sides who the other is.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_LIVE_STANDBYPROTOCOL_H
#define THERMOCLINE_FORMAT_LIVE_STANDBYPROTOCOL_H

#include <stdint.h>

namespace thermocline::format {

/// The name is a zero, this, and the number of the process in decimal. If that
/// name is in use, what the link /proc/self/ns/pid has is added.
constexpr char StandbySocketName[] = "thermocline-standby-";

struct StandbyRequest {
  static constexpr uint32_t KnownMagic = 0x5974534D; // "MStY"
  /// Each change of what is sent is a new one.
  static constexpr uint32_t KnownVersion = 2;

  uint32_t Magic = KnownMagic;
  uint32_t Version = KnownVersion;
  /// One of so many allocations is recorded.
  uint32_t SampleInterval = 0;
  /// What looks at objects may cost, in thousandths of processor time.
  uint32_t TouchCost = 0;
};

constexpr uint8_t EndRecording = 1;

enum class StandbyAnswer : uint8_t {
  Recording = 1,
  /// Somebody records the process.
  Busy = 2,
  /// The request is of another user.
  Denied = 3,
  /// The request is not understood: it is of another version.
  Unknown = 4,
  Written = 5,
  Failed = 6,
};

} // namespace thermocline::format

#endif
