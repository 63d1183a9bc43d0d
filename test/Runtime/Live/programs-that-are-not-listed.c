// Where the library is preloaded into a service, programs that it starts and
// that are not to be profiled keep the default actions of signals, have no
// thread of the library's, and reserve nothing.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fno-builtin %s -o server && cp server other
// RUN: for program in server other; do \
// RUN:   env MEMPROF_OPTIONS=page_touches=1:sample=10:continuous=1:dump_signal=USR2:programs=server:log_path=%t/raw LD_PRELOAD=%preload ./$program $program || exit 1; \
// RUN: done > said && %FileCheck %s --input-file=said
// CHECK:      server: some signals handled, some threads, also in a child, some TiB
// CHECK-NEXT: other: no signals handled, no threads, nor in a child, no TiB
// RUN: ls raw.* | wc -l | grep -x 2
// So they go on under a limit of addresses, and with any layout of these, where
// libraries and memory lie at what would be addresses of the runtime's heap.
// DEFINE: %{options} = MEMPROF_OPTIONS=page_touches=1:programs=server:log_path=%t/none
// RUN: for options in %{options} %{options}:sample=10 %{options}:standby=1 %{options}:continuous=1; do for limit in "-v 500000" "-s unlimited"; do (ulimit $limit && env $options LD_PRELOAD=%preload ./other other) || exit 1; done; done > said 2>&1 && %FileCheck %s --input-file=said --check-prefix=LIMITED
// LIMITED-COUNT-8: {{^}}other: no signals handled, no threads, nor in a child, no TiB
// LIMITED-NOT: {{.}}
// Where one is to be profiled and cannot be, it goes on, and a message says
// why.
// RUN: (ulimit -v 500000 && env %{options} LD_PRELOAD=%preload ./server server) > said 2>&1 && %FileCheck %s --input-file=said --check-prefix=TOO-FEW
// TOO-FEW:      {{^}}Thermocline: cannot reserve the addresses that profiling needs (19 TiB, of which little is used): ulimit -v is 500000 KiB: nothing is recorded{{$}}
// TOO-FEW-NEXT: {{^}}server: no signals handled, no threads, nor in a child, no TiB
// TOO-FEW-NOT:  {{.}}
// RUN: %not ls none*
//
// A library that was built for profiles counts accesses also in such a program.
// RUN: %clang --config=%generate-cfg -O1 -DLIBRARY -fPIC -shared %s -o library.so
// RUN: %clang -O1 -fno-builtin %s -DUSES ./library.so -o other && env %{options} LD_PRELOAD=%preload ./other other > said 2>&1 && %FileCheck %s --input-file=said --check-prefix=LIBRARY
// LIBRARY: {{^}}other: no signals handled, no threads

#ifdef LIBRARY
int count(int *Numbers, int Most) {
  int Result = 0;
  for (int I = 0; I != Most; ++I)
    Result += ++Numbers[I];
  return Result;
}
#else

#define _GNU_SOURCE
#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// What the kernel says of the process, as the format has it.
static unsigned long statusOf(const char *Format) {
  char Line[1000];
  unsigned long Result = 0;
  FILE *File = fopen("/proc/self/status", "r");
  while (File && fgets(Line, sizeof(Line), File))
    sscanf(Line, Format, &Result);
  if (File)
    fclose(File);
  return Result;
}

/// The program itself sees no handlers.
static int handledSignals(void) { return statusOf("SigCgt: %lx") != 0; }

static int threadsBeside(void) {
  int Count = 0;
  DIR *Tasks = opendir("/proc/self/task");
  for (struct dirent *Entry; Tasks && (Entry = readdir(Tasks));)
    Count += Entry->d_name[0] != '.';
  return Count - 1;
}

static int reservesMuch(void) { return statusOf("VmSize: %lu") > 1UL << 30; }

/// All functions go to one allocator, whatever the addresses.
static int allocates(void) {
  for (size_t Size = 1; Size < 1 << 22; Size = Size * 2 + 1) {
    char *Each[] = {malloc(Size),        calloc(1, Size),
                    memalign(256, Size), aligned_alloc(64, Size),
                    realloc(NULL, Size), strdup("text"),
                    valloc(Size)};
    for (size_t I = 0; I != sizeof(Each) / sizeof(*Each); ++I) {
      if (!Each[I] || (I == 1 && Each[I][Size - 1]))
        return 0;
      Each[I][0] = 1;
      const size_t Usable = malloc_usable_size(Each[I]);
      Each[I] = realloc(Each[I], Usable * 2);
      if (!Each[I] || Each[I][0] != 1)
        return 0;
      free(Each[I]);
    }
  }
  return mallinfo2().arena != 0;
}

int main(int Count, char **Arguments) {
#ifdef USES
  int count(int *Numbers, int Most);
  int Numbers[100] = {0};
  if (count(Numbers, 100) != 100)
    return 1;
#endif
  if (!allocates())
    return 1;
  for (int I = 0; I != 1000; ++I)
    free(malloc(100));
  pid_t Child = fork();
  if (Child == 0)
    return threadsBeside() != 0;
  int Status = 0;
  if (waitpid(Child, &Status, 0) != Child || !WIFEXITED(Status))
    return 1;
  printf("%s: %s signals handled, %s threads, %s in a child, %s TiB\n",
         Arguments[Count - 1], handledSignals() ? "some" : "no",
         threadsBeside() ? "some" : "no", WEXITSTATUS(Status) ? "also" : "nor",
         reservesMuch() ? "some" : "no");
  return 0;
}

#endif
