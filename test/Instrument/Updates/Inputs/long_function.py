#!/usr/bin/env python3
"""Prints a module with a function that has N of a kind.

usage: long_function.py stack|block|fields|chain N

stack: reads N + 1 times from one local array, through a pointer that N branches may
have moved. block: reads through %p where a branch may end the function, and then, in
one block, through N pointers that it has loaded from an array, and through %p again.
fields: writes N + 1 fields of one object, with a call in front of each but the first.
chain: the same with elements, each of them found from the one before.
"""

import sys

kind, count = sys.argv[1], int(sys.argv[2])
print('target triple = "x86_64-unknown-linux-gnu"')
if kind == "stack":
    print("""define i64 @f(i64 %n) {
  %p0 = alloca [64 x i64]
  br label %b0
b0:""")
    for i in range(count):
        print(f"""  %v{i} = load volatile i64, ptr %p{i}
  %c{i} = icmp sgt i64 %v{i}, %n
  br i1 %c{i}, label %t{i}, label %b{i + 1}
t{i}:
  %g{i} = getelementptr i8, ptr %p{i}, i64 %v{i}
  br label %b{i + 1}
b{i + 1}:
  %p{i + 1} = phi ptr [ %p{i}, %b{i} ], [ %g{i}, %t{i} ]""")
    print(f"""  %last = load volatile i64, ptr %p{count}
  ret i64 %last
}}""")
elif kind in ("fields", "chain"):
    print("""declare void @call()
define void @f(ptr %p, i64 %n) {""")
    for i in range(count + 1):
        if kind == "fields":
            found = f"ptr %p, i64 {8 * i}"
        else:
            found = f"ptr {f'%a{i - 1}' if i else '%p'}, i64 %n"
        print(f"""  %a{i} = getelementptr inbounds{' nuw' if kind == 'chain' else ''} i8, {found}
  store i64 0, ptr %a{i}
  call void @call()""")
    print("""  ret void
}""")
else:
    print("""define i64 @f(ptr %p, ptr %array, i64 %n) {
  %first = load i64, ptr %p
  %c = icmp eq i64 %first, %n
  br i1 %c, label %leave, label %go, !prof !0
leave:
  ret i64 0
go:""")
    for i in range(count):
        print(f"""  %a{i} = getelementptr ptr, ptr %array, i64 {i}
  %q{i} = load ptr, ptr %a{i}
  %v{i} = load i64, ptr %q{i}""")
    print("""  %again = load i64, ptr %p
  ret i64 %again
}
!0 = !{!"branch_weights", i32 1, i32 1000}""")
