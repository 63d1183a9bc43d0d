// Random programs of allocation calls give the same results as with libc's
// allocator, in one thread and in several, with a profile taken at the end. A
// longer run: test/Runtime/Malloc/Inputs/fuzz_allocations.sh.
// RUN: %clangxx -O1 -w -fno-builtin %S/Inputs/allocation_fuzz.cpp -o %t.libc -pthread
// RUN: %clangxx --config=%generate-cfg -O1 -w -fno-builtin %S/Inputs/allocation_fuzz.cpp -o %t.ours -pthread
// RUN: rm -f %t.raw.*
// RUN: env MEMPROF_OPTIONS=log_path=%t.raw %S/Inputs/fuzz_allocations.sh %t.libc %t.ours 3 2000
// RUN: for raw in %t.raw.*; do %llvm-profdata show --memory --profiled-binary %t.ours $raw || exit 1; done | %FileCheck %s --check-prefix=PROFILE
// PROFILE: NumMibInfo
//
// Where most allocations are libc's, and move between it and the runtime.
// RUN: env MEMPROF_OPTIONS=log_path=%t.raw:sample=7 %S/Inputs/fuzz_allocations.sh %t.libc %t.ours 3 2000
//
// The same while a profile is written all the time.
// RUN: env MEMPROF_OPTIONS=log_path=%t.raw:continuous=1:sync_interval_ms=1 %t.ours 4 2000 4
