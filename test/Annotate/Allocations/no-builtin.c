// Code compiled with -fno-builtin, or that of one function, is hinted like other
// code: the profile saw what is behind the call. But LLVM still is not to know what
// that does: where one allocation is never used, only the builtin one is removed.

// RUN: %profile %s %t.prof
// RUN: for FLAG in -fno-builtin -fno-builtin-malloc -fno-builtin-calloc -ffreestanding; do \
// RUN:   %clang -O2 %annotate $FLAG -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=STATS && \
// RUN:   grep -q '!memprof' %t.ll && \
// RUN:   %clang --config=%use-cfg -Werror -O2 $FLAG -fmemory-profile-use=%t.prof %s -o %t.out %liballoc && \
// RUN:   env THERMOCLINE_ALLOC_STATS=1 %t.out 2> %t.$FLAG || exit 1; done
// RUN: grep "kind=malloc calls=2 bytes=300 cold_calls=2 cold_bytes=300" %t.-fno-builtin
// RUN: grep "kind=malloc calls=2 bytes=300 cold_calls=2 cold_bytes=300" %t.-fno-builtin-malloc
// RUN: grep "kind=malloc calls=1 bytes=100 cold_calls=1 cold_bytes=100" %t.-fno-builtin-calloc
// RUN: grep "kind=malloc calls=2 bytes=300 cold_calls=2 cold_bytes=300" %t.-ffreestanding

// PROFILE: cold 2000: make+0:59 < main+1:10
// PROFILE: cold 2000: main+2:3

// clang-format off
void *malloc(unsigned long);
__attribute__((noinline)) void *make(unsigned N) { return malloc(N); }
static void *volatile Sink;
int main(void) {
  Sink = make(100);
  malloc(200);
  return 0;
}

// STATS:     allocation calls {{[12]}}
// STATS-NEXT: matched {{[12]}}
// STATS-NOT: nobuiltin
// STATS:     cold: {{[12]}}
