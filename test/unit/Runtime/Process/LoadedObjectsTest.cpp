//===- unit/Runtime/Process/LoadedObjectsTest.cpp -------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is found without the loader's lock is what dl_iterate_phdr() finds with
// it, and is found while another thread has that lock, or loads and unloads.
//
//===----------------------------------------------------------------------===//

#include "process/LoadedObjects.h"
#include "gtest/gtest.h"
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace thermocline::runtime;

namespace {

/// A segment with its build id and library as text.
std::string describe(uint64_t Begin, uint64_t End, uint64_t Base,
                     const std::string &BuildId, uint64_t WholeBegin,
                     uint64_t WholeBytes) {
  return std::to_string(Begin) + "-" + std::to_string(End) + " base " +
         std::to_string(Base) + " id " + BuildId + " of " +
         std::to_string(WholeBegin) + "+" + std::to_string(WholeBytes);
}

using List = std::vector<std::string>;

/// \returns whether the walk was whole.
bool listOurs(List &Result) {
  LoadedObjects All;
  LoadedObject Object;
  Result.clear();
  while (All.next(Object))
    for (size_t I = 0; I != Object.size(); ++I) {
      const SegmentEntry &Entry = Object[I];
      Result.push_back(
          describe(Entry.Start, Entry.End, Entry.Offset,
                   std::string(reinterpret_cast<const char *>(Entry.BuildId),
                               Entry.BuildIdSize),
                   Object.Whole.Begin, Object.Whole.Size));
    }
  return All.isWhole();
}

std::string buildIdOf(const dl_phdr_info &Info) {
  for (size_t I = 0; I != Info.dlpi_phnum; ++I) {
    const auto &Header = Info.dlpi_phdr[I];
    if (Header.p_type != PT_NOTE)
      continue;
    const char *Note =
        reinterpret_cast<const char *>(Info.dlpi_addr + Header.p_vaddr);
    for (const char *End = Note + Header.p_memsz; Note < End;) {
      ElfW(Nhdr) Head;
      memcpy(&Head, Note, sizeof(Head));
      const char *Name = Note + sizeof(Head);
      const char *Content = Name + (Head.n_namesz + 3) / 4 * 4;
      if (Head.n_type == NT_GNU_BUILD_ID && strcmp(Name, "GNU") == 0)
        return std::string(Content, Head.n_descsz);
      Note = Content + (Head.n_descsz + 3) / 4 * 4;
    }
  }
  return "";
}

int addToList(dl_phdr_info *Info, size_t, void *Result) {
  uintptr_t Begin = UINTPTR_MAX, End = 0;
  auto EachLoad = [&](auto Visit) {
    for (size_t I = 0; I != Info->dlpi_phnum; ++I)
      if (Info->dlpi_phdr[I].p_type == PT_LOAD)
        Visit(Info->dlpi_phdr[I], Info->dlpi_addr + Info->dlpi_phdr[I].p_vaddr);
  };
  EachLoad([&](auto &Header, uintptr_t Address) {
    Begin = std::min(Begin, Address / pageBytes() * pageBytes());
    End = std::max(End, roundUp(Address + Header.p_memsz, pageBytes()));
  });
  EachLoad([&](auto &Header, uintptr_t Address) {
    if (Header.p_flags & PF_X)
      static_cast<List *>(Result)->push_back(
          describe(Address, Address + Header.p_memsz, Info->dlpi_addr,
                   buildIdOf(*Info), Begin, End - Begin));
  });
  return 0;
}

List listLibcs() {
  List Result;
  dl_iterate_phdr(addToList, &Result);
  return Result;
}

/// Libraries that every system has and this program does not need.
const char *const Libraries[] = {"libnss_hesiod.so.2", "librt.so.1",
                                 "libBrokenLocale.so.1", "libanl.so.1"};

TEST(LoadedObjectsTest, AreThoseOfTheLoader) {
  List Ours;
  EXPECT_TRUE(listOurs(Ours));
  EXPECT_EQ(Ours, listLibcs());
  EXPECT_GE(Ours.size(), 4u);
  std::vector<void *> Handles;
  for (const char *Library : Libraries) {
    Handles.push_back(dlopen(Library, RTLD_NOW));
    ASSERT_NE(Handles.back(), nullptr) << dlerror();
    EXPECT_TRUE(listOurs(Ours));
    EXPECT_EQ(Ours, listLibcs());
  }
  for (void *Handle : Handles) {
    dlclose(Handle);
    EXPECT_TRUE(listOurs(Ours));
    EXPECT_EQ(Ours, listLibcs());
  }
}

TEST(LoadedObjectsTest, KnowWhatCodeIsLoaded) {
  EXPECT_TRUE(LoadedObjects::isLoaded(reinterpret_cast<uintptr_t>(&dlopen)));
  EXPECT_FALSE(LoadedObjects::isLoaded(4096));
  void *Handle = dlopen(Libraries[0], RTLD_NOW);
  auto Code =
      reinterpret_cast<uintptr_t>(dlsym(Handle, "_nss_hesiod_setpwent"));
  ASSERT_NE(Code, 0u);
  EXPECT_TRUE(LoadedObjects::isLoaded(Code));
  dlclose(Handle);
  EXPECT_FALSE(LoadedObjects::isLoaded(Code));
}

TEST(LoadedObjectsTest, AreFoundWhileTheLoaderIsLocked) {
  static std::atomic<bool> IsHeld, MayGo;
  List Expected = listLibcs();
  std::thread Holder([] {
    dl_iterate_phdr(
        [](dl_phdr_info *, size_t, void *) {
          IsHeld = true;
          while (!MayGo)
            std::this_thread::yield();
          return 1;
        },
        nullptr);
  });
  while (!IsHeld)
    std::this_thread::yield();
  List Ours;
  EXPECT_TRUE(listOurs(Ours));
  EXPECT_EQ(Ours, Expected);
  MayGo = true;
  Holder.join();
}

TEST(LoadedObjectsTest, AreFoundWhileOthersComeAndGo) {
  std::atomic<bool> Stop = false;
  List Always = listLibcs();
  std::thread Loader([&] {
    while (!Stop)
      for (const char *Library : Libraries)
        dlclose(dlopen(Library, RTLD_NOW));
  });
  unsigned Whole = 0;
  for (unsigned Walk = 0; Walk != 2000; ++Walk) {
    List Ours;
    if (!listOurs(Ours))
      continue;
    ++Whole;
    ASSERT_GE(Ours.size(), Always.size());
    EXPECT_TRUE(std::equal(Always.begin(), Always.end(), Ours.begin()));
    EXPECT_LE(Ours.size(), Always.size() + 4);
  }
  EXPECT_GT(Whole, 100u);
  // And in children, whatever the loader was about.
  for (unsigned I = 0; I != 50; ++I) {
    pid_t Child = fork();
    if (Child == 0) {
      LoadedObjects All;
      LoadedObject Object;
      size_t Count = 0;
      while (All.next(Object))
        Count += Object.size();
      _exit(Count < Always.size());
    }
    int Status = -1;
    waitpid(Child, &Status, 0);
    EXPECT_EQ(Status, 0);
  }
  Stop = true;
  Loader.join();
}

} // namespace
