//===- unit/Runtime/Platform/SystemTest.cpp -------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "platform/System.h"
#include "platform/Files.h"
#include "gtest/gtest.h"
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace thermocline::runtime;

namespace {

bool denyReadingProcesses() {
  sock_filter Filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog Program = {4, Filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program) == 0;
}

/// Three pages: one that can be read, one that cannot, and none.
void expectToRead() {
  void *Mapped = mmap(nullptr, 3 * pageBytes(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(Mapped, MAP_FAILED);
  char *Pages = static_cast<char *>(Mapped);
  memcpy(Pages + pageBytes() - 4, "text", 4);
  ASSERT_EQ(mprotect(Pages + pageBytes(), pageBytes(), PROT_NONE), 0);
  ASSERT_EQ(munmap(Pages + 2 * pageBytes(), pageBytes()), 0);
  char Text[8] = {};
  auto Read = [&](uintptr_t Address, size_t Size) {
    return sys::readMemory(Text, Address, Size);
  };
  auto Begin = reinterpret_cast<uintptr_t>(Pages);
  EXPECT_TRUE(Read(Begin + pageBytes() - 4, 4));
  EXPECT_STREQ(Text, "text");
  EXPECT_TRUE(Read(Begin + 1, 8));
  EXPECT_FALSE(Read(Begin + pageBytes() - 4, 5));
  EXPECT_FALSE(Read(Begin + pageBytes(), 1));
  EXPECT_FALSE(Read(Begin + 2 * pageBytes(), 8));
  EXPECT_FALSE(Read(0, 8));
  EXPECT_FALSE(Read(UINTPTR_MAX - 3, 8));
  EXPECT_FALSE(Read(uintptr_t(1) << 60, 8));
}

} // namespace

TEST(SystemTest, ReadsWhatCanBeRead) { expectToRead(); }

TEST(SystemTest, ReadsWhatCanBeReadInASandbox) {
  // Not this process, which may have other tests to run.
  pid_t Child = fork();
  if (Child == 0) {
    if (!denyReadingProcesses())
      _exit(2);
    expectToRead();
    _exit(testing::Test::HasFailure());
  }
  int Status = -1;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
}

// Where a library has been unloaded, nothing of the runtime's comes and goes
// before its addresses are reserved.
TEST(SystemTest, KeepsItsMemoryAwayFromLibraries) {
  const size_t LibraryBytes = 256 * pageBytes();
  void *Library = mmap(nullptr, LibraryBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(Library, MAP_FAILED);
  const uintptr_t Begin = reinterpret_cast<uintptr_t>(Library);
  auto IsThere = [&](const void *Pages) {
    return reinterpret_cast<uintptr_t>(Pages) - Begin < LibraryBytes;
  };
  munmap(Library, LibraryBytes);

  std::vector<void *> All;
  for (unsigned I = 0; I != 1000; ++I) {
    All.push_back(sys::mapPages(pageBytes() << I % 8));
    ASSERT_TRUE(All.back());
    EXPECT_FALSE(IsThere(All.back()));
  }
  for (unsigned I = 0; I != All.size(); ++I)
    sys::unmapPages(All[I], pageBytes() << I % 8);

  // It grows as the file is read: /proc does not say how long it is.
  std::string Path =
      testing::TempDir() + "thermocline-" + std::to_string(getpid()) + ".txt";
  std::string Text(300000, 'x');
  std::ofstream(Path) << Text;
  size_t Size, MappedSize;
  char *Data = sys::readFile(Path.c_str(), Size, MappedSize);
  ASSERT_TRUE(Data);
  EXPECT_FALSE(IsThere(Data));
  EXPECT_EQ(std::string(Data, Size), Text);
  sys::unmapPages(Data, MappedSize);
  std::remove(Path.c_str());
}
