// A program that does the same again and again finds the pages that it freed,
// be its heap littered or not, though what it frees does not quite suit what it
// asks for next.
//
// RUN: %clang -O2 -fno-builtin %s %srcroot/bench/gain/drivers/litter.c %liballoc -lm -fuse-ld=lld -o %t
// RUN: for litter in 0:1 48:1; do for variable in THERMOCLINE_ALLOC_ORDER=0 THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_HUGE_PAGES=0; do \
// RUN:   env MALLOC_CONF=dirty_decay_ms:600000 GAIN_LITTER=$litter $variable %t || exit 1; done; done

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { Rounds = 40, Settled = 20, Tables = 24, Small = 20000 };

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

int main(void) {
  long Before = 0;
  for (int Round = 0; Round != Rounds; ++Round) {
    if (Round == Settled)
      Before = faults();
    work();
  }
  const long PerRound = (faults() - Before) / (Rounds - Settled);
  printf("%ld page faults a round\n", PerRound);
  return PerRound > 100;
}
