// A program that does the same again and again finds the pages that it freed,
// though what it frees does not quite suit what it asks for next. In a littered
// heap it finds most of the 3,000 that it needs: so much goes back that its
// memory stays below what was in use at most.
//
// RUN: %clang -O2 -fno-builtin %s %liballoc -lm -fuse-ld=lld -o %t
// RUN: export MALLOC_CONF=dirty_decay_ms:600000
// RUN: %t 0 100 && %t 48 1200
// RUN: env THERMOCLINE_ALLOC_HUGE_PAGES=0 %t 0 100 && env THERMOCLINE_ALLOC_HUGE_PAGES=0 %t 48 1200
// RUN: env THERMOCLINE_ALLOC_ORDER=1 %t 0 100 && env THERMOCLINE_ALLOC_ORDER=1 %t 48 1200

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MiB = 1 << 20, Rounds = 40, Settled = 20, Tables = 24, Small = 20000 };

static uint64_t Seed = 1;

static uint32_t draw(uint32_t Below) {
  Seed = Seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(Seed >> 33) % Below;
}

static void *make(size_t Size) {
  void *Made = malloc(Size);
  if (!Made)
    abort();
  return memset(Made, 1, Size);
}

// Three of four objects are freed, in another order.
static void litter(size_t Bytes) {
  const size_t Most = Bytes / 64;
  void **Made = malloc((Most + 1) * sizeof *Made);
  size_t Count = 0;
  for (size_t Sum = 0; Sum < Bytes;) {
    const size_t Size = (size_t)64 << draw(7);
    Made[Count++] = make(Size);
    Sum += Size;
  }
  for (size_t I = Count; I > 1; --I) {
    const size_t Other = draw((uint32_t)I);
    void *Swapped = Made[I - 1];
    Made[I - 1] = Made[Other];
    Made[Other] = Swapped;
  }
  for (size_t I = 0; I != Count; ++I)
    if (I % 4)
      free(Made[I]);
  free(Made);
}

// As a compiler works on a file: tables that grow, and many small objects.
static void work(void) {
  static void *Table[Tables], *Object[Small];
  size_t Size[Tables];
  memset(Table, 0, sizeof Table);
  for (int I = 0; I != Tables; ++I)
    Size[I] = 1000 + draw(1000);
  for (int I = 0; I != Small; ++I) {
    Object[I] = make(16 + draw(200));
    if (I % 64)
      continue;
    const int Grown = (int)draw(Tables);
    const size_t Before = Table[Grown] ? Size[Grown] : 0;
    if (Before > 500000)
      continue;
    Size[Grown] = Size[Grown] * 3 / 2;
    Table[Grown] = realloc(Table[Grown], Size[Grown]);
    if (!Table[Grown])
      abort();
    memset((char *)Table[Grown] + Before, 2, Size[Grown] - Before);
  }
  for (int I = 0; I != Small; ++I)
    free(Object[I]);
  for (int I = 0; I != Tables; ++I)
    free(Table[I]);
}

static long faults(void) {
  struct rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  return Usage.ru_minflt;
}

int main(int Count, char **Arguments) {
  if (Count != 3)
    return 2;
  litter(strtoul(Arguments[1], NULL, 10) * MiB);
  long Before = 0;
  for (int Round = 0; Round != Rounds; ++Round) {
    if (Round == Settled)
      Before = faults();
    work();
  }
  const long PerRound = (faults() - Before) / (Rounds - Settled);
  printf("%ld page faults a round\n", PerRound);
  return PerRound > atol(Arguments[2]);
}
