// A list that is walked all the time and one that is idle after the start.
// The first argument says for how many ms the program works, by the time that a
// test sets.
#include <cstdlib>

extern "C" __attribute__((weak)) bool __thermocline_pass_time(unsigned long);

struct Node {
  Node *Next;
  long Value;
};
constexpr int Count = 2000;

__attribute__((noinline)) Node *node(Node *Next) { return new Node{Next, 1}; }
__attribute__((noinline)) Node *hot(Node *Next) { return node(Next); }
__attribute__((noinline)) Node *idle(Node *Next) { return node(Next); }

static Node *Hot, *Idle;
static volatile long Sink;

int main(int, char **Arguments) {
  for (int I = 0; I != Count; ++I) {
    Hot = hot(Hot);
    Idle = idle(Idle);
  }
  for (long Left = atol(Arguments[1]); Left; --Left) {
    for (int Round = 0; Round != 50; ++Round)
      for (Node *N = Hot; N; N = N->Next)
        Sink += N->Value;
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }
  return Idle->Value == 1 ? 0 : 1;
}
