// Contexts are those of the AMD64 build: through code without frame pointers,
// of clang and of GCC, through libc, from signal handlers back to what was
// interrupted, and in threads. So they are with signed return addresses, by
// either key.
//
// DEFINE: %{build} = %clangxx --config=%aarch64/config/thermocline-generate.cfg -O1 %s -pthread -Wl,-rpath,%aarch64/lib
// DEFINE: %{run} = %S/Inputs/run.sh "%emulate" %thermo-profdata "%contexts %llvm-profdata" %t/contexts-host
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O2 -fomit-frame-pointer -c %S/Inputs/no_frames.c -o %t/host.o
// RUN: %clangxx --config=%generate-cfg -O1 %s %t/host.o -pthread -o %t/host
// RUN: env MEMPROF_OPTIONS=log_path=%t/raw-host %t/host
// RUN: %thermo-profdata merge --binary=%t/host %t/raw-host.* -o %t/profile-host
// RUN: %contexts %llvm-profdata %t/profile-host > %t/contexts-host
// RUN: %FileCheck %s < %t/contexts-host
// RUN: %clang %cross -O2 -fomit-frame-pointer -c %S/Inputs/no_frames.c -o %t/clang.o
// RUN: %gcc -O2 -fomit-frame-pointer -c %S/Inputs/no_frames.c -o %t/gcc.o
// RUN: %gcc -O2 -fomit-frame-pointer -mbranch-protection=pac-ret+b-key -c %S/Inputs/no_frames.c -o %t/signed.o
// RUN: %{build} %t/clang.o -o %t/plain && %{run} %t/plain
// RUN: %{build} %t/gcc.o -mbranch-protection=standard -o %t/standard && %{run} %t/standard
// RUN: %{build} %t/signed.o -mbranch-protection=pac-ret+leaf+b-key -o %t/b-key && %{run} %t/b-key
//
// CHECK-DAG: AllocCount: {{ *}}64
// CHECK-DAG: TotalSize: {{ *}}48
// CHECK-DAG: TotalSize: {{ *}}56
// CHECK-DAG: TotalSize: {{ *}}57
// CHECK-DAG: TotalSize: {{ *}}72
// CHECK-DAG: TotalSize: {{ *}}100

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <search.h>

#define SEPARATE __attribute__((noinline))

extern "C" void *withoutFrames(int Size, void *(*Allocate)(int));

static void *volatile Sink;

SEPARATE static void *allocate(int Size) {
  Sink = malloc(Size);
  memset(Sink, 1, Size);
  return Sink;
}

// Called by libc for each element, once more for those that are the same.
SEPARATE static int insert(const void *A, const void *B) {
  return *static_cast<const int *>(A) - *static_cast<const int *>(B);
}

SEPARATE static void visit(const void *, VISIT Which, int) {
  if (Which == postorder || Which == leaf)
    Sink = malloc(40);
}

SEPARATE static void walkTree() {
  static int Numbers[64];
  void *Root = nullptr;
  for (int I = 0; I != 64; ++I) {
    Numbers[I] = I * 37 % 64;
    tsearch(&Numbers[I], &Root, insert);
  }
  twalk(Root, visit);
}

SEPARATE static void onSignal(int) { Sink = malloc(48); }
SEPARATE static void raiseSignal() {
  raise(SIGUSR1);
  Sink = nullptr;
}

static sigjmp_buf BeforeFault;
SEPARATE static void onFault(int) {
  Sink = malloc(72);
  siglongjmp(BeforeFault, 1);
}
SEPARATE static void fault() {
  int *volatile Nowhere = nullptr;
  *Nowhere = 1;
}

SEPARATE static void *inThread(void *) {
  Sink = malloc(56);
  return withoutFrames(57, allocate);
}

int main() {
  signal(SIGUSR1, onSignal);
  signal(SIGSEGV, onFault);
  walkTree();
  withoutFrames(100, allocate);
  raiseSignal();
  if (!sigsetjmp(BeforeFault, 1))
    fault();
  pthread_t Thread;
  pthread_create(&Thread, nullptr, inThread, nullptr);
  pthread_join(Thread, nullptr);
}
