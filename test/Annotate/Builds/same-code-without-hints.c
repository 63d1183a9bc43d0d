// A program of which nothing is hinted has the code that it would have without
// a profile. LLVM takes a heap profile for PGO, and debug information for
// profiling too: it would inline twice, and leave calls for later.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O2 %s -o generate
// RUN: env MEMPROF_OPTIONS=log_path=raw ./generate
// RUN: %thermo-profdata merge --binary=generate raw.* -o prof
// RUN: %clang -O2 -flto=thin -fuse-ld=lld %s -o plain
// RUN: %clang --config=%use-cfg -O2 -fmemory-profile-use=prof -c %s -o use.o
// RUN: %clang -O2 -flto=thin -fuse-ld=lld use.o -o use
// RUN: for p in plain use; do %llvm-objdump -d --no-show-raw-insn --no-leading-addr --disassemble-symbols=main $p | grep -v "file format" > $p.code; done
// RUN: grep -c call plain.code && diff plain.code use.code
//
// By the options of stock clang it is another.
// RUN: %clang -O2 -flto=thin -g1 -fdebug-info-for-profiling -fmemory-profile-use=prof -fuse-ld=lld %s -o stock
// RUN: %llvm-objdump -d --no-show-raw-insn --no-leading-addr --disassemble-symbols=main stock | grep -v "file format" > stock.code
// RUN: %not cmp -s plain.code stock.code
//
// Discriminators stay.
// RUN: %clang --config=%use-cfg -O2 -fmemory-profile-use=prof -S -emit-llvm %s -o use.ll && grep -q "discriminator: [1-9]" use.ll

#include <stdlib.h>

struct Table {
  size_t Size;
  unsigned *Keys;
};

static unsigned mix(unsigned Key) {
  Key ^= Key >> 16;
  Key *= 0x7feb352d;
  Key ^= Key >> 15;
  Key *= 0x846ca68b;
  return Key ^ Key >> 16;
}
static size_t find(const struct Table *T, unsigned Key) {
  size_t At = mix(Key) % T->Size;
  while (T->Keys[At] && T->Keys[At] != Key)
    At = At + 1 == T->Size ? 0 : At + 1;
  return At;
}
static int has(const struct Table *T, unsigned Key) {
  return T->Keys[find(T, Key)] == Key;
}
int hasBoth(const struct Table *T, unsigned A, unsigned B) {
  return has(T, A) && has(T, B);
}
int hasEither(const struct Table *T, unsigned A, unsigned B) {
  return has(T, A) || has(T, B);
}
int hasNone(const struct Table *T, unsigned A, unsigned B) {
  return !has(T, A) && !has(T, B);
}
void insert(struct Table *T, unsigned Key) { T->Keys[find(T, Key)] = Key; }

int main(int Count, char **Arguments) {
  (void)Arguments;
  struct Table T = {1000, calloc(1000, sizeof(unsigned))};
  for (unsigned I = 1; I < 500; I += (unsigned)Count)
    insert(&T, I * 3);
  int Sum = 0;
  for (unsigned I = 1; I < 1000; ++I)
    Sum +=
        hasBoth(&T, I, I + 3) + hasEither(&T, I, I + 1) + hasNone(&T, I, I + 2);
  free(T.Keys);
  return Sum == 12345;
}
