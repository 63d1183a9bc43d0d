//===- Programs of which it is known what is best called cold -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// known-answers CASE SECONDS [PAGE-KIB] builds objects from two contexts or
// three, in random order, and then works on some of them. It prints how many
// bytes of pages hold what it touched of them in the steady phase; they have 4
// KiB if nothing else is said.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>

extern "C" void __thermocline_phase(const char *Name) __attribute__((weak));
extern "C" bool __thermocline_pass_time(unsigned long Microseconds)
    __attribute__((weak));

namespace {

struct Object {
  Object *Next;
  uint64_t Value;
};

std::mt19937 Random(1);
/// The pages that the steady phase touched, and where they are in a hash table.
/// Nothing but the objects is on the heap, so that nothing else is predicted.
constexpr size_t NumSlots = 1 << 16;
size_t PageBytes;
uintptr_t Pages[NumSlots];
size_t NumPages;
/// The sum of all that was read, so that nothing is read for nothing.
uint64_t Sum;

/// All objects of a program come from here.
extern "C" __attribute__((noinline)) Object *make(size_t Bytes) {
  auto *Made = static_cast<Object *>(malloc(Bytes));
  memset(Made, 1, Bytes);
  Made->Next = nullptr;
  return Made;
}

extern "C" __attribute__((noinline)) Object *makeBusy(size_t Bytes) {
  Object *Made = make(Bytes);
  Made->Value = 3;
  return Made;
}

extern "C" __attribute__((noinline)) Object *makeIdle(size_t Bytes) {
  Object *Made = make(Bytes);
  Made->Value = 4;
  return Made;
}

extern "C" __attribute__((noinline)) Object *makeThird(size_t Bytes) {
  Object *Made = make(Bytes);
  Made->Value = 5;
  return Made;
}

void touch(Object *O) {
  Sum += O->Value;
  const uintptr_t Page = reinterpret_cast<uintptr_t>(&O->Value) / PageBytes;
  size_t Slot = Page * 0x9E3779B97F4A7C15 >> 48;
  while (Pages[Slot] && Pages[Slot] != Page)
    Slot = (Slot + 1) % NumSlots;
  NumPages += Pages[Slot] == 0;
  Pages[Slot] = Page;
}

double processorSeconds() {
  timespec Now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Now);
  return static_cast<double>(Now.tv_sec) +
         1e-9 * static_cast<double>(Now.tv_nsec);
}

/// Forgets which pages were touched, and returns how many there were.
size_t takeNumPages() {
  const size_t Result = NumPages;
  NumPages = 0;
  memset(Pages, 0, sizeof(Pages));
  return Result;
}

/// The objects of one context.
struct Group {
  Object *Objects[60000];
  size_t Size;

  void add(Object *O) { Objects[Size++] = O; }
  Object *operator[](size_t I) const { return Objects[I]; }
  Object *any() const { return Objects[Random() % Size]; }
};
Group Busy, Idle, Third;

/// Makes objects of all contexts lie side by side.
void build(size_t NumBusy, size_t NumIdle, size_t NumThird, size_t Bytes) {
  while (size_t Left = NumBusy + NumIdle + NumThird) {
    const size_t Which = Random() % Left;
    if (Which < NumBusy) {
      Busy.add(makeBusy(Bytes));
      --NumBusy;
    } else if (Which < NumBusy + NumIdle) {
      Idle.add(makeIdle(Bytes));
      --NumIdle;
    } else {
      Third.add(makeThird(Bytes));
      --NumThird;
    }
  }
}

/// Like build(), but idle objects are of all sizes from 16 to 1,000 bytes, the
/// small ones more often, and the busy ones of two sizes.
void buildStrings(size_t NumBusy, size_t NumIdle) {
  while (size_t Left = NumBusy + NumIdle) {
    if (Random() % Left >= NumBusy) {
      Idle.add(makeIdle(16 + std::min(Random() % 985, Random() % 985)));
      --NumIdle;
      continue;
    }
    Busy.add(NumBusy % 2 ? makeBusy(160) : makeThird(320));
    --NumBusy;
  }
}

/// Lets a millisecond pass. Returns false if clocks run by themselves.
bool passMillisecond() {
  return __thermocline_pass_time && __thermocline_pass_time(1000);
}

/// Takes \p Seconds of processor time.
void spend(double Seconds) {
  if (passMillisecond()) {
    for (int Ms = 1; Ms < 1000 * Seconds; ++Ms)
      passMillisecond();
    return;
  }
  for (double Begin = processorSeconds(); processorSeconds() - Begin < Seconds;)
    ++Sum;
}

