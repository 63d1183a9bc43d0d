// Calls in unusual forms: several of a macro on one line, musttail,
// always_inline and flatten, computed goto, #line, destructors while an
// exception is thrown. And what moves calls if asked to by hidden options:
// outlining, hoisting, sinking.

// RUN: %check-frames %t/O1 "-O1" "" %s
// RUN: %check-frames %t/Oz "-Oz -mllvm -enable-machine-outliner=always" "" %s
// RUN: %check-frames %t/O3 "-O3 -flto=full" "" %s
// RUN: %check-frames %t/hidden "-O2 -mllvm -hot-cold-split -mllvm -enable-partial-inlining -mllvm -enable-gvn-hoist -mllvm -enable-gvn-sink -mllvm -ir-outliner" "" %s

#include "Inputs/checked-calls.h"
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
#define ALWAYS __attribute__((always_inline))
#define TWO(N) (make(N), make(N))
#define FOUR(N)                                                                \
  do {                                                                         \
    if (roll(2))                                                               \
      TWO(N);                                                                  \
    else {                                                                     \
      TWO(N);                                                                  \
    }                                                                          \
  } while (0)
#define BLOCK(N)                                                               \
  ({                                                                           \
    char *P = make(N);                                                         \
    keep(P);                                                                   \
    P;                                                                         \
  })
