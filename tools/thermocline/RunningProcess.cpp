//===- thermocline/RunningProcess.cpp - What runs already -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunningProcess.h"
#include "thermocline/Format/Live/ProfilerFunctions.h"
#include "thermocline/Format/Live/StandbyProtocol.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;
using format::StandbyAnswer;

static std::string errnoText() { return std::strerror(errno); }

static std::string inProc(pid_t Id, const char *Name) {
  return "/proc/" + std::to_string(Id) + "/" + Name;
}

/// The text of a file of /proc; empty if it cannot be read.
static std::string readProc(pid_t Id, const char *Name) {
  auto Text = MemoryBuffer::getFileAsStream(inProc(Id, Name));
  return Text ? (*Text)->getBuffer().str() : "";
}

Error RunningProcess::error(const Twine &Text) const {
  return fileError("process " + std::to_string(Id), Text);
}

Expected<RunningProcess> RunningProcess::find(pid_t Id) {
  RunningProcess Result(Id);
  struct stat Folder;
  if (::stat(("/proc/" + std::to_string(Id)).c_str(), &Folder) != 0)
    return Result.error("there is no such process");
  char Path[PATH_MAX];
  const ssize_t Size =
      ::readlink(inProc(Id, "exe").c_str(), Path, sizeof(Path));
  if (Size < 0) {
    if (Folder.st_uid != geteuid() && geteuid() != 0)
      return Result.error("it is of another user (" + Twine(Folder.st_uid) +
                          "): only that one and root may record it");
    return Result.error("its program is not known: " + errnoText());
  }
  Result.Program.assign(Path, static_cast<size_t>(Size));
  // In a container its files are elsewhere.
  const std::string Inside = inProc(Id, "root") + Result.Program;
  if (!sys::fs::exists(Result.Program) && sys::fs::exists(Inside))
    Result.Program = Inside;
  // As long as the process runs, what it was started from can be read, also
  // where another file has the name now.
  if (!sys::fs::exists(Result.Program))
    Result.Program = inProc(Id, "exe");
  return std::move(Result);
}

RunningProcess::RunningProcess(pid_t Id)
    : Id(Id), Handle(static_cast<int>(::syscall(SYS_pidfd_open, Id, 0))) {}

RunningProcess::RunningProcess(RunningProcess &&Other)
    : Id(Other.Id), Handle(std::exchange(Other.Handle, -1)),
      Program(std::move(Other.Program)) {}

RunningProcess::~RunningProcess() {
  if (Handle >= 0)
    ::close(Handle);
}

/// The number that the process has for itself.
static std::string ownNumber(pid_t Id) {
  const std::string Status = readProc(Id, "status");
  const StringRef Numbers =
      StringRef(Status).split("\nNSpid:").second.split('\n').first;
  const StringRef Last = Numbers.rtrim().rsplit('\t').second;
  return Last.empty() ? std::to_string(Id) : Last.str();
}

/// Connects to the socket of this name, if it is that of the process \p Id.
/// \returns -1 if it is not.
static int connectTo(const std::string &Text, pid_t Id) {
  sockaddr_un Name = {};
  const size_t Length = std::min(Text.size(), sizeof(Name.sun_path) - 1);
  const auto Size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + Length);
  Name.sun_family = AF_UNIX;
  std::memcpy(Name.sun_path + 1, Text.data(), Length);
  const int Socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  ucred Peer = {};
  socklen_t PeerBytes = sizeof(Peer);
  if (::connect(Socket, reinterpret_cast<const sockaddr *>(&Name), Size) == 0 &&
      ::getsockopt(Socket, SOL_SOCKET, SO_PEERCRED, &Peer, &PeerBytes) == 0 &&
      Peer.pid == Id)
    return Socket;
  ::close(Socket);
  return -1;
}

Expected<int> RunningProcess::connect() const {
  const std::string Name = format::StandbySocketName + ownNumber(Id);
  if (const int Socket = connectTo(Name, Id); Socket >= 0)
    return Socket;
  // Where one of another container has the name, its namespace is behind it.
  char Namespace[64];
  if (const ssize_t Size = ::readlink(inProc(Id, "ns/pid").c_str(), Namespace,
                                      sizeof(Namespace));
      Size > 0)
    if (const int Socket = connectTo(
            Name + std::string(Namespace, static_cast<size_t>(Size)), Id);
        Socket >= 0)
      return Socket;
  const bool HasLibrary =
      StringRef(readProc(Id, "maps")).contains(format::ProfilerLibrary);
  return error(
      HasLibrary
          ? "it has the library, but does not wait for requests: it was "
            "started without MEMPROF_OPTIONS=standby=1, has said why not, or "
            "is in a container with a network of its own (nsenter --net "
            "--target=" +
                Twine(Id) + ")"
          : Twine("it was not started in standby: start it with "
                  "LD_PRELOAD=libthermocline_preload.so and "
                  "MEMPROF_OPTIONS=standby=1"));
}

