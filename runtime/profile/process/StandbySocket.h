//===- process/StandbySocket.h - Who wants to record ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process's side of the protocol (Format/Live/StandbyProtocol.h). It never
// waits. All of it is for a thread that has file descriptors of its own, which
// the program neither sees nor closes.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PROCESS_STANDBYSOCKET_H
#define THERMOCLINE_RUNTIME_PROFILE_PROCESS_STANDBYSOCKET_H

#include "platform/Base.h"
#include "thermocline/Format/Live/StandbyProtocol.h"

namespace thermocline::runtime {

class StandbySocket {
public:
  bool isOpen() const { return Listener >= 0; }
  /// Listens for requests to the process \p Id. \returns 0, or -errno.
  long open(int Id);
  /// Called in the child of a fork, whose descriptors are others.
  void forget() { Listener = Client = Output = -1; }

  enum class Event { None, Begin, End, Abort };
  /// \returns what somebody asks for. After Begin and until finish() it is End,
  /// or Abort if nobody waits for the profile any more. Refuses what must not
  /// be.
  Event poll();
  /// What the last Begin asks for.
  uint32_t sampleInterval() const { return Interval; }
  uint32_t touchCost() const { return Cost; }
  /// Where the profile goes.
  int output() const { return Output; }
  /// Tells that what the last Begin asked for has begun.
  void confirm();
  /// Tells that the profile is written, or not, to who asked for it.
  void finish(bool IsWritten);

private:
  void admit();
  Event receive();
  static void answer(int To, format::StandbyAnswer A);
  void close();

  int Listener = -1;
  /// Who is connected; Output is its file once it has sent its request.
  int Client = -1;
  int Output = -1;
  uint32_t Interval = 0;
  uint32_t Cost = 0;
};

} // namespace thermocline::runtime

#endif
