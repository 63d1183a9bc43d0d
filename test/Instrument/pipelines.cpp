// The pass runs once in every pipeline that makes an object or ThinLTO bitcode,
// and refers to the same symbols of the runtime as clang's -fmemory-profile, but
// for a weak one.
// RUN: %clangxx --config=%generate-cfg -O0 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clangxx --config=%generate-cfg -O1 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clangxx --config=%generate-cfg -O2 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clangxx --config=%generate-cfg -O3 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clangxx --config=%generate-cfg -Os -flto=thin -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clangxx --config=%generate-cfg -O2 -flto -S -emit-llvm %s -o - | %FileCheck %s
// CHECK: define {{.*}} @_Z6updatePlS_l(
// CHECK: load ptr, ptr @__memprof_shadow_memory_dynamic_address
// CHECK: lshr i64 %{{.*}}, 6
// CHECK-NOT: lshr i64 %{{.*}}, 6
// CHECK: call ptr @__memprof_memcpy
// CHECK: ret void
// CHECK: call void @__memprof_init()
// CHECK-NOT: call void @__memprof_init()
//
// RUN: %clangxx -fmemory-profile -O1 -c %s -o %t.stock.o
// RUN: %clangxx --config=%generate-cfg -O1 -c %s -o %t.ours.o
// RUN: %llvm-nm %t.stock.o | cut -c18- | grep memprof | sort > %t.stock
// RUN: %llvm-nm %t.ours.o | cut -c18- | grep memprof | sort > %t.ours
// RUN: grep -v "w __memprof_counters_of_bytes" %t.ours | diff %t.stock -

void update(long *P, long *Q, long N) {
  *P = N;
  __builtin_memcpy(P, Q, static_cast<unsigned long>(N));
}