/// Does \p Work again and again for \p Seconds of processor time. Where a test
/// sets the time (test_clock=1), so much is done in each millisecond that a
/// burst has all of it.
constexpr int WorkOfMillisecond = 4;
template <typename Function> void steady(double Seconds, Function Work) {
  if (__thermocline_phase)
    __thermocline_phase("steady");
  if (passMillisecond()) {
    for (int Ms = 1; Ms < 1000 * Seconds; ++Ms) {
      for (int I = 0; I != WorkOfMillisecond; ++I)
        Work();
      passMillisecond();
    }
    return;
  }
  for (double Begin = processorSeconds(); processorSeconds() - Begin < Seconds;)
    Work();
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  const std::string Case = argv[1];
  const double Seconds = atof(argv[2]);
  PageBytes = 1024 * (argc > 3 ? strtoul(argv[3], nullptr, 10) : 4);
  if (Case == "list") {
    // A list that is walked often, among objects that nobody looks at.
    build(20000, 60000, 0, 64);
    for (size_t I = 1; I != Busy.Size; ++I)
      Busy[I - 1]->Next = Busy[I];
    steady(Seconds, [&] {
      for (Object *O = Busy[0]; O; O = O->Next)
        touch(O);
    });
  } else if (Case == "field") {
    // Large objects of which one field is read, among idle ones.
    build(4000, 12000, 0, 512);
    steady(Seconds, [&] {
      for (int I = 0; I != 1000; ++I)
        touch(Busy.any());
    });
  } else if (Case == "startup") {
    // Objects that are busy while the program starts, and never again.
    build(20000, 40000, 0, 96);
    for (int Round = 0; Round != 20; ++Round)
      for (size_t I = 0; I != Idle.Size; ++I)
        Sum += ++Idle[I]->Value;
    steady(Seconds, [&] {
      for (int I = 0; I != 1000; ++I)
        touch(Busy.any());
    });
  } else if (Case == "once") {
    // Everything is touched once in each round, and nothing can be gained.
    build(30000, 30000, 30000, 64);
    size_t Next = 0;
    steady(Seconds, [&] {
      for (int I = 0; I != 2000; ++I, ++Next) {
        touch(Busy[Next % Busy.Size]);
        touch(Idle[Next % Idle.Size]);
        touch(Third[Next % Third.Size]);
      }
    });
  } else if (Case == "buffers") {
    // Buffers of a page share pages with nobody.
    build(2000, 4000, 0, 4096);
    steady(Seconds, [&] {
      for (int I = 0; I != 1000; ++I)
        touch(Busy.any());
    });
  } else if (Case == "cache") {
    // The entries of a cache are asked for very unevenly, but come from one
    // context. What can be parted from them is the third context.
    build(40000, 0, 40000, 128);
    steady(Seconds, [&] {
      for (int I = 0; I != 1000; ++I) {
        const double At = static_cast<double>(Random() % 1000000) / 1000000;
        touch(Busy[static_cast<size_t>(At * At * At * At *
                                       static_cast<double>(Busy.Size))]);
      }
    });
  } else if (Case == "strings") {
    // Of strings, each size class has some, and busy objects are of two.
    buildStrings(6000, 54000);
    steady(Seconds, [&] {
      for (int I = 0; I != 1000; ++I)
        touch(Busy.any());
    });
  } else if (Case == "apart") {
    // Idle objects lie in a stretch of their own. Only those of the third
    // context share pages with busy ones.
    build(0, 30000, 0, 64);
    build(15000, 0, 15000, 64);
    build(0, 30000, 0, 64);
    steady(Seconds, [&] {
      for (int I = 0; I != 1000; ++I)
        touch(Busy.any());
    });
  } else if (Case == "zone") {
    // Only the last of the busy objects are touched, which lie together, with
    // idle ones among them.
    build(40000, 40000, 0, 64);
    steady(Seconds, [&] {
      for (int I = 0; I != 1000; ++I)
        touch(Busy[30000 + Random() % 10000]);
    });
  } else if (Case == "stretches") {
    // What is idle was made first, and what the third context has after that,
    // each among busy objects. The third is touched as a whole in the first
    // quarter of the time, and never again.
    // To make either takes several windows.
    build(6000, 40000, 0, 64);
    spend(0.1);
    build(4000, 0, 30000, 64);
    spend(0.1);
    steady(Seconds / 4, [&] {
      for (size_t I = 0; I != Third.Size; ++I)
        touch(Third[I]);
      for (size_t I = 0; I != Busy.Size; ++I)
        touch(Busy[I]);
    });
    const size_t Early = takeNumPages();
    steady(Seconds * 3 / 4, [&] {
      for (size_t I = 0; I != Busy.Size; ++I)
        touch(Busy[I]);
    });
    NumPages = (Early + 3 * NumPages) / 4;
  } else if (Case == "replaced") {
    // Idle objects are replaced, here and there, by what the third context
    // makes. Where that is written, pages with old ones are touched, too. Pages
    // are counted for so much work as a burst has, and only as long as the
    // profiled run replaces.
    build(20000, 60000, 0, 64);
    constexpr size_t WorkOfBurst = 5 * WorkOfMillisecond;
    const double Most = WorkOfMillisecond * 1000 * Seconds;
    size_t Done = 0, NumSampled = 0, Sampled = 0;
    steady(Seconds, [&] {
      for (int I = 0; I != 1000; ++I)
        touch(Busy.any());
      for (int I = 0; I != 10; ++I) {
        Object *&At = Idle.Objects[Random() % Idle.Size];
        free(At);
        At = makeThird(64);
        touch(At);
      }
      if (++Done % WorkOfBurst == 0 && static_cast<double>(Done) < Most) {
        Sampled += takeNumPages();
        ++NumSampled;
      }
    });
    NumPages = Sampled / NumSampled;
  } else if (Case == "warm") {
    // All of the third context is touched every 0.7 s: most pages in a window,
    // and fewer in a burst.
    build(20000, 20000, 20000, 64);
    size_t Next = 0;
    const double Begin = processorSeconds();
    steady(Seconds, [&] {
      for (int I = 0; I != 500; ++I)
        touch(Busy.any());
      const auto Until = static_cast<size_t>(
          (processorSeconds() - Begin) / 0.7 * static_cast<double>(Third.Size));
      for (; Next < Until; ++Next)
        touch(Third[Next % Third.Size]);
    });
  } else {
    return 2;
  }
  if (Sum == 1)
    puts("no");
  printf("touched %zu\n", NumPages * PageBytes);
  return 0;
}
