"""own-allocators.py LLVM-BIN LD.LLD HINTS OUT

For each allocation function: a program whose only call of it is hinted and
that defines the function itself, in a native object, in bitcode, and in an
archive of each, and none of its kin; linked without the C++ library. The
program exits 0 if its own function was called.
"""

import os
import subprocess
import sys

llvm, linker, hints, out = sys.argv[1:]
HEAD = """target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
"""
FUNCTIONS = {
    "malloc": "i64", "calloc": "i64, i64", "realloc": "ptr, i64",
    "reallocarray": "ptr, i64, i64", "aligned_alloc": "i64, i64",
    "memalign": "i64, i64", "posix_memalign": "ptr, i64, i64", "strdup": "ptr",
    "strndup": "ptr, i64", "_Znwm": "i64", "_Znam": "i64",
    "_ZnwmRKSt9nothrow_t": "i64, ptr", "_ZnamRKSt9nothrow_t": "i64, ptr",
    "_ZnwmSt11align_val_t": "i64, i64", "_ZnamSt11align_val_t": "i64, i64",
    "_ZnwmSt11align_val_tRKSt9nothrow_t": "i64, i64, ptr",
    "_ZnamSt11align_val_tRKSt9nothrow_t": "i64, i64, ptr",
    "__size_returning_new": "i64",
}


def tool(name, *arguments):
    subprocess.run([os.path.join(llvm, name), *arguments], check=True)


def write(name, text):
    with open(name, "w") as file:
        file.write(HEAD + text)


os.makedirs(out, exist_ok=True)
os.chdir(out)
for name, parameters in FUNCTIONS.items():
    result = {"posix_memalign": "i32", "__size_returning_new": "{ptr, i64}"}.get(name, "ptr")
    values = parameters.replace("i64", "i64 64").replace("ptr", "ptr @area")
    write("main.ll", f"""@area = global [64 x i8] zeroinitializer
@calls = external global i64
declare {result} @{name}({parameters})
define i32 @main() {{
  %p = call {result} @{name}({values}) builtin "memprof"="cold"
  store volatile {result} %p, ptr @area
  %c = load volatile i64, ptr @calls
  %none = icmp eq i64 %c, 0
  %status = zext i1 %none to i32
  ret i32 %status
}}
""")
    write("own.ll", f"""@calls = global i64 0
@memory = global {result} zeroinitializer
define {result} @{name}({parameters}) noinline {{
  store volatile i64 1, ptr @calls
  %p = load volatile {result}, ptr @memory
  ret {result} %p
}}
""")
    tool("opt", "-thinlto-bc", "main.ll", "-o", "main.o")
    tool("opt", "-thinlto-bc", "own.ll", "-o", "bitcode.o")
    tool("llc", "-filetype=obj", "-relocation-model=pic", "own.ll", "-o", "native.o")
    for own in "native", "bitcode":
        if os.path.exists(own + ".a"):
            os.remove(own + ".a")
        tool("llvm-ar", "rcs", own + ".a", own + ".o")
        for file in own + ".o", own + ".a":
            tool("clang", "--ld-path=" + linker, "-flto=thin", "main.o", file, hints, "-o", "program")
            status = subprocess.run(["./program"]).returncode
            assert status == 0, f"{name}, {file}: exit code {status}"
            symbols = subprocess.run([os.path.join(llvm, "llvm-nm"), "program"],
                                     capture_output=True, text=True, check=True).stdout
            assert "cold" in symbols, f"{name}, {file}: the call has no hint"
print(len(FUNCTIONS), "functions")
