//===- pkgindex/Pages.cpp - Counts the pages that a phase touches ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads /proc/self/smaps: a line for each mapping, then lines `Name: N kB` on
// it.
//
//===----------------------------------------------------------------------===//

#include "Pages.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

using namespace pkgindex;

namespace {
struct CloseFile {
  void operator()(std::FILE *File) const { std::fclose(File); }
};
} // namespace

static std::unique_ptr<std::FILE, CloseFile> open(const char *Path,
                                                  const char *Mode) {
  std::unique_ptr<std::FILE, CloseFile> File(std::fopen(Path, Mode));
  if (!File)
    throw std::system_error(errno, std::generic_category(), Path);
  return File;
}

void pkgindex::clearReferenced() {
  const char *Path = "/proc/self/clear_refs";
  auto File = open(Path, "w");
  if (std::fputs("1", File.get()) < 0 || std::fflush(File.get()) != 0)
    throw std::system_error(errno, std::generic_category(), Path);
  // The processor marks no page whose translation it still has. To clear the
  // soft-dirty bits makes it forget them, where the kernel has these.
  std::fputs("4", File.get());
  std::fflush(File.get());
}

HeapPages pkgindex::countHeapPages() {
  auto File = open("/proc/self/smaps", "r");
  HeapPages Sum;
  bool IsHeap = false;
  char Line[512];
  while (std::fgets(Line, sizeof(Line), File.get())) {
    unsigned long Start, End, Inode;
    char Mapped[256] = "";
    if (std::sscanf(Line, "%lx-%lx %*s %*s %*s %lu %255s", &Start, &End, &Inode,
                    Mapped) >= 3) {
      IsHeap = Inode == 0 &&
               (Mapped[0] == '\0' || std::strcmp(Mapped, "[heap]") == 0 ||
                std::strncmp(Mapped, "[anon", 5) == 0);
      continue;
    }
    uint64_t KiB;
    if (IsHeap && std::sscanf(Line, "Rss: %lu kB", &KiB) == 1)
      Sum.ResidentKiB += KiB;
    else if (IsHeap && std::sscanf(Line, "Referenced: %lu kB", &KiB) == 1)
      Sum.ReferencedKiB += KiB;
  }
  return Sum;
}
