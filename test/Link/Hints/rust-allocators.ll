; What a Rust program allocates becomes cold by functions of the library of hints. They
; ask malloc_cold for what Rust's default allocator asks malloc for. A program with an
; allocator of its own frees in a way of its own, so its calls keep their functions, as
; is said, unless the program itself says what gives cold memory.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && %opt -thinlto-bc -module-hash main.ll -o main.o && %opt main.ll -o full.o
; RUN: cd %t && %opt -thinlto-bc shim.ll -o shim.o && %opt -thinlto-bc own-shim.ll -o own-shim.o && %opt -thinlto-bc own-itself.ll -o own-itself.o && %opt own-itself.ll -o own-full.o
; RUN: cd %t && %clang -O1 -c check.c default.c own.c chunk.c && %clang -O1 -flto=thin -c own.c -o own-thin.o && %clang -O1 -flto=thin -c own-cold.c
; RUN: cd %t && %clang -O1 -c native-shim.c && (echo 'for main in main.o full.o; do $LINK $main check.o "$@" -Wl,-mllvm,-thermocline-stats -o program >err 2>&1 || { cat err; exit 1; }; ./program; cat err; done') > each

; The default.
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %liballoc %libhints -lm" sh each shim.o default.o >out 2>&1 && %FileCheck %s --check-prefix=DEFAULT <out
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %liballoc %libhints -lm" sh each native-shim.o default.o >out 2>&1 && %FileCheck %s --check-prefix=DEFAULT <out
; DEFAULT: cold cold cold
; DEFAULT-NOT: global_allocator
; DEFAULT: 3 calls made cold (1 __rustc::__rust_alloc, 1 __rustc::__rust_realloc, 1 __rustc::__rust_alloc_zeroed)
; DEFAULT: cold cold cold
; DEFAULT-NOT: global_allocator
; DEFAULT: 3 calls made cold

