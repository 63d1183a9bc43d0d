// A list that is walked all the time and one that is idle after the start.
// The first argument says for how many ms of processor time the program works.
#include <cstdlib>
#include <ctime>

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
  const clock_t End = clock() + static_cast<clock_t>(atol(Arguments[1]) *
                                                     (CLOCKS_PER_SEC / 1000));
  while (clock() < End)
    for (Node *N = Hot; N; N = N->Next)
      Sink += N->Value;
  return Idle->Value == 1 ? 0 : 1;
}
