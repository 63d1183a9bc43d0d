//===- thermocline/Child.cpp - Commands that are run ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

//===-- Text --------------------------------------------------------------===//

std::string front::shellWord(StringRef Word) {
  if (!Word.empty() && all_of(Word, [](char C) {
        return isAlnum(C) || StringRef("-_./=:,+@%").contains(C);
      }))
    return Word.str();
  std::string Result = "'";
  for (char C : Word)
    if (C == '\'')
      Result += "'\\''";
    else
      Result += C;
  return Result + "'";
}

std::string ShellCommand::text(StringRef Last) const {
  std::string Result;
  ListSeparator Blank(" ");
  auto Add = [&](const Twine &Text) {
    Result += StringRef(Blank);
    Result += Text.str();
  };
  for (const auto &[Name, Value] : Environment)
    Add(Name + "=" + shellWord(Value));
  for (const std::string &Word : Words) {
    // A shell would take the first word with "=" for a variable.
    const bool IsVariable = &Word == &Words.front() && is_contained(Word, '=');
    Add(IsVariable ? "'" + Word + "'" : shellWord(Word));
  }
  if (!Last.empty())
    Add(Last);
  if (!Input.empty())
    Add("< " + shellWord(Input));
  if (!Output.empty())
    Add("> " + shellWord(Output));
  if (OutToError)
    Add(">&2");
  if (!Errors.empty())
    Add("2> " + shellWord(Errors));
  return Result;
}

std::string Ending::text() const {
  if (Signal)
    return "was ended by signal " + utostr(Signal) + " (" + strsignal(Signal) +
           ")";
  return "ended with exit status " + utostr(Code);
}

Ending front::endingOf(int WaitStatus) {
  if (WIFSIGNALED(WaitStatus))
    return {.Code = 0, .Signal = WTERMSIG(WaitStatus)};
  return {.Code = WEXITSTATUS(WaitStatus), .Signal = 0};
}

//===-- Signals -----------------------------------------------------------===//

