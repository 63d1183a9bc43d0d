; A loop whose counters have left it looks like a fill, a copy or a move to what
; optimizes the program when it is linked, if it can see there what it could not see
; before. A call of libc's function would be counted by the runtime, again.
; RUN: %opt -passes='function(loop(loop-idiom))' -S %s -o - | %FileCheck %s --check-prefix=PLAIN
; RUN: %opt -load-pass-plugin=%plugin -passes='thermocline-instrument,function(loop(loop-idiom))' -S %s -o - | %FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes='thermocline-instrument,function(loop(loop-idiom))' -thermocline-generate-merge=false -S %s -o - | %FileCheck %s --check-prefix=EACH
target triple = "x86_64-unknown-linux-gnu"

; PLAIN: call void @llvm.memset
; PLAIN: call void @llvm.memcpy
; PLAIN: call void @llvm.memmove
; CHECK-NOT: call void @llvm.mem
; CHECK: attributes #0 = { {{.*}}"no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }
; Where a counter stays in each loop nothing of this is needed.
; EACH-NOT: no-builtin

define void @fill(ptr %p, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 0, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @copy(ptr noalias %to, ptr noalias %from, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds i32, ptr %from, i64 %i
  %q = getelementptr inbounds i32, ptr %to, i64 %i
  %v = load i32, ptr %p
  store i32 %v, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @move(ptr %p, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds i32, ptr %p, i64 %next
  %to = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %from, align 4
  store i32 %v, ptr %to, align 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

attributes #0 = { nounwind }
