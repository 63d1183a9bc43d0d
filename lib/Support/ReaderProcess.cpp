//===- Support/ReaderProcess.cpp - Reading what is not ours ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/ReaderProcess.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <optional>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace thermocline;

/// In front of each message is the number of its bytes. Of one that says why
/// the child ends, this bit is set.
static constexpr uint64_t LastWords = uint64_t(1) << 63;
/// No answer is longer. That of a program of a gigabyte has some 100 MB.
static constexpr uint64_t MaxAnswerBytes = uint64_t(1) << 32;

/// How the child ends that got no memory.
static constexpr int OutOfMemory = 101;
static constexpr int OtherFailure = 102;
/// The socket of the child.
static constexpr int ChildSocket = 3;

/// What a request may always take, and what it may for each byte of the files.
/// Debug information takes ten times its bytes, and may be compressed to a
/// fifth. It is read at some 10 MB/s and more.
static constexpr uint64_t BaseMemory = uint64_t(512) << 20;
static constexpr uint64_t MemoryForByte = 64;
static constexpr uint64_t BaseSeconds = 10;
static constexpr uint64_t BytesASecond = 1 << 20;

static bool sendAll(int To, const char *Data, size_t Size) {
  while (Size) {
    const ssize_t Sent = send(To, Data, Size, MSG_NOSIGNAL);
    if (Sent < 0 && errno == EINTR)
      continue;
    if (Sent <= 0)
      return false;
    Data += Sent;
    Size -= Sent;
  }
  return true;
}

static bool sendMessage(int To, StringRef Text, uint64_t Flag = 0) {
  const uint64_t Head = Text.size() | Flag;
  return sendAll(To, reinterpret_cast<const char *>(&Head), sizeof(Head)) &&
         sendAll(To, Text.data(), Text.size());
}

static bool receiveAll(int Socket, char *Buffer, size_t Size) {
  while (Size) {
    const ssize_t Received = recv(Socket, Buffer, Size, 0);
    if (Received < 0 && errno == EINTR)
      continue;
    if (Received <= 0)
      return false;
    Buffer += Received;
    Size -= Received;
  }
  return true;
}

/// Nothing if the other end was closed, or does not keep to the format. \p Last
/// says whether these are last words.
static std::optional<std::string> receiveMessage(int Socket, bool &Last) {
  uint64_t Head = 0;
  if (!receiveAll(Socket, reinterpret_cast<char *>(&Head), sizeof(Head)))
    return std::nullopt;
  Last = (Head & LastWords) != 0;
  const uint64_t Size = Head & ~LastWords;
  if (Size > MaxAnswerBytes)
    return std::nullopt;
  // Memory is taken as bytes come, whatever their number is said to be.
  constexpr uint64_t Piece = 1 << 20;
  std::string Result;
  while (Result.size() != Size) {
    const uint64_t Begin = Result.size();
    Result.resize(std::min(Size, Begin + Piece));
    if (!receiveAll(Socket, Result.data() + Begin, Result.size() - Begin))
      return std::nullopt;
  }
  return Result;
}

//===-- The child ---------------------------------------------------------===//

