// A program with its own operator new and delete is profiled, and its forms are
// used by the ones that it did not define, as the language asks.
// RUN: %clangxx --config=%generate-cfg -O1 -w %s -o %t
// RUN: rm -f %t.raw.* && env MEMPROF_OPTIONS=log_path=%t.raw %t > %t.out
// RUN: %FileCheck %s < %t.out
// RUN: %clangxx -O1 -w %s -o %t.plain
// RUN: %t.plain | diff - %t.out
// RUN: %thermo-profdata merge --binary=%t -o %t.prof %t.raw.*
// RUN: %thermo-profdata show --binary=%t --all %t.prof | %FileCheck %s --check-prefix=PROFILE
// CHECK: plain: 1 new, 1 delete
// CHECK: array: 1 new, 1 delete
// CHECK: nothrow: 1 new, 1 delete
// CHECK: array nothrow: 1 new, 1 delete
// CHECK: aligned: 0 new, 0 delete
// PROFILE: operator new(unsigned long)
// PROFILE-NEXT: {{^}} main +1:

#include <cstdio>
#include <cstdlib>
#include <new>

static int News, Deletes;

// The header makes a pointer that another operator delete would refuse.
void *operator new(std::size_t Size) {
  ++News;
  auto *Block = static_cast<char *>(std::malloc(Size + 64));
  return Block + 64;
}
void operator delete(void *P) noexcept {
  ++Deletes;
  std::free(static_cast<char *>(P) - 64);
}

static void *volatile Sink;

static void report(const char *Form) {
  std::printf("%s: %d new, %d delete\n", Form, News, Deletes);
  News = Deletes = 0;
}

int main() {
  Sink = operator new(100);
  operator delete(Sink, std::size_t(100));
  report("plain");
  Sink = operator new[](100);
  operator delete[](Sink, std::size_t(100));
  report("array");
  Sink = operator new(100, std::nothrow);
  operator delete(Sink, std::nothrow);
  report("nothrow");
  Sink = operator new[](100, std::nothrow);
  operator delete[](Sink, std::nothrow);
  report("array nothrow");
  Sink = operator new(100, std::align_val_t(128));
  operator delete(Sink, std::align_val_t(128));
  report("aligned");
}
