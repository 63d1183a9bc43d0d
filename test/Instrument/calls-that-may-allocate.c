// A release keeps those calls apart that may allocate. Others may become one:
// what frees, what ends the program, and what only touches what it is given.

// RUN: %clang --config=%release-cfg -O2 -S -emit-llvm %s -o - | %FileCheck %s
// CHECK-DAG: call void @end({{.*}}) [[END:#[0-9]+]]
// CHECK-DAG: call {{.*}} @malloc({{.*}}) [[MALLOC:#[0-9]+]]
// CHECK-DAG: call {{.*}} @make({{.*}}) [[MAKE:#[0-9]+]]
// CHECK-DAG: call {{.*}} @strlen({{.*}}) [[STRLEN:#[0-9]+]]
// CHECK-DAG: call void @free({{.*}}) [[FREE:#[0-9]+]]
// CHECK-DAG: attributes [[END]] = { noreturn nounwind }
// CHECK-DAG: attributes [[MALLOC]] = { nomerge {{.*}}
// CHECK-DAG: attributes [[MAKE]] = { nomerge {{.*}}
// CHECK-DAG: attributes [[STRLEN]] = { nounwind willreturn memory(read) }
// CHECK-DAG: attributes [[FREE]] = { nounwind }

#include <stdlib.h>
#include <string.h>

void *make(size_t Size);
_Noreturn void end(int Code) __attribute__((nothrow));

size_t use(char *P, size_t Size) {
  if (!P)
    end(1);
  char *Q = malloc(Size);
  void *R = make(Size);
  const size_t Length = strlen(P) + (R == Q);
  free(P);
  return Length;
}