/// The address space that this process has, in bytes.
static uint64_t addressSpace() {
  const int File = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char Text[64];
  const ssize_t Size = File < 0 ? 0 : read(File, Text, sizeof(Text));
  if (File >= 0)
    close(File);
  uint64_t Pages = 0;
  if (Size <= 0 || StringRef(Text, Size)
                       .split(' ')
                       .first.getAsInteger(
                           /*Radix=*/10, Pages))
    return 0;
  return Pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

static void limit(__rlimit_resource Resource, uint64_t Soft) {
  rlimit Limit = {};
  if (getrlimit(Resource, &Limit))
    return;
  Limit.rlim_cur = std::min<rlim_t>(Soft, Limit.rlim_max);
  setrlimit(Resource, &Limit);
}

static void allow(uint64_t FileBytes) {
  // Without /proc there is no limit of memory.
  if (const uint64_t Now = addressSpace())
    limit(RLIMIT_AS, Now + BaseMemory + FileBytes * MemoryForByte);
  rusage Used = {};
  getrusage(RUSAGE_SELF, &Used);
  limit(RLIMIT_CPU, static_cast<uint64_t>(Used.ru_utime.tv_sec) +
                        Used.ru_stime.tv_sec + BaseSeconds +
                        FileBytes / BytesASecond);
}

/// Whether this is such a child.
static bool IsChild = false;

void ReaderProcess::allowFor(uint64_t FileBytes) {
  if (IsChild)
    allow(FileBytes);
}

[[noreturn]] static void endWithoutMemory() { _exit(OutOfMemory); }

static void onBadAlloc(void *, const char *, bool) { endWithoutMemory(); }

static void onFatalError(void *, const char *Message, bool) {
  sendMessage(ChildSocket, StringRef(Message).rtrim('\n'), LastWords);
  _exit(OtherFailure);
}

/// Leaves nothing of the parent's but its memory: neither its files nor what
/// it does on signals, as to remove its outputs.
static void forgetParent(int Socket) {
  IsChild = true;
  for (int Number = 1; Number != NSIG; ++Number)
    signal(Number, SIG_DFL);
  sigset_t None;
  sigemptyset(&None);
  sigprocmask(SIG_SETMASK, &None, nullptr);
  const int Nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(Socket, ChildSocket);
  for (int Stream = 0; Stream != ChildSocket; ++Stream)
    if (Nowhere < 0 || dup2(Nowhere, Stream) < 0)
      close(Stream);
  syscall(SYS_close_range, ChildSocket + 1, ~0U, 0);
  remove_fatal_error_handler();
  install_fatal_error_handler(onFatalError);
  remove_bad_alloc_error_handler();
  install_bad_alloc_error_handler(onBadAlloc);
  std::set_new_handler(endWithoutMemory);
  limit(RLIMIT_CORE, 0);
}

[[noreturn]] static void serve(const ReaderProcess::Answer &Respond) {
  bool Last = false;
  while (const std::optional<std::string> Request =
             receiveMessage(ChildSocket, Last)) {
    allow(0);
    if (!sendMessage(ChildSocket, Respond(*Request)))
      break;
  }
  // Nothing of the parent's may be flushed or removed.
  _exit(0);
}

//===-- The parent --------------------------------------------------------===//

/// A pair of sockets. A process has few file descriptors only until it asks
/// for more.
static bool makeSockets(int (&Ends)[2]) {
  auto Make = [&] {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) == 0;
  };
  if (Make())
    return true;
  if (errno == EMFILE)
    limit(RLIMIT_NOFILE, RLIM_INFINITY);
  return Make();
}

[[noreturn]] static void cannotStart() {
  report_fatal_error(Twine("no process to read programs can be started: ") +
                         std::strerror(errno),
                     /*gen_crash_diag=*/false);
}

void ReaderProcess::start() {
  int Ends[2];
  if (!makeSockets(Ends))
    cannotStart();
  // What both processes write is to be in order.
  outs().flush();
  errs().flush();
  Child = fork();
  if (Child < 0)
    cannotStart();
  if (Child == 0) {
    forgetParent(Ends[1]);
    serve(Respond);
  }
  close(Ends[1]);
  Socket = Ends[0];
  ++NumStarted;
}

void ReaderProcess::stop() {
  if (Child < 0)
    return;
  close(Socket);
  kill(Child, SIGKILL);
  while (waitpid(Child, nullptr, 0) < 0 && errno == EINTR) {
  }
  Child = Socket = -1;
}

ReaderProcess::~ReaderProcess() { stop(); }

Error ReaderProcess::whyEnded(StringRef Said) {
  // One that breaks the format still runs.
  close(Socket);
  int Status = 0;
  rusage Used = {};
  while (wait4(Child, &Status, 0, &Used) < 0 && errno == EINTR) {
  }
  Child = Socket = -1;
  if (!Said.empty())
    return createStringError("it cannot be read: " + Said);
  if (WIFSIGNALED(Status) && WTERMSIG(Status) == SIGXCPU)
    return createStringError("reading it takes longer than a file of its size "
                             "can need");
  if (WIFSIGNALED(Status))
    return createStringError(Twine("reading it was ended by signal ") +
                             Twine(WTERMSIG(Status)) + " (" +
                             strsignal(WTERMSIG(Status)) + ")");
  if (WEXITSTATUS(Status) == OutOfMemory)
    return createStringError("reading it takes more memory than a file of its "
                             "size can need");
  return createStringError(Twine("reading it ended with exit status ") +
                           Twine(WEXITSTATUS(Status)));
}

Expected<std::string> ReaderProcess::ask(StringRef Request) {
  if (Child < 0)
    start();
  bool Last = false;
  std::optional<std::string> Received;
  if (sendMessage(Socket, Request))
    Received = receiveMessage(Socket, Last);
  if (Received && !Last)
    return std::move(*Received);
  return whyEnded(Received ? StringRef(*Received) : StringRef());
}
