//===- thermocline/Memory.cpp - Memory of a running program ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <optional>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

double MemoryOfRun::meanTouched() const {
  double Sum = 0;
  for (Bytes Each : Touched)
    Sum += static_cast<double>(Each.count());
  return Touched.empty() ? 0 : Sum / static_cast<double>(Touched.size());
}

/// The number in a line "Name:    1234 kB".
static std::optional<Bytes> kilobytes(StringRef Line, StringRef Name) {
  uint64_t Number;
  if (!Line.consume_front(Name) || Line.ltrim().consumeInteger(10, Number))
    return std::nullopt;
  return Bytes(Number * 1024);
}

/// Whether a mapping is the stack of a thread. libc keeps its data of the
/// thread where that begins, at the end of the mapping, and pages that nobody
/// may use before its other end. Where the stack is part of a larger mapping,
/// it cannot be told from the rest.
static bool isStack(uint64_t Begin, uint64_t End, bool HasGuard,
                    ArrayRef<uint64_t> InThreads) {
  constexpr uint64_t MostData = 256 * 1024;
  return HasGuard && any_of(InThreads, [&](uint64_t Address) {
           return Address >= Begin && Address < End &&
                  End - Address <= MostData;
         });
}

Bytes front::referencedHeap(StringRef Smaps, ArrayRef<uint64_t> InThreads) {
  Bytes Result;
  bool IsHeap = false, WasGuard = false;
  uint64_t LastEnd = 0;
  for (StringRef Line : split(Smaps, '\n')) {
    SmallVector<StringRef, 6> Words;
    // address permissions offset device inode [name]
    if (!Line.empty() && !isUpper(Line.front())) {
      Line.split(Words, ' ', 5, /*KeepEmpty=*/false);
      const StringRef Name = Words.size() > 5 ? Words[5].trim() : "";
      IsHeap = Words.size() > 4 && Words[4] == "0" &&
               (Name.empty() || Name == "[heap]" || Name.starts_with("[anon"));
      const auto [First, Last] = Words[0].split('-');
      uint64_t Begin = 0, End = 0;
      if (First.getAsInteger(16, Begin) || Last.getAsInteger(16, End))
        continue;
      IsHeap = IsHeap &&
               !isStack(Begin, End, WasGuard && Begin == LastEnd, InThreads);
      WasGuard = Words.size() > 1 && Words[1].starts_with("---");
      LastEnd = End;
    } else if (IsHeap) {
      if (std::optional<Bytes> Size = kilobytes(Line, "Referenced:"))
        Result += *Size;
    }
  }
  return Result;
}

namespace {

class MemoryRun {
public:
  MemoryRun(const Child &Process, double WindowSeconds)
      : Process(Process), WindowSeconds(WindowSeconds),
        Folder("/proc/" + utostr(Process.id()) + "/") {}

  Expected<MemoryOfRun> run();

private:
  bool isOver(int Status);
  void begin();
  void endWindow();
  void end();
  bool isWindowOver() const;
  void resume(int Request, int Signal);
  double processorSeconds() const;
  std::string read(StringRef Name);
  std::vector<uint64_t> addressesInThreads() const;
  void note(const Twine &What, int Number);

  const Child &Process;
  const double WindowSeconds;
  const std::string Folder;
  MemoryOfRun Result;
  bool IsCounting = false;
  double WindowBegan = 0;
  /// What the kernel did not allow, the first of it.
  std::string Problem;
};

} // namespace

void MemoryRun::note(const Twine &What, int Number) {
  if (Problem.empty())
    Problem = (What + ": " + std::strerror(Number)).str();
}

std::string MemoryRun::read(StringRef Name) {
  auto Text = MemoryBuffer::getFileAsStream(Folder + Name);
  if (Text)
    return (*Text)->getBuffer().str();
  note(Folder + Name, Text.getError().value());
  return "";
}

/// The processor time of all threads.
double MemoryRun::processorSeconds() const {
  clockid_t Clock;
  timespec Time = {};
  if (clock_getcpuclockid(Process.id(), &Clock) || clock_gettime(Clock, &Time))
    return 0;
  return static_cast<double>(Time.tv_sec) +
         1e-9 * static_cast<double>(Time.tv_nsec);
}

