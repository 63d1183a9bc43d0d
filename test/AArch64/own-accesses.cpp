// Objects that only structure loads and stores touch, or exclusives, have
// accesses. The counter of an exclusive access is not updated between its load
// and its store, which would then never succeed.
//
// RUN: %clangxx --config=%aarch64/config/thermocline-generate.cfg -O1 %s -Wl,-rpath,%aarch64/lib -o %t
// RUN: ulimit -c 0; env MEMPROF_OPTIONS=print_text=1:log_path=stdout %emulate %t | %FileCheck %s
//
// CHECK: size (ave/min/max) 64.00
// CHECK-NEXT: access_count (ave/min/max): 20.00
// CHECK: size (ave/min/max) 96.00
// CHECK-NEXT: access_count (ave/min/max): 20.00
// CHECK: size (ave/min/max) 8.00
// CHECK-NEXT: access_count (ave/min/max): 10.00

#include <arm_acle.h>
#include <arm_neon.h>
#include <cstdlib>

__attribute__((noinline)) static void swapPairs(float *Pairs) {
  float32x4x2_t Both = vld2q_f32(Pairs);
  const float32x4x2_t Swapped = {{Both.val[1], Both.val[0]}};
  vst2q_f32(Pairs, Swapped);
}

__attribute__((noinline)) static void turnTriples(float *Triples) {
  float32x4x3_t All = vld3q_f32(Triples);
  const float32x4x3_t Turned = {{All.val[1], All.val[2], All.val[0]}};
  vst3q_f32(Triples, Turned);
}

__attribute__((noinline)) static void addOne(unsigned long *Number) {
  while (__builtin_arm_stlex(__builtin_arm_ldaex(Number) + 1, Number))
    ;
}

int main() {
  auto *volatile Pairs = static_cast<float *>(malloc(64));
  auto *volatile Triples = static_cast<float *>(malloc(96));
  auto *volatile Number = static_cast<unsigned long *>(malloc(8));
  for (int I = 0; I != 10; ++I) {
    swapPairs(Pairs);
    turnTriples(Triples);
    addOne(Number);
  }
}
