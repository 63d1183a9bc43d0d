// Recursion as deep as the runtime records (malloc_context_size is 256 at most):
// the context is kept whole, all 256 frames of it.

// RUN: %python -c "print('PROFILE: cold 2000: ' + ' < '.join(['_Z7recursej+2:12'] + ['_Z7recursej+3:10'] * 255))" > %t.contexts
// RUN: %profile %t.contexts %t.prof
// RUN: %clangxx -O1 %annotate -fno-optimize-sibling-calls -fmemory-profile-use=%t.prof %s -o %t.ll
// RUN: %annotations %t.ll > %t.txt
// RUN: grep -c '^  cold ' %t.txt | %FileCheck %s --check-prefix=CONTEXTS
// RUN: grep '^  cold ' %t.txt | tr '<' '\n' | grep -c . | %FileCheck %s --check-prefix=FRAMES

// clang-format off
__attribute__((noinline)) char *recurse(unsigned Depth) {
  if (Depth == 0)
    return new char[100];
  return recurse(Depth - 1);
}

// CONTEXTS: {{^}}1{{$}}
// FRAMES: {{^}}256{{$}}