/// Sends the request, with the file that the profile goes to.
static bool sendRequest(int Socket, int File, unsigned SampleInterval,
                        unsigned TouchCost) {
  format::StandbyRequest Request;
  Request.SampleInterval = SampleInterval;
  Request.TouchCost = TouchCost;
  iovec Place = {&Request, sizeof(Request)};
  alignas(cmsghdr) char Control[CMSG_SPACE(sizeof(int))] = {};
  msghdr Packet = {};
  Packet.msg_iov = &Place;
  Packet.msg_iovlen = 1;
  Packet.msg_control = Control;
  Packet.msg_controllen = sizeof(Control);
  cmsghdr *Header = CMSG_FIRSTHDR(&Packet);
  Header->cmsg_level = SOL_SOCKET;
  Header->cmsg_type = SCM_RIGHTS;
  Header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(Header), &File, sizeof(File));
  return ::sendmsg(Socket, &Packet, MSG_NOSIGNAL) == sizeof(Request);
}

/// Waits until there is an answer, or the end of the connection. \returns false
/// if \p Signals end that: a process that is stopped never answers.
bool RunningProcess::answers(int Socket, const Interrupts &Signals) const {
  const std::string Status = readProc(Id, "status");
  const StringRef State =
      StringRef(Status).split("\nState:").second.split('\n').first.ltrim();
  if (State.starts_with_insensitive("T")) {
    errs() << "process " << Id
           << " is stopped: it answers when it goes on, and Ctrl-C ends "
              "waiting\n";
    errs().flush();
  }
  return Signals.wait(Socket, std::nullopt) == Interrupts::Why::Ready;
}

/// Whether the process, which has closed its connection, has ended. At its end
/// it does that a moment before.
bool RunningProcess::hasEnded() const {
  constexpr int LongestMs = 2000;
  pollfd End = {Handle, POLLIN, 0};
  return ::poll(&End, 1, LongestMs) != 0;
}

/// Reads an answer. \returns nothing if the connection has ended.
static std::optional<StandbyAnswer> receive(int Socket) {
  StandbyAnswer Answer;
  ssize_t Size;
  // If the process closed the connection before it read all that was sent,
  // the kernel says so first, and gives the answer then.
  unsigned Resets = 0;
  do
    Size = ::recv(Socket, &Answer, sizeof(Answer), 0);
  while (Size < 0 &&
         (errno == EINTR || (errno == ECONNRESET && Resets++ == 0)));
  if (Size != sizeof(Answer))
    return std::nullopt;
  return Answer;
}

Expected<RunningProcess::Recorded>
RunningProcess::record(const std::string &Path, unsigned SampleInterval,
                       unsigned TouchCost, std::optional<double> Seconds,
                       const Interrupts &Signals) const {
  const int File =
      ::open(Path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (File < 0)
    return fileError(Path, errnoText());
  scope_exit CloseFile([&] { ::close(File); });
  scope_exit RemoveFile([&] { ::unlink(Path.c_str()); });
  Expected<int> Socket = connect();
  if (!Socket)
    return Socket.takeError();
  scope_exit CloseSocket([&] { ::close(*Socket); });

  // Where this fails there may be an answer all the same.
  (void)sendRequest(*Socket, File, SampleInterval, TouchCost);
  if (!answers(*Socket, Signals))
    return error("it has not answered");
  const std::optional<StandbyAnswer> First = receive(*Socket);
  if (!First)
    return error("it has ended, or does not answer");
  switch (*First) {
  case StandbyAnswer::Recording:
    break;
  case StandbyAnswer::Busy:
    return error("it is being recorded already");
  case StandbyAnswer::Denied:
    return error("it is of another user: only that one and root may record it");
  default:
    return error("it was started with a library of another version");
  }
  const auto Begin = std::chrono::steady_clock::now();
  errs() << "recording process " << Id
         << (Seconds ? "" : ", until it ends or Ctrl-C is pressed") << '\n';
  errs().flush();
  bool IsInterrupted =
      Signals.wait(*Socket, Seconds) == Interrupts::Why::Interrupted;
  const std::chrono::duration<double> Took =
      std::chrono::steady_clock::now() - Begin;
  // If it has ended it has answered, or not.
  (void)::send(*Socket, &format::EndRecording, sizeof(format::EndRecording),
               MSG_NOSIGNAL);
  // Once more ends waiting for the profile.
  if (IsInterrupted)
    Signals.forget();
  while (!answers(*Socket, Signals)) {
    if (IsInterrupted)
      return error("it has not written its profile");
    IsInterrupted = true;
    Signals.forget();
  }
  const std::optional<StandbyAnswer> Last = receive(*Socket);
  if (!Last)
    return error(hasEnded()
                     ? "it has ended, and left no profile: only one that ends "
                       "by exit() leaves one"
                     : "it goes on, but the thread in it that records has "
                       "ended: it has said why, or a filter of system calls "
                       "killed the thread");
  if (*Last != StandbyAnswer::Written)
    return error("it could not write the profile, and says why");
  RemoveFile.release();
  return Recorded{Took.count(), IsInterrupted};
}
