//===- profile/platform/System.cpp - What is asked of the kernel ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "System.h"
#include "Memory.h"
#include "TestClock.h"
#include "arch/AddressSpace.h"
#include "arch/Processor.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

namespace thermocline::runtime {

size_t ThePageBytes = LeastPageBytes;
uint8_t TheTouchPageShift = __builtin_ctzll(LeastPageBytes);

long sys::call(long Number, long A, long B, long C, long D, long E, long F) {
  return arch::systemCall(Number, A, B, C, D, E, F);
}

//===-- Threads -----------------------------------------------------------===//

static uint64_t changeBlockedSignals(int How, uint64_t Signals) {
  uint64_t Old = 0;
  sys::call(SYS_rt_sigprocmask, How, sys::asLong(&Signals), sys::asLong(&Old),
            sizeof(Signals));
  return Old;
}

uint64_t sys::setBlockedSignals(uint64_t Signals) {
  return changeBlockedSignals(SIG_SETMASK, Signals);
}

uint64_t sys::blockSignals(uint64_t Also) {
  return changeBlockedSignals(SIG_BLOCK, Also);
}

void sys::pauseShortly() {
  timespec Pause = {0, PauseMicroseconds * 1000};
  call(SYS_nanosleep, asLong(&Pause), 0);
}

static bool barrierInThreads(int Command) {
  return sys::call(SYS_membarrier, Command, 0) == 0;
}

bool sys::registerForBarriers() {
  return barrierInThreads(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
         barrierInThreads(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

void sys::barrierInAllThreads() {
  if (barrierInThreads(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
      registerForBarriers())
    return;
  // Some hundred times as long as a processor holds a store back.
  timespec Millisecond = {0, 1000000};
  call(SYS_nanosleep, asLong(&Millisecond), 0);
}

//===-- Memory ------------------------------------------------------------===//

static constexpr int mappingFlags(sys::Use U) {
  return MAP_PRIVATE | MAP_ANONYMOUS |
         (U == sys::Use::Sparse ? MAP_NORESERVE : 0);
}

/// Maps memory so that it does not count as the program's data, which may be
/// limited (RLIMIT_DATA): what can grow like a stack does not count.
static long mapMemory(uintptr_t Address, size_t Size, int Flags, sys::Use U) {
  auto Map = [&](int AllFlags) {
    return sys::call(SYS_mmap, static_cast<long>(Address),
                     static_cast<long>(Size), PROT_READ | PROT_WRITE, AllFlags,
                     -1, 0);
  };
  Flags |= mappingFlags(U);
  long Result = Map(Flags);
  return Result == -ENOMEM && U == sys::Use::Sparse ? Map(Flags | MAP_GROWSDOWN)
                                                    : Result;
}

static bool isError(long Result) { return Result < 0 && Result > -4096; }

/// A place for small memory of the runtime's own, away from where the kernel
/// puts libraries: what comes and goes while a library is unloaded must not be
/// at its addresses when they are reserved, see Segments.h.
static uintptr_t placeForOwn(size_t Size) {
  static Atomic<uintptr_t> Used;
  constexpr size_t MaxSize = size_t(1) << 20;
  // Anywhere, so that large memory may get huge pages.
  if (Size > MaxSize)
    return 0;
  return arch::Plan.OwnBegin +
         Used.fetchAdd(roundUp(Size, pageBytes())) % arch::Plan.OwnBytes;
}

void *sys::mapPages(size_t Size, Use U) {
  // The kernel takes another place if anything is at this one.
  long Result = mapMemory(placeForOwn(Size), Size, 0, U);
  return isError(Result) ? nullptr : reinterpret_cast<void *>(Result);
}

void *sys::mapPagesAt(uintptr_t Address, size_t Size, bool &IsTaken, Use U) {
  long Result = mapMemory(Address, Size, MAP_FIXED_NOREPLACE, U);
  IsTaken = Result == -EEXIST;
  if (isError(Result))
    return nullptr;
  auto *Mapped = reinterpret_cast<void *>(Result);
  if (static_cast<uintptr_t>(Result) == Address)
    return Mapped;
  // A kernel that does not know the flag.
  IsTaken = true;
  unmapPages(Mapped, Size);
  return nullptr;
}

void sys::unmapPages(void *Address, size_t Size) {
  call(SYS_munmap, asLong(Address), static_cast<long>(Size));
}

bool sys::movePages(void *From, size_t Size, void *To, size_t NewSize) {
  return call(SYS_mremap, asLong(From), static_cast<long>(Size),
              static_cast<long>(NewSize), MREMAP_MAYMOVE | MREMAP_FIXED,
              asLong(To)) == asLong(To);
}

static bool advise(void *Address, size_t Size, int Advice) {
  return sys::call(SYS_madvise, sys::asLong(Address), static_cast<long>(Size),
                   Advice) == 0;
}

/// Takes pages out of the page table, also those that the program has locked.
static bool dropPages(void *Address, size_t Size) {
  return advise(Address, Size, MADV_DONTNEED) ||
         advise(Address, Size, MADV_DONTNEED_LOCKED);
}

void sys::discardPages(void *Address, size_t Size) {
  if (!dropPages(Address, Size))
    fillBytes(Address, 0, Size);
}

long sys::makeMemoryFile(size_t Size) {
  // What would be larger than the program's files may be is a signal.
  if (limitOf(RLIMIT_FSIZE) < Size)
    return -EFBIG;
  // Old kernels do not know the second flag, and some new ones want it.
  constexpr unsigned CloseOnExec = 1, NeverExecuted = 8;
  constexpr char Name[] = "thermocline";
  long File = call(SYS_memfd_create, asLong(Name), CloseOnExec | NeverExecuted);
  if (File == -EINVAL)
    File = call(SYS_memfd_create, asLong(Name), CloseOnExec);
  if (File < 0)
    return File;
  const long Error = call(SYS_ftruncate, File, static_cast<long>(Size));
  if (Error == 0)
    return File;
  call(SYS_close, File);
  return Error;
}

/// Maps \p File, or other memory if it is none, at \p Address, for this process
/// alone.
static bool mapOver(void *Address, size_t Size, int Protection, int Sharing,
                    long File) {
  const int Flags =
      Sharing | MAP_FIXED | MAP_NORESERVE | (File < 0 ? MAP_ANONYMOUS : 0);
  const long Result =
      sys::call(SYS_mmap, sys::asLong(Address), static_cast<long>(Size),
                Protection, Flags, File < 0 ? -1 : File, 0);
  if (Result != sys::asLong(Address))
    return false;
  advise(Address, Size, MADV_NOHUGEPAGE);
  advise(Address, Size, MADV_DONTDUMP);
  return advise(Address, Size, MADV_DONTFORK);
}

bool sys::sharePages(void *Address, size_t Size, long File) {
  return mapOver(Address, Size, PROT_READ | PROT_WRITE, MAP_SHARED, File);
}

bool sys::mapPrivately(void *Address, size_t Size, long File) {
  return mapOver(Address, Size, PROT_NONE, MAP_PRIVATE, File);
}

void *sys::mapAgain(void *Address, size_t Size) {
  // Nothing of what is shared is moved.
  const long Result = call(SYS_mremap, asLong(Address), 0,
                           static_cast<long>(Size), MREMAP_MAYMOVE);
  if (isError(Result))
    return nullptr;
  auto *Pages = reinterpret_cast<void *>(Result);
  advise(Pages, Size, MADV_DONTDUMP);
  return Pages;
}

void sys::showInCore(void *Address, size_t Size) {
  advise(Address, Size, MADV_DODUMP);
}

void *sys::reservePages(size_t Size) {
  // What can grow like a stack never counts as data, see mapMemory().
  const long Result = call(SYS_mmap, 0, static_cast<long>(Size), PROT_NONE,
                           mappingFlags(Use::Sparse) | MAP_GROWSDOWN, -1, 0);
  if (isError(Result))
    return nullptr;
  auto *Pages = reinterpret_cast<void *>(Result);
  advise(Pages, Size, MADV_NOHUGEPAGE);
  return Pages;
}

bool sys::useReserved(void *Address, size_t Size) {
  // If the program has locked it, the kernel would bring in all of it.
  call(SYS_munlock, asLong(Address), static_cast<long>(Size));
  return call(SYS_mprotect, asLong(Address), static_cast<long>(Size),
              PROT_READ | PROT_WRITE) == 0;
}

void sys::returnReserved(void *Address, size_t Size) {
  advise(Address, Size, MADV_DONTNEED);
  call(SYS_mprotect, asLong(Address), static_cast<long>(Size), PROT_NONE);
}

bool sys::usePrivate(void *Address, size_t Size) {
  if (!useReserved(Address, Size))
    return false;
  if (advise(Address, Size, MADV_DOFORK))
    return true;
  returnReserved(Address, Size);
  return false;
}

void sys::idlePrivate(void *Address, size_t Size) {
  call(SYS_munlock, asLong(Address), static_cast<long>(Size));
  advise(Address, Size, MADV_DONTFORK);
  returnReserved(Address, Size);
}

bool sys::isUnmapped(void *Address) {
  return call(SYS_madvise, asLong(Address), static_cast<long>(pageBytes()),
              MADV_NORMAL) == -ENOMEM;
}

bool sys::takeOutPages(void *Address, size_t Size) {
  return dropPages(Address, Size);
}

void sys::markSparse(void *Address, size_t Size) {
  advise(Address, Size, MADV_NOHUGEPAGE);
  advise(Address, Size, MADV_DONTDUMP);
}

/// Whether the kernel can read the aligned word at \p Address. Asks for a
/// change of the signal mask that does not exist, with this word as the mask.
static bool isReadable(uintptr_t Address) {
  constexpr long NoChange = -1;
  return sys::call(SYS_rt_sigprocmask, NoChange, static_cast<long>(Address), 0,
                   sizeof(uint64_t)) == -EINVAL;
}

bool sys::readMemory(void *To, uintptr_t From, size_t Size) {
  iovec Local = {To, Size};
  iovec Remote = {reinterpret_cast<void *>(From), Size};
  long Result = call(SYS_process_vm_readv, processId(), asLong(&Local), 1,
                     asLong(&Remote), 1, 0);
  if (Result != -EPERM && Result != -ENOSYS)
    return Result == static_cast<long>(Size);
  // Sandboxes deny that, but not what every libc needs.
  if (From > UINTPTR_MAX - Size)
    return false;
  for (uintptr_t Page = roundDown(From, pageBytes()); Page < From + Size;
       Page += pageBytes())
    if (!isReadable(Page))
      return false;
  copyBytes(To, reinterpret_cast<const void *>(From), Size);
  return true;
}

//===-- Process, time -----------------------------------------------------===//

int sys::processId() { return static_cast<int>(call(SYS_getpid)); }
int sys::threadId() { return static_cast<int>(call(SYS_gettid)); }

unsigned sys::countThreads() {
  // A folder has a link more for each folder in it, of which each thread has
  // one, beside its own two.
  constexpr char Path[] = "/proc/self/task";
  struct stat Tasks = {};
  if (call(SYS_newfstatat, AT_FDCWD, asLong(Path), asLong(&Tasks), 0) != 0)
    return 0;
  return Tasks.st_nlink > 2 ? static_cast<unsigned>(Tasks.st_nlink) - 2 : 0;
}

static Atomic<bool> LibcReady;

void sys::useLibc() { LibcReady.store(true); }

uint64_t sys::nanoseconds() {
  if (TestClock::isOn())
    return TestClock::microseconds() * 1000;
  timespec Now = {};
  if (!LibcReady.load() || clock_gettime(CLOCK_MONOTONIC, &Now) != 0)
    call(SYS_clock_gettime, CLOCK_MONOTONIC, asLong(&Now));
  return static_cast<uint64_t>(Now.tv_sec) * 1000000000 +
         static_cast<uint64_t>(Now.tv_nsec);
}

static uint64_t microsecondsOf(clockid_t Clock) {
  timespec Now = {};
  sys::call(SYS_clock_gettime, Clock, sys::asLong(&Now));
  return static_cast<uint64_t>(Now.tv_sec) * 1000000 +
         static_cast<uint64_t>(Now.tv_nsec) / 1000;
}

uint64_t sys::threadMicroseconds() {
  return TestClock::isOn() ? 0 : microsecondsOf(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t sys::processMicroseconds() {
  if (TestClock::isOn())
    return TestClock::processMicroseconds();
  return microsecondsOf(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t sys::firstThreadMicroseconds() {
  if (TestClock::isOn())
    return TestClock::processMicroseconds();
  // The kernel makes the number of a thread's clock in this way.
  constexpr unsigned Kind = 6; // CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED
  return microsecondsOf(
      static_cast<clockid_t>(~static_cast<unsigned>(processId()) << 3 | Kind));
}

uint32_t sys::currentCpu() {
  if (LibcReady.load())
    if (int Cpu = sched_getcpu(); Cpu >= 0)
      return static_cast<uint32_t>(Cpu);
  unsigned Cpu = 0;
  call(SYS_getcpu, asLong(&Cpu), 0, 0);
  return Cpu;
}

uint64_t sys::limitOf(int Resource) {
  rlimit64 Limit = {RLIM64_INFINITY, RLIM64_INFINITY};
  call(SYS_prlimit64, 0, Resource, 0, asLong(&Limit));
  static_assert(RLIM64_INFINITY == UINT64_MAX);
  return Limit.rlim_cur;
}

void sys::exitProcess(int Status) {
  for (;;)
    call(SYS_exit_group, Status);
}

} // namespace thermocline::runtime
