//===- process/StandbySocket.cpp - Who wants to record --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandbySocket.h"
#include "platform/System.h"
#include "platform/Text.h"
#include "thermocline/Format/Counters.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

using namespace thermocline::format;
using namespace thermocline::runtime;

static void closeDescriptor(int &Descriptor) {
  if (Descriptor >= 0)
    sys::call(SYS_close, Descriptor);
  Descriptor = -1;
}

/// Appends what tells this process's namespace of processes from others, as in
/// "pid:[4026531836]".
static void appendNamespace(FixedString &Name) {
  char Text[64];
  const long Size =
      sys::call(SYS_readlinkat, AT_FDCWD, sys::asLong("/proc/self/ns/pid"),
                sys::asLong(Text), sizeof(Text));
  if (Size > 0)
    Name.append(Text, static_cast<size_t>(Size));
}

static long bindTo(int Socket, const FixedString &Text) {
  sockaddr_un Name = {};
  Name.sun_family = AF_UNIX;
  for (size_t I = 0; I != Text.size(); ++I)
    Name.sun_path[I + 1] = Text.text()[I];
  return sys::call(
      SYS_bind, Socket, sys::asLong(&Name),
      static_cast<long>(offsetof(sockaddr_un, sun_path) + 1 + Text.size()));
}

long StandbySocket::open(int Id) {
  const long Socket = sys::call(SYS_socket, AF_UNIX,
                                SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (Socket < 0)
    return Socket;
  Listener = static_cast<int>(Socket);
  FixedString Name;
  Name << StandbySocketName << static_cast<uint64_t>(Id);
  long Error = bindTo(Listener, Name);
  // Containers may share a network, each with a process of this number.
  if (Error == -EADDRINUSE) {
    appendNamespace(Name);
    Error = bindTo(Listener, Name);
  }
  if (Error == 0)
    Error = sys::call(SYS_listen, Listener, /*Waiting=*/4);
  if (Error < 0)
    closeDescriptor(Listener);
  return Error;
}

void StandbySocket::answer(int To, StandbyAnswer A) {
  sys::call(SYS_sendto, To, sys::asLong(&A), sizeof(A),
            MSG_DONTWAIT | MSG_NOSIGNAL);
}

void StandbySocket::close() {
  closeDescriptor(Output);
  closeDescriptor(Client);
}

/// Lets in who may record the process, one at a time.
void StandbySocket::admit() {
  const long Accepted =
      sys::call(SYS_accept4, Listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (Accepted < 0)
    return;
  int New = static_cast<int>(Accepted);
  ucred Peer = {};
  socklen_t Size = sizeof(Peer);
  // This thread has the rights that the program has (ThreadRights.h).
  const bool IsAllowed =
      sys::call(SYS_getsockopt, New, SOL_SOCKET, SO_PEERCRED,
                sys::asLong(&Peer), sys::asLong(&Size)) == 0 &&
      (Peer.uid == 0 || static_cast<long>(Peer.uid) == sys::call(SYS_geteuid));
  if (IsAllowed && Client < 0) {
    Client = New;
    return;
  }
  // What is left unread would be an error for who sent it, instead of an
  // answer.
  StandbyRequest Unread;
  sys::call(SYS_recvfrom, New, sys::asLong(&Unread), sizeof(Unread),
            MSG_DONTWAIT);
  answer(New, IsAllowed ? StandbyAnswer::Busy : StandbyAnswer::Denied);
  closeDescriptor(New);
}

StandbySocket::Event StandbySocket::receive() {
  StandbyRequest Request = {};
  iovec Place = {&Request, sizeof(Request)};
  alignas(cmsghdr) char Control[CMSG_SPACE(sizeof(int))];
  msghdr Packet = {};
  Packet.msg_iov = &Place;
  Packet.msg_iovlen = 1;
  Packet.msg_control = Control;
  Packet.msg_controllen = sizeof(Control);
  const long Size = sys::call(SYS_recvmsg, Client, sys::asLong(&Packet),
                              MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (Size == -EAGAIN || Size == -EINTR)
    return Event::None;
  int Sent = -1;
  if (Size > 0)
    if (const cmsghdr *Header = CMSG_FIRSTHDR(&Packet);
        Header && Header->cmsg_level == SOL_SOCKET &&
        Header->cmsg_type == SCM_RIGHTS &&
        Header->cmsg_len == CMSG_LEN(sizeof(int)))
      Sent = *reinterpret_cast<const int *>(CMSG_DATA(Header));
  if (Output >= 0) {
    closeDescriptor(Sent);
    return Size > 0 ? Event::End : Event::Abort;
  }
  if (Size != sizeof(Request) || Sent < 0 ||
      Request.Magic != StandbyRequest::KnownMagic ||
      Request.Version != StandbyRequest::KnownVersion ||
      Request.SampleInterval == 0 ||
      Request.SampleInterval > MaxSampleInterval || Request.TouchCost == 0 ||
      Request.TouchCost > MaxTouchCost) {
    closeDescriptor(Sent);
    if (Size > 0)
      answer(Client, StandbyAnswer::Unknown);
    close();
    return Event::None;
  }
  Output = Sent;
  Interval = Request.SampleInterval;
  Cost = Request.TouchCost;
  return Event::Begin;
}

StandbySocket::Event StandbySocket::poll() {
  admit();
  return Client < 0 ? Event::None : receive();
}

void StandbySocket::confirm() { answer(Client, StandbyAnswer::Recording); }

void StandbySocket::finish(bool IsWritten) {
  answer(Client, IsWritten ? StandbyAnswer::Written : StandbyAnswer::Failed);
  close();
}
