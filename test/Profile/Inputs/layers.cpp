// A program whose allocations go through shared, partly inlined helpers: one
// context stays idle until the end, one is busy, one is freed at once, one is
// recursive, and one is made by the C library on behalf of the program.
#include <cstdlib>
#include <cstring>
#include <string>
#include <chrono>

extern "C" __attribute__((weak)) bool __thermocline_pass_time(unsigned long Microseconds);

// LLVM's runtime has no clock that a test sets.
static void passTime(int Milliseconds) {
  if (__thermocline_pass_time && __thermocline_pass_time(1000 * Milliseconds))
    return;
  auto End = std::chrono::steady_clock::now() + std::chrono::milliseconds(Milliseconds);
  while (std::chrono::steady_clock::now() < End) {
  }
}

struct Node {
  long Value;
  Node *Next;
};

static inline Node *makeNode(long Value, Node *Next) {
  return new Node{Value, Next};
}

__attribute__((noinline)) Node *idle(Node *Next) { return makeNode(1, Next); }
__attribute__((noinline)) Node *busy(Node *Next) { return makeNode(2, Next); }

__attribute__((noinline)) char *recursive(int Depth) {
  if (Depth)
    return recursive(Depth - 1);
  return static_cast<char *>(malloc(100));
}

int main() {
  Node *Idle = nullptr, *Busy = nullptr;
  for (int I = 0; I != 100; ++I) {
    Idle = idle(Idle);
    Busy = busy(Busy);
  }
  long Sum = 0;
  for (int Round = 0; Round != 2000; ++Round)
    for (volatile Node *N = Busy; N; N = N->Next)
      Sum += N->Value;
  for (int I = 0; I != 50; ++I)
    free(recursive(I % 3));
  char *Copy = strdup("text that the C library copies");
  passTime(40);
  Sum += Copy[0];
  free(Copy);
  return Sum == 0;
}