; The program's own, in native code, in bitcode, and behind an allocator in native code.
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %liballoc %libhints -lm" sh each own-shim.o own.o >out 2>&1 && for p in OWN WARNS KEPT; do %FileCheck %s --check-prefix=$p <out || exit 1; done
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %liballoc %libhints -lm" sh each own-shim.o own-thin.o >out 2>&1 && for p in OWN WARNS KEPT; do %FileCheck %s --check-prefix=$p <out || exit 1; done
; RUN: cd %t && sed 's/-Wl,-mllvm,/-Wl,-plugin-opt,/' each >each-plugin && LINK="%clang -fuse-ld=bfd -Wl,-plugin,%lto-plugin %liballoc %libhints -lm" sh each-plugin own-shim.o own.o >out 2>&1 && for p in OWN WARNS KEPT; do %FileCheck %s --check-prefix=$p <out || exit 1; done
; Without a function in between, as since Rust 1.95.
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %liballoc %libhints -lm" sh each own-itself.o chunk.o >out 2>&1 && for p in OWN WARNS KEPT; do %FileCheck %s --check-prefix=$p <out || exit 1; done
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %liballoc %libhints -lm" sh each own-full.o chunk.o >out 2>&1 && for p in OWN WARNS KEPT; do %FileCheck %s --check-prefix=$p <out || exit 1; done
; RUN: cd %t && %clang -O1 -c own-itself.c -o own-native.o && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %liballoc %libhints -lm" sh each own-native.o chunk.o >out 2>&1 && for p in OWN WARNS KEPT; do %FileCheck %s --check-prefix=$p <out || exit 1; done
; RUN: cd %t && LINK="%clang -fuse-ld=bfd -Wl,-plugin,%lto-plugin %liballoc %libhints -lm" sh each-plugin own-native.o chunk.o >out 2>&1 && for p in OWN WARNS KEPT; do %FileCheck %s --check-prefix=$p <out || exit 1; done
; OWN-COUNT-2: own own own
; WARNS-COUNT-2: warning: {{.*}}the program has an allocator of its own (#[global_allocator]), which cannot free cold memory of another, so its calls get no hint unless the program defines __rust_alloc_cold, __rust_alloc_zeroed_cold, __rust_realloc_cold
; WARNS-NOT: warning:
; KEPT-COUNT-2: 0 calls made cold; 3 not, the cold variant is not defined in the link

; It says itself what gives cold memory.
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %libhints -lm" sh each own-shim.o own-thin.o own-cold.o >out 2>&1 && %FileCheck %s --check-prefix=OWNCOLD <out
; OWNCOLD: mine mine mine
; OWNCOLD-NOT: global_allocator
; OWNCOLD: 3 calls made cold

;--- main.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@llvm.compiler.used = appending global [3 x ptr] [ptr @__rust_alloc_cold, ptr @__rust_alloc_zeroed_cold, ptr @__rust_realloc_cold], section "llvm.metadata"
declare ptr @_RNvCs1_7___rustc12___rust_alloc(i64, i64)
declare ptr @_RNvCs1_7___rustc19___rust_alloc_zeroed(i64, i64)
declare ptr @_RNvCs1_7___rustc14___rust_realloc(ptr, i64, i64, i64)
declare ptr @__rust_alloc_cold(i64, i64)
declare ptr @__rust_alloc_zeroed_cold(i64, i64)
declare ptr @__rust_realloc_cold(ptr, i64, i64, i64)
declare void @check(ptr)
define i32 @main() {
  %a = call ptr @_RNvCs1_7___rustc12___rust_alloc(i64 8, i64 8) "memprof"="cold" "alloc-variant-cold"="__rust_alloc_cold"
  call void @check(ptr %a)
  %z = call ptr @_RNvCs1_7___rustc19___rust_alloc_zeroed(i64 800, i64 64) "memprof"="cold" "alloc-variant-cold"="__rust_alloc_zeroed_cold"
  call void @check(ptr %z)
  %r = call ptr @_RNvCs1_7___rustc14___rust_realloc(ptr %a, i64 8, i64 8, i64 100) "memprof"="cold" "alloc-variant-cold"="__rust_realloc_cold"
  call void @check(ptr %r)
  ret i32 0
}

;--- shim.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define ptr @_RNvCs1_7___rustc12___rust_alloc(i64 %0, i64 %1) {
  %p = tail call ptr @_RNvCs1_7___rustc11___rdl_alloc(i64 %0, i64 %1)
  ret ptr %p
}
define ptr @_RNvCs1_7___rustc19___rust_alloc_zeroed(i64 %0, i64 %1) {
  %p = tail call ptr @_RNvCs1_7___rustc11___rdl_alloc(i64 %0, i64 %1)
  ret ptr %p
}
define ptr @_RNvCs1_7___rustc14___rust_realloc(ptr %p, i64 %0, i64 %1, i64 %2) {
  %r = tail call ptr @_RNvCs1_7___rustc11___rdl_alloc(i64 %2, i64 %1)
  ret ptr %r
}
declare ptr @_RNvCs1_7___rustc11___rdl_alloc(i64, i64)

;--- own-shim.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define ptr @_RNvCs1_7___rustc12___rust_alloc(i64 %0, i64 %1) {
  %p = tail call ptr @_RNvCs1_7___rustc10___rg_alloc(i64 %0, i64 %1)
  ret ptr %p
}
define ptr @_RNvCs1_7___rustc19___rust_alloc_zeroed(i64 %0, i64 %1) {
  %p = tail call ptr @_RNvCs1_7___rustc10___rg_alloc(i64 %0, i64 %1)
  ret ptr %p
}
define ptr @_RNvCs1_7___rustc14___rust_realloc(ptr %p, i64 %0, i64 %1, i64 %2) {
  %r = tail call ptr @_RNvCs1_7___rustc10___rg_alloc(i64 %2, i64 %1)
  ret ptr %r
}
declare ptr @_RNvCs1_7___rustc10___rg_alloc(i64, i64)

;--- own-itself.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define ptr @_RNvCs1_7___rustc12___rust_alloc(i64 %0, i64 %1) noinline {
  %p = call ptr @chunk()
  ret ptr %p
}
define ptr @_RNvCs1_7___rustc19___rust_alloc_zeroed(i64 %0, i64 %1) noinline {
  %p = call ptr @chunk()
  ret ptr %p
}
define ptr @_RNvCs1_7___rustc14___rust_realloc(ptr %p, i64 %0, i64 %1, i64 %2) noinline {
  %r = call ptr @chunk()
  ret ptr %r
}
declare ptr @chunk()

;--- own-itself.c
#include <stddef.h>
void *chunk(void);
void *_RNvCs1_7___rustc12___rust_alloc(size_t size, size_t align) { return chunk(); }
void *_RNvCs1_7___rustc19___rust_alloc_zeroed(size_t size, size_t align) { return chunk(); }
void *_RNvCs1_7___rustc14___rust_realloc(void *p, size_t old, size_t align, size_t size) { return chunk(); }

;--- native-shim.c
#include <stddef.h>
void *_RNvCs1_7___rustc11___rdl_alloc(size_t size, size_t align);
void *_RNvCs1_7___rustc12___rust_alloc(size_t size, size_t align) { return _RNvCs1_7___rustc11___rdl_alloc(size, align); }
void *_RNvCs1_7___rustc19___rust_alloc_zeroed(size_t size, size_t align) { return _RNvCs1_7___rustc11___rdl_alloc(size, align); }
void *_RNvCs1_7___rustc14___rust_realloc(void *p, size_t old, size_t align, size_t size) { return _RNvCs1_7___rustc11___rdl_alloc(size, align); }

;--- default.c
#include <stdlib.h>
void *_RNvCs1_7___rustc11___rdl_alloc(size_t size, size_t align) { return aligned_alloc(align, size); }

;--- own.c
#include <stddef.h>
static char Chunk[10000];
__attribute__((visibility("hidden"))) void *_RNvCs1_7___rustc10___rg_alloc(size_t size, size_t align) { return Chunk; }
int is_own(void *p) { return p == Chunk; }

;--- chunk.c
static char Chunk[10000];
void *chunk(void) { return Chunk; }
int is_own(void *p) { return p == Chunk; }

;--- own-cold.c
#include <stddef.h>
static char Cold[10000];
void *__rust_alloc_cold(size_t size, size_t align) { return Cold; }
void *__rust_alloc_zeroed_cold(size_t size, size_t align) { return Cold; }
void *__rust_realloc_cold(void *p, size_t old, size_t align, size_t size) { return Cold; }
int is_mine(void *p) { return p == Cold; }

;--- check.c
#include <stdio.h>
__attribute__((weak)) int thermocline_alloc_is_cold(const void *p);
__attribute__((weak)) int is_own(void *p);
__attribute__((weak)) int is_mine(void *p);
void check(void *p) {
  printf("%s ", is_mine && is_mine(p) ? "mine" : is_own && is_own(p) ? "own"
         : thermocline_alloc_is_cold && thermocline_alloc_is_cold(p) ? "cold" : "ordinary");
}
