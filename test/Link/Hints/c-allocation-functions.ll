; Each C allocation function gets its cold variant, with the same arguments, and
; attributes by which LLVM still knows it. posix_memalign returns no pointer.
;
; RUN: %opt -thinlto-bc %s -o %t.o
; RUN: %thermo-lto run %t.o -o %t.lto -O0 -select-save-temps=opt -r=%t.o,main,plx \
; RUN:   -r=%t.o,malloc, -r=%t.o,calloc, -r=%t.o,realloc, -r=%t.o,reallocarray, \
; RUN:   -r=%t.o,aligned_alloc, -r=%t.o,memalign, -r=%t.o,posix_memalign, \
; RUN:   -r=%t.o,strdup, -r=%t.o,strndup, -thermocline-stats \
; RUN:   2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: %llvm-dis < %t.lto.1.4.opt.bc | %FileCheck %s

; STATS: 9 calls made cold (1 malloc, 1 calloc, 1 realloc, 1 reallocarray, 1 aligned_alloc, 1 memalign, 1 posix_memalign, 1 strdup, 1 strndup)

; CHECK: call noalias ptr @malloc_cold(i64 8)
; CHECK: call ptr @calloc_cold(i64 8, i64 2)
; CHECK: tail call ptr @realloc_cold(ptr %a, i64 99)
; CHECK: call ptr @reallocarray_cold(ptr %b, i64 3, i64 4)
; CHECK: call ptr @aligned_alloc_cold(i64 64, i64 128)
; CHECK: call ptr @memalign_cold(i64 64, i64 128)
; CHECK: call i32 @posix_memalign_cold(ptr %slot, i64 64, i64 128)
; CHECK: call ptr @strdup_cold(ptr %a)
; CHECK: call ptr @strndup_cold(ptr %a, i64 3)
; CHECK-DAG: declare noalias ptr @malloc_cold(i64) #[[MALLOC:[0-9]+]]
; CHECK-DAG: declare noalias ptr @calloc_cold(i64, i64) #[[CALLOC:[0-9]+]]
; CHECK-DAG: declare noalias ptr @realloc_cold(ptr allocptr, i64) #[[REALLOC:[0-9]+]]
; CHECK-DAG: declare noalias ptr @reallocarray_cold(ptr allocptr, i64, i64) #[[ARRAY:[0-9]+]]
; CHECK-DAG: declare noalias ptr @aligned_alloc_cold(i64 allocalign, i64) #[[ALIGNED:[0-9]+]]
; CHECK-DAG: declare noalias ptr @memalign_cold(i64 allocalign, i64) #[[ALIGNED]]
; CHECK-DAG: declare i32 @posix_memalign_cold(ptr, i64, i64) #[[FAMILY:[0-9]+]]
; CHECK-DAG: declare noalias ptr @strdup_cold(ptr) #[[FAMILY]]
; CHECK-DAG: attributes #[[MALLOC]] = { nounwind allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc" }
; CHECK-DAG: attributes #[[CALLOC]] = { allockind("alloc,zeroed") allocsize(0,1) "alloc-family"="malloc" }
; CHECK-DAG: attributes #[[REALLOC]] = { allockind("realloc") allocsize(1) "alloc-family"="malloc" }
; CHECK-DAG: attributes #[[ARRAY]] = { allockind("realloc") allocsize(1,2) "alloc-family"="malloc" }
; CHECK-DAG: attributes #[[ALIGNED]] = { allockind("alloc,uninitialized,aligned") allocsize(1) "alloc-family"="malloc" }
; CHECK-DAG: attributes #[[FAMILY]] = { "alloc-family"="malloc" }

source_filename = "c.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64) nounwind
declare ptr @calloc(i64, i64)
declare ptr @realloc(ptr, i64)
declare ptr @reallocarray(ptr, i64, i64)
declare ptr @aligned_alloc(i64, i64)
declare ptr @memalign(i64, i64)
declare i32 @posix_memalign(ptr, i64, i64)
declare ptr @strdup(ptr)
declare ptr @strndup(ptr, i64)
define ptr @main(ptr %slot) {
  %a = call noalias ptr @malloc(i64 8) "memprof"="cold"
  %b = call ptr @calloc(i64 8, i64 2) "memprof"="cold"
  %c = tail call ptr @realloc(ptr %a, i64 99) "memprof"="cold"
  %d = call ptr @reallocarray(ptr %b, i64 3, i64 4) "memprof"="cold"
  %e = call ptr @aligned_alloc(i64 64, i64 128) "memprof"="cold"
  %f = call ptr @memalign(i64 64, i64 128) "memprof"="cold"
  %g = call i32 @posix_memalign(ptr %slot, i64 64, i64 128) "memprof"="cold"
  %h = call ptr @strdup(ptr %a) "memprof"="cold"
  %i = call ptr @strndup(ptr %a, i64 3) "memprof"="cold"
  ret ptr %i
}
