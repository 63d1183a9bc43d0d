// Allocations in all the shapes that C++ has for them, through helpers that are
// shared by callers that write to the memory and callers that never touch it.

using size_t = decltype(sizeof(0));
void *volatile Sink;
void *otherFile(size_t N, bool Touch);

__attribute__((noinline)) void finish(char *P, size_t N, bool Touch) {
  if (Touch)
    for (size_t I = 0; I != N; ++I)
      P[I] = I;
  Sink = P;
}

struct Guard {
  size_t &Count;
  ~Guard() { ++Count; }
};
size_t Guards;

__attribute__((noinline)) char *guarded(size_t N, bool Touch) {
  Guard G{Guards};
  char *P = new char[N];
  finish(P, N, Touch);
  return P;
}

struct Node {
  virtual ~Node() = default;
  virtual char *grow(size_t N) { return new char[N]; }
};
struct Wide : Node {
  char *grow(size_t N) override { return new char[2 * N]; }
};

template <typename T> __attribute__((noinline)) T *make(size_t N) {
  return new T[N];
}

inline char *inlinedLeaf(size_t N) { return new char[N]; }
inline char *inlinedMiddle(size_t N) { return inlinedLeaf(N) + 0; }

static void *sameName(size_t N) { return new int[N]; }

__attribute__((noinline)) char *recurse(unsigned Depth, bool Touch) {
  return Depth ? recurse(Depth - 1, Touch) : guarded(33, Touch);
}

__attribute__((noinline)) void several(bool Touch) {
  for (size_t I = 0; I != 3; ++I)
    finish((char *)new long[I + 1], 8 * I + 8, Touch);
}

using Method = char *(Node::*)(size_t);

__attribute__((noinline)) void use(Node &N, Method M, bool Touch) {
  finish((char *)make<int>(10), 40, Touch);
  finish((char *)make<double>(20), 160, !Touch);
  finish(inlinedMiddle(50), 50, Touch);
  finish((char *)sameName(5), 20, Touch);
  finish((char *)otherFile(6, Touch), 24, Touch);
  Sink = guarded(7, Touch);
  Sink = recurse(6, Touch);
  several(Touch);
  finish(N.grow(9), 9, Touch);
  finish((N.*M)(10), 10, Touch);
  auto Lambda = [&](size_t K) { return (char *)new short[K + Guards]; };
  finish(Lambda(3), 6, Touch);
}

int main(int Argc, char **) {
  Node Plain;
  Wide Special;
  use(Argc > 5 ? Plain : Special, &Node::grow, true);
  use(Argc > 5 ? Special : Plain, &Node::grow, false);
  return 0;
}