static std::atomic<pid_t> Running = 0;
static std::atomic<int> LastSignal = 0;
static constexpr int Relayed[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
static struct sigaction Former[std::size(Relayed)];

/// What a terminal sends, it sends to the program as well.
static void onSignal(int Number, siginfo_t *Info, void *) {
  const int Kept = errno;
  const pid_t To = Running;
  if (To > 0 && Info->si_code <= 0)
    kill(To, Number);
  LastSignal = Number;
  errno = Kept;
}

SignalRelay::SignalRelay() {
  forget();
  struct sigaction Action = {};
  Action.sa_sigaction = onSignal;
  Action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (auto [Number, Before] : zip(Relayed, Former)) {
    sigaction(Number, &Action, &Before);
    // What was ignored stays so: the program was started by nohup.
    if (Before.sa_handler == SIG_IGN)
      sigaction(Number, &Before, nullptr);
  }
}

SignalRelay::~SignalRelay() {
  for (auto [Number, Before] : zip(Relayed, Former))
    sigaction(Number, &Before, nullptr);
}

int SignalRelay::last() const { return LastSignal; }

void SignalRelay::forget() { LastSignal = 0; }

//===-- Processes ---------------------------------------------------------===//

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static Error systemError(StringRef What, int Number) {
  return fileError(What, std::strerror(Number));
}

/// The environment of this process with \p Set.
static std::vector<std::string>
environmentWith(ArrayRef<std::pair<std::string, std::string>> Set) {
  std::vector<std::string> Result;
  for (char **Each = environ; *Each; ++Each)
    if (none_of(Set, [&](const auto &Variable) {
          return StringRef(*Each).starts_with(Variable.first + "=");
        }))
      Result.push_back(*Each);
  for (const auto &[Name, Value] : Set)
    Result.push_back(Name + "=" + Value);
  return Result;
}

static std::vector<char *> pointersTo(std::vector<std::string> &Texts) {
  std::vector<char *> Result;
  for (std::string &Text : Texts)
    Result.push_back(Text.data());
  Result.push_back(nullptr);
  return Result;
}

Expected<Child> Child::start(const ShellCommand &Command, bool Traced) {
  const StringRef Name = Command.Words.front();
  std::string Path = Name.str();
  if (!Name.contains('/')) {
    ErrorOr<std::string> Found = sys::findProgramByName(Name);
    if (!Found)
      return fileError(Name, "there is no such program in PATH");
    Path = *Found;
  }
  SmallVector<int, 5> Open;
  scope_exit Close([&] {
    for (int Each : Open)
      ::close(Each);
  });
  // Descriptors for streams 0 to 2, -1 for that of this process.
  int Streams[3] = {-1, -1, -1};
  const std::pair<StringRef, int> Files[] = {
      {Command.Input, O_RDONLY},
      {Command.Output, O_WRONLY | O_CREAT | O_TRUNC},
      {Command.Errors, O_WRONLY | O_CREAT | O_TRUNC}};
  for (auto [File, Stream] : zip(Files, Streams)) {
    if (File.first.empty())
      continue;
    Stream = ::open(File.first.str().c_str(), File.second | O_CLOEXEC, 0666);
    if (Stream < 0)
      return systemError(File.first, errno);
    Open.push_back(Stream);
  }
  // The child says by the first why it runs nothing, and waits at the second.
  int Failure[2], Go[2];
  if (::pipe2(Failure, O_CLOEXEC) || ::pipe2(Go, O_CLOEXEC))
    return systemError(Name, errno);
  Open.append({Failure[0], Go[0]});
  std::vector<std::string> Words = Command.Words;
  std::vector<std::string> Variables = environmentWith(Command.Environment);
  std::vector<char *> Arguments = pointersTo(Words);
  std::vector<char *> Environment = pointersTo(Variables);

  Child Result;
  Result.Started = now();
  Result.Id = ::fork();
  if (Result.Id < 0) {
    const int Number = errno;
    ::close(Failure[1]);
    ::close(Go[1]);
    return systemError(Name, Number);
  }
  if (Result.Id == 0) {
    ::close(Go[1]);
    char Any;
    while (::read(Go[0], &Any, 1) < 0 && errno == EINTR)
      continue;
    for (int I = 0; I != 3; ++I)
      if (Streams[I] >= 0)
        ::dup2(Streams[I], I);
    if (Command.OutToError)
      ::dup2(2, 1);
    ::execve(Path.c_str(), Arguments.data(), Environment.data());
    const int Number = errno;
    (void)!::write(Failure[1], &Number, sizeof(Number));
    ::_exit(127);
  }
  Running = Result.Id;
  ::close(Failure[1]);
  int Number = 0;
  if (Traced &&
      ::ptrace(PTRACE_SEIZE, Result.Id, 0,
               PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL)) {
    Number = errno;
    ::kill(Result.Id, SIGKILL);
  }
  ::close(Go[1]);
  // A traced child stops when it runs its program, and what cannot be run is
  // found when it exits.
  if (!Number && !Traced)
    while (::read(Failure[0], &Number, sizeof(Number)) < 0 && errno == EINTR)
      continue;
  if (Number) {
    Result.wait();
    return systemError(Path, Number);
  }
  return Result;
}

void Child::forget() const { Running = 0; }

double Child::wallSeconds() const { return now() - Started; }

static double seconds(const timeval &Time) {
  return static_cast<double>(Time.tv_sec) +
         1e-6 * static_cast<double>(Time.tv_usec);
}

EndedRun Child::wait() const {
  int Status = 0;
  rusage Usage = {};
  while (::wait4(Id, &Status, 0, &Usage) < 0 && errno == EINTR)
    continue;
  forget();
  return {endingOf(Status), wallSeconds(),
          seconds(Usage.ru_utime) + seconds(Usage.ru_stime)};
}

/// Sends the program that runs SIGTERM when the time is over.
static void endAfter(double Seconds) {
  struct sigaction Action = {};
  Action.sa_handler = [](int) {
    const int Kept = errno;
    if (const pid_t To = Running; To > 0)
      kill(To, SIGTERM);
    errno = Kept;
  };
  Action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &Action, nullptr);
  itimerval Time = {};
  Time.it_value.tv_sec = static_cast<time_t>(Seconds);
  Time.it_value.tv_usec = static_cast<suseconds_t>(
      (Seconds - static_cast<double>(Time.it_value.tv_sec)) * 1e6);
  setitimer(ITIMER_REAL, &Time, nullptr);
}

/// Lets the time that is left pass without a signal.
static void neverEnd() {
  const itimerval None = {};
  setitimer(ITIMER_REAL, &None, nullptr);
}

Expected<EndedRun> front::run(const ShellCommand &Command,
                              std::optional<double> Seconds) {
  Expected<Child> Started = Child::start(Command);
  if (!Started)
    return Started.takeError();
  if (!Seconds)
    return Started->wait();
  endAfter(*Seconds);
  const EndedRun Result = Started->wait();
  // What runs next is not what was to be ended.
  neverEnd();
  return Result;
}
