// Zero and absurd sizes, overflow, alignments up to 1 GiB, zeroing of reused
// memory, realloc through all size classes: the same answers as libc's.
// RUN: %clang -O1 -fno-builtin -w %s -o %t.libc
// RUN: %t.libc large > %t.large && %t.libc > %t.expected
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin -w %s -o %t.ours
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0 %t.ours large > %t.out
// RUN: diff %t.large %t.out
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0:sample=3 %t.ours > %t.out
// RUN: diff %t.expected %t.out
// Without a limit for the stack libraries lie where the heap does.
// RUN: for i in 1 2 3 4 5; do (ulimit -s unlimited && env MEMPROF_OPTIONS=dump_at_exit=0:sample=3 %t.ours > %t.out 2> %t.err) && diff %t.expected %t.out || exit 1; done
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin -w -static %s -o %t.static
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0 %t.static > %t.out
// RUN: diff %t.expected %t.out
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0:sample=3 %t.static large > %t.out
// RUN: diff %t.large %t.out

#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t Huge = SIZE_MAX;

static void failing(void) {
  void *P = (errno = 0, malloc(Huge));
  printf("malloc(huge): %d %d\n", P == NULL, errno == ENOMEM);
  P = (errno = 0, malloc(Huge / 4));
  printf("malloc(huge / 4): %d %d\n", P == NULL, errno == ENOMEM);
  P = (errno = 0, calloc(Huge / 2 + 2, 2));
  printf("calloc overflow: %d %d\n", P == NULL, errno == ENOMEM);
  P = (errno = 0, reallocarray(NULL, Huge / 2 + 2, 2));
  printf("reallocarray overflow: %d %d\n", P == NULL, errno == ENOMEM);
  P = (errno = 0, memalign(64, Huge - 64));
  printf("memalign(huge): %d %d\n", P == NULL, errno == ENOMEM);
  P = (errno = 0, pvalloc(Huge));
  printf("pvalloc(huge): %d %d\n", P == NULL, errno == ENOMEM);
  int Error = posix_memalign(&P, 24, 8);
  printf("posix_memalign(24): %d\n", Error == EINVAL);
  Error = posix_memalign(&P, 0, 8);
  printf("posix_memalign(0): %d\n", Error == EINVAL);
  Error = posix_memalign(&P, 4, 8);
  printf("posix_memalign(4): %d\n", Error == EINVAL);
  // More than any machine has, by far not more than there are addresses.
  P = (errno = 0, malloc((size_t)1 << 44));
  printf("malloc(2^44): %d %d\n", P == NULL, errno);
  free(P);
  for (size_t Alignment = (size_t)1 << 45; Alignment; Alignment *= 2) {
    P = (errno = 0, memalign(Alignment, 8));
    printf("memalign(huge, 8): %d %d\n", P == NULL, errno);
    errno = 0;
    Error = posix_memalign(&P, Alignment, 8);
    printf("posix_memalign(huge, 8): %d %d\n", Error, errno);
  }
  Error = posix_memalign(&P, 64, Huge - 4096);
  printf("posix_memalign(huge): %d\n", Error == ENOMEM);

  char *Kept = malloc(10);
  strcpy(Kept, "123456789");
  P = (errno = 0, realloc(Kept, Huge - 100));
  printf("realloc(huge): %d %d %s\n", P == NULL, errno == ENOMEM, Kept);
  free(Kept);
}

static void zeroSizes(void) {
  void *A = malloc(0), *B = malloc(0), *C = calloc(0, 8);
  printf("zero sizes: %d %d %d\n", A != NULL, A != B, C != NULL);
  free(A);
  free(B);
  free(NULL);
  C = realloc(C, 5);
  printf("realloc(p, 0): %d\n", realloc(C, 0) == NULL);
  printf("usable size of null: %zu\n", malloc_usable_size(NULL));
}

static void alignments(void) {
  int Good = 1;
  for (size_t Alignment = 1; Alignment <= (size_t)1 << 30; Alignment *= 2) {
    char *P = memalign(Alignment, 100);
    Good &= P && (uintptr_t)P % Alignment == 0;
    memset(P, 2, 100);
    P = realloc(P, 200);
    Good &= P[0] == 2 && P[99] == 2;
    free(P);
    P = aligned_alloc(Alignment, Alignment);
    Good &= P && (uintptr_t)P % Alignment == 0;
    free(P);
    if (Alignment >= sizeof(void *)) {
      void *Q = NULL;
      Good &= posix_memalign(&Q, Alignment, 7) == 0;
      Good &= (uintptr_t)Q % Alignment == 0 && malloc_usable_size(Q) >= 7;
      free(Q);
    }
  }
  char *P = valloc(10), *Q = pvalloc(4097);
  Good &= (uintptr_t)P % 4096 == 0 && (uintptr_t)Q % 4096 == 0;
  Good &= malloc_usable_size(Q) >= 8192;
  free(P);
  free(Q);
  printf("alignments: %d\n", Good);
}

static void zeroing(void) {
  int Good = 1;
  for (size_t Size = 1; Size < 1000000; Size = Size * 9 / 7 + 1) {
    char *P = malloc(Size);
    memset(P, 0xff, Size);
    free(P);
    P = calloc(Size, 1);
    for (size_t I = 0; I < Size; ++I)
      Good &= P[I] == 0;
    free(P);
  }
  printf("calloc zeroes: %d\n", Good);
}

static void growth(void) {
  size_t Size = 1;
  int Good = 1;
  unsigned char *P = malloc(Size);
  P[0] = 7;
  while (Size < 5000000) {
    size_t New = Size * 9 / 7 + 1;
    P = realloc(P, New);
    for (size_t I = 0; I < Size; I += 1 + Size / 1000)
      Good &= P[I] == 7;
    memset(P, 7, New);
    Good &= malloc_usable_size(P) >= New;
    Size = New;
  }
  while (Size > 1) {
    Size /= 2;
    P = realloc(P, Size);
    Good &= P[0] == 7 && P[Size - 1] == 7;
  }
  free(P);
  printf("growth: %d\n", Good);
}

static void large(void) {
  char *P = malloc((size_t)5 << 30), *Q = calloc((size_t)1 << 32, 1);
  printf("beyond 4 GiB: %d %d %d\n", P != NULL, Q != NULL, Q[1 << 20]);
  Q[12345] = 1;
  free(P);
  free(Q);
}

int main(int NumArguments, char **Arguments) {
  failing();
  zeroSizes();
  alignments();
  zeroing();
  growth();
  // Takes seconds, as all counters are read.
  if (NumArguments > 1)
    large();
  char *S = strndup("abcdef", 3), *T = strndup("ab", 10), *U = strdup("");
  printf("%s %s [%s]\n", S, T, U);
  free(S);
  free(T);
  free(U);
}