NOINLINE void macros(int N) {
  TWO(N);
  FOUR(N);
  make(N);
  make(N);
  char *P = roll(2) ? BLOCK(N) : BLOCK(N);
  char *Q = roll(2) ? make(N) : make(N);
  keep(P + (Q - Q));
}
NOINLINE char *last(int N) { return make(N); }
NOINLINE char *hop(int N) {
  if (N & 1)
    __attribute__((musttail)) return last(N);
  __attribute__((musttail)) return make(N);
}
NOINLINE char *skip(int N) {
  if (roll(2))
    __attribute__((musttail)) return hop(N);
  if (roll(2))
    return hop(N);
  return hop(N);
}
ALWAYS inline char *always(int N) { return roll(2) ? make(N) : make(N); }
static char *plain(int N) { return roll(2) ? always(N) : always(N); }
__attribute__((flatten)) NOINLINE char *flat(int N) {
  return roll(2) ? plain(N) : plain(N);
}
NOINLINE __attribute__((cold)) void coldly(int N) {
  make(N);
  if (roll(2))
    make(N);
  else
    make(N);
}
NOINLINE void maybe(int N) {
  if (__builtin_expect(roll(50) == 0, 0)) {
    make(N);
    keep(malloc(N));
    keep(new char[N + 1]);
    coldly(N);
    if (N > 900)
      abort();
  }
  make(N);
  if (roll(9) == 0) [[unlikely]] {
    make(N);
    make(N + 1);
    make(N + 2);
    coldly(N);
  }
}
NOINLINE void jumps(int N) {
  int I = 0;
again:
  if (roll(2)) {
    make(N);
    goto next;
  }
  make(N);
  if (I > 5)
    goto out;
next:
  make(N);
  if (++I < 6)
    goto again;
out:
  make(N);
}
NOINLINE void computed(int N) {
  static const void *const At[] = {&&A, &&B, &&C, &&D};
  for (int I = 0; I != 5; ++I) {
    goto *At[roll(4)];
  A:
    make(N);
    continue;
  B:
    make(N);
    continue;
  C:
    make(N);
    continue;
  D:
    make(N);
    break;
  }
}
template <class T> NOINLINE T *build(int N) {
  return roll(2) ? new T[N + 1] : new T[N + 1];
}
template <int K> struct Deep {
  static char *go(int N) {
    return roll(2) ? Deep<K - 1>::go(N) : Deep<K - 1>::go(N);
  }
};
template <> struct Deep<0> {
  static char *go(int N) { return make(N); }
};
template <class... F> void each(int N, F... Call) { (Call(N), ...); }
struct Base {
  virtual ~Base() { make(3); }
  virtual char *get(int N) { return make(N); }
};
struct Left final : Base {
  char *Own = make(5);
  char *get(int N) override { return make(N); }
  ~Left() override { make(6); }
};
struct Right final : Base {
  char *Own = make(5);
  char *get(int N) override { return roll(2) ? make(N) : Base::get(N); }
  ~Right() override { make(6); }
};
struct Member {
  char *P = make(4);
  char *Q = roll(2) ? make(4) : make(4);
  Member(int N = (make(7), 1)) { keep(make(N)); }
  Member(const Member &) : Member(2) {}
  ~Member() { make(8); }
};
struct Thrower {
  Member A, B;
  Thrower(int N) : A(N), B(N) {
    if (roll(2))
      throw A;
    make(N);
  }
  ~Thrower() { make(N()); }
  static int N() {
    make(2);
    return 1;
  }
};
NOINLINE void objects(int N) {
  std::unique_ptr<Base> P(roll(2) ? static_cast<Base *>(new Left) : new Right);
  P->get(N);
  Left L;
  L.get(N);
  Right R;
  R.get(N);
  Member Array[3];
  try {
    Thrower T(N);
    make(N);
  } catch (Member &M) {
    make(N);
    try {
      throw;
    } catch (Member M) {
      make(N);
    } catch (...) {
      make(N);
    }
  }
  try {
    Thrower T(N), U(N);
    if (roll(2))
      throw 1;
    throw 2L;
  } catch (int) {
    make(N);
  } catch (...) {
    make(N);
  }
  static Member Once(N);
  thread_local Member Mine(N);
  keep(&Mine);
}
NOINLINE void library(int N) {
  std::vector<std::string> V;
  std::map<int, std::string> M;
  std::function<char *(int)> F = [=](int K) { return make(N + K); },
                             G = [&, N](int) { return make(N); };
  for (int I = 0; I != 5; ++I) {
    V.push_back(std::string(40 + I, 'x'));
    M[I] = V.back();
    M.emplace(I + 9, V.front());
    F(I);
    G(I);
  }
  auto H = F;
  H(1);
  V.insert(V.begin(), V.back());
}
# 1000
NOINLINE void numbered(int N) {
  make(N);
  make(N);
#line 70000
  make(N);
#line 5
  make(N);
  if (roll(2))
    make(N);
  else
#line 5
    make(N);
}
NOINLINE void merged(int N) {
  switch (roll(8)) {
  case 0:
    make(N);
    break;
  case 1:
    make(N);
    [[fallthrough]];
  case 2:
    make(N);
    break;
  case 3:
  case 4:
    make(N);
    return;
  case 5:
    make(N);
    return;
  default:
    make(N);
  }
  for (int I = 0; I < 4; ++I) {
    if (N == 3)
      make(N);
    else if (N == 4)
      make(N);
    else
      make(I);
  }
  int X = roll(2);
  if (X) {
    make(N);
  }
  keep(&X);
  if (X) {
    make(N);
  } else {
    make(N);
  }
  if ((roll(2) && make(N)) || (roll(2) && make(N)))
    make(N);
  char *P = nullptr;
  while (!P)
    P = roll(3) ? make(N) : nullptr;
  do
    make(N);
  while (roll(2));
  for (;;) {
    if (roll(2)) {
      make(N);
      break;
    }
    make(N);
    if (roll(2)) {
      make(N);
      break;
    }
  }
}
NOINLINE long recurse(int N) {
  if (N <= 0)
    return 0;
  char *P = make(N);
  return (P != nullptr) + (roll(2) ? recurse(N - 1) : recurse(N - 2));
}
NOINLINE void sizes(int N) {
  keep(N == 7 ? malloc(7) : malloc(N));
  keep(roll(2) ? calloc(N, 2) : calloc(2, N));
  keep(roll(2) ? strdup("a") : strdup("b"));
  keep(roll(2) ? (void *)new int : (void *)new int(7));
  void *P = aligned_alloc(64, 64);
  keep(P);
  keep(realloc(P, 99));
  keep(realloc(nullptr, 9));
  if (!posix_memalign(&P, 32, 32))
    keep(P);
}
int main() {
  for (int I = 0; I != 30; ++I) {
    macros(I);
    skip(I);
    flat(I);
    maybe(I);
    jumps(I);
    computed(I);
    keep(build<int>(I));
    keep(build<long>(I));
    keep(build<std::string>(I % 3));
    Deep<3>::go(I);
    each(
        I, [](int N) { make(N); }, [](int N) { make(N); }, last, skip);
    objects(I);
    library(I);
    numbered(I);
    merged(I);
    recurse(I);
    sizes(I + 1);
  }
}
