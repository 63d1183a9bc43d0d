//===- profile/platform/System.h - What is asked of the kernel --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// System calls made directly, so that they work before libc is initialized, in
// signal handlers and after exit handlers, and leave errno alone.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_SYSTEM_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_SYSTEM_H

#include "Base.h"

namespace thermocline::runtime::sys {

/// The system call \p Number. \returns its result, or -errno.
long call(long Number, long A = 0, long B = 0, long C = 0, long D = 0,
          long E = 0, long F = 0);

/// An argument of call().
template <typename T> long asLong(T *Pointer) {
  return reinterpret_cast<long>(Pointer);
}

/// How much of a mapping is to be touched: little of it, or perhaps all, so
/// that the kernel refuses what is more than the machine has.
enum class Use { Sparse, Whole };
/// Zeroed pages, committed when touched. \returns null if there are none.
void *mapPages(size_t Size, Use U = Use::Sparse);
/// Maps zeroed pages at \p Address. \returns null if there are none, and also,
/// with \p IsTaken set, if anything is there.
void *mapPagesAt(uintptr_t Address, size_t Size, bool &IsTaken,
                 Use U = Use::Sparse);
void unmapPages(void *Address, size_t Size);
/// Moves whole pages to \p To, where other pages are that they take the place
/// of, and makes them \p NewSize bytes. \returns false if the kernel cannot;
/// then there may be nothing at \p To.
bool movePages(void *From, size_t Size, void *To, size_t NewSize);
/// Makes whole pages zero, and gives their memory back if the kernel allows.
void discardPages(void *Address, size_t Size);
/// A file in memory that has no name, of \p Size bytes that are zero. \returns
/// its descriptor, or -errno.
long makeMemoryFile(size_t Size);
/// Makes memory at \p Address, that of \p File if this is one, that a child of
/// a fork would share, had it any there: to be taken out of the page table.
/// Core files leave it out, as they would be as large as all of it. \returns
/// false if there is none.
bool sharePages(void *Address, size_t Size, long File);
/// Maps \p File at \p Address, where other pages are that it takes the place
/// of, so that what is written there does not reach the file. Nobody can use
/// it, nor does a child have it, before usePrivate(). \returns false if there
/// is none.
bool mapPrivately(void *Address, size_t Size, long File);
/// \returns false if there is no memory.
bool usePrivate(void *Address, size_t Size);
/// Forgets what was written there. Nobody can use it again.
void idlePrivate(void *Address, size_t Size);
/// Whether no page is mapped at \p Address.
bool isUnmapped(void *Address);
/// Lets core files have a part of it all the same.
void showInCore(void *Address, size_t Size);
/// Takes whole pages that are shared out of the page table. They keep what is
/// in them. \returns false if the kernel does not.
bool takeOutPages(void *Address, size_t Size);
/// Maps the memory of sharePages() once more. \returns null if there are no
/// addresses left.
void *mapAgain(void *Address, size_t Size);
/// Addresses for memory of the process's own. They can be used later whatever
/// the program limits until then. \returns null if there are none.
void *reservePages(size_t Size);
/// Makes zeroed pages of what was reserved, to be moved away, or returned.
/// \returns false if there is no memory.
bool useReserved(void *Address, size_t Size);
void returnReserved(void *Address, size_t Size);
/// Keeps huge pages and core dumps away from a sparse mapping.
void markSparse(void *Address, size_t Size);

int processId();
int threadId();
/// How many threads the kernel knows of this process; 0 if it does not say.
/// Opens no file.
unsigned countThreads();

// The signals that this thread blocks, as a mask whose lowest bit is of signal
// 1. By system calls: libc leaves out signals that it needs itself.

/// Both return what was blocked before.
uint64_t setBlockedSignals(uint64_t Signals);
uint64_t blockSignals(uint64_t Also);

// Where a test sets the time, all clocks are those of TestClock.h, and work
// takes none.

/// Nanoseconds of a clock that never goes back; Clock.h has a faster one.
uint64_t nanoseconds();
/// CPU time of this thread.
uint64_t threadMicroseconds();
/// CPU time of all threads of the process. What other threads use comes in
/// steps of some milliseconds.
uint64_t processMicroseconds();
/// CPU time of the thread that the process began with, also while it runs; 0 if
/// that is not known.
uint64_t firstThreadMicroseconds();
/// The CPU that runs this thread; Clock.h has a faster way.
uint32_t currentCpu();
/// Lets other threads run for the time that a short piece of work takes.
void pauseShortly();
constexpr unsigned PauseMicroseconds = 50;

/// Asks the kernel whether barrierInAllThreads() can be quick and certain.
bool registerForBarriers();
/// Returns when each thread of this process has made a full memory barrier
/// since the call: what one of them stored before its barrier is seen here, and
/// what this one stored is seen there. Where the kernel has begun to deny it (a
/// sandbox that the program entered), waits so long that no store can still be
/// on its way.
void barrierInAllThreads();

/// After libc is initialized its faster clock and CPU number are used.
void useLibc();

/// Copies \p Size bytes that may not be mapped. \returns false if they are not.
/// Where a sandbox denies one process to read another's memory, they must not
/// be unmapped in between.
bool readMemory(void *To, uintptr_t From, size_t Size);

/// How much of \p Resource (RLIMIT_AS ...) the process may use; UINT64_MAX if
/// there is no limit.
uint64_t limitOf(int Resource);

[[noreturn]] void exitProcess(int Status);

} // namespace thermocline::runtime::sys

#endif