void MemoryRun::begin() {
  const int Marks =
      ::open((Folder + "clear_refs").c_str(), O_WRONLY | O_CLOEXEC);
  if (Marks < 0 || ::write(Marks, "1", 1) != 1)
    note(Folder + "clear_refs", errno);
  // The processor marks no page whose translation it still has. To clear the
  // soft-dirty bits makes it forget them, where the kernel has these.
  if (Marks >= 0) {
    (void)!::write(Marks, "4", 1);
    ::close(Marks);
  }
  IsCounting = true;
  WindowBegan = processorSeconds();
}

/// An address in libc's data of each thread but the first: that of the list of
/// its locks, which the kernel looks at when it ends.
std::vector<uint64_t> MemoryRun::addressesInThreads() const {
  std::vector<uint64_t> Result;
  std::error_code EC;
  for (sys::fs::directory_iterator Each(Folder + "task", EC), End;
       !EC && Each != End; Each.increment(EC)) {
    long Thread = 0;
    uint64_t Head = 0;
    size_t Size = 0;
    if (!sys::path::filename(Each->path()).getAsInteger(10, Thread) &&
        Thread != Process.id() &&
        ::syscall(SYS_get_robust_list, Thread, &Head, &Size) == 0 && Head)
      Result.push_back(Head);
  }
  return Result;
}

void MemoryRun::endWindow() {
  Result.Touched.push_back(referencedHeap(read("smaps"), addressesInThreads()));
}

bool MemoryRun::isWindowOver() const {
  return IsCounting && processorSeconds() - WindowBegan >= WindowSeconds;
}

void MemoryRun::end() {
  if (!IsCounting)
    return;
  // What is left of a window after the last whole one would be a small one.
  if (Result.Touched.empty() ||
      processorSeconds() - WindowBegan >= WindowSeconds / 2)
    endWindow();
  IsCounting = false;
  const std::string Status = read("status");
  for (StringRef Line : split(Status, '\n')) {
    if (auto Size = kilobytes(Line, "VmHWM:"))
      Result.Peak = *Size;
    if (auto Size = kilobytes(Line, "VmRSS:"))
      Result.Final = *Size;
  }
}

void MemoryRun::resume(int Request, int Signal) {
  ::ptrace(static_cast<__ptrace_request>(Request), Process.id(), 0, Signal);
}

/// Handles what wait4 says. \returns whether the process is no more.
bool MemoryRun::isOver(int Status) {
  if (!WIFSTOPPED(Status)) {
    Result.How = endingOf(Status);
    if (IsCounting && !Result.How.Signal && Problem.empty())
      Problem = "the program ended before its memory could be looked at";
    return true;
  }
  const int Signal = WSTOPSIG(Status);
  switch (Status >> 16) {
  case PTRACE_EVENT_EXEC:
    Result.Touched.clear();
    begin();
    resume(PTRACE_CONT, 0);
    break;
  case PTRACE_EVENT_EXIT:
    end();
    resume(PTRACE_CONT, 0);
    break;
  case PTRACE_EVENT_STOP:
    if (Signal != SIGTRAP) {
      // The program stopped itself, until somebody lets it go on.
      resume(PTRACE_LISTEN, 0);
      break;
    }
    if (isWindowOver()) {
      endWindow();
      begin();
    }
    resume(PTRACE_CONT, 0);
    break;
  default:
    resume(PTRACE_CONT, Signal);
  }
  return false;
}

Expected<MemoryOfRun> MemoryRun::run() {
  for (;;) {
    int Status = 0;
    const pid_t Got = ::wait4(Process.id(), &Status, __WALL | WNOHANG, nullptr);
    if (Got < 0 && errno != EINTR) {
      note("wait", errno);
      break;
    }
    if (Got > 0 && isOver(Status))
      break;
    if (Got != 0)
      continue;
    if (isWindowOver())
      ::ptrace(PTRACE_INTERRUPT, Process.id(), 0, 0);
    timespec Pause = {
        0, static_cast<long>(1e9 * std::min(0.002, WindowSeconds / 4))};
    nanosleep(&Pause, nullptr);
  }
  Process.forget();
  if (!Problem.empty())
    return createStringError(Problem);
  return std::move(Result);
}

Expected<MemoryOfRun> front::runForMemory(const ShellCommand &Command,
                                          double WindowSeconds) {
  Expected<Child> Process = Child::start(Command, /*Traced=*/true);
  if (!Process)
    return Process.takeError();
  return MemoryRun(*Process, WindowSeconds).run();
}
