// Allocations inside functions that are inlined into each other, in loops and
// blocks, in functions that have the same code, and beside functions that the
// linker drops.
#include <cstdlib>
#include <cstring>

/// Keeps the compiler from leaving the allocation out.
static void use(char *Memory) { asm volatile("" : : "r"(Memory) : "memory"); }

static inline __attribute__((always_inline)) char *allocate(int Size) {
  if (Size > 4) {
    char *Big = static_cast<char *>(malloc(Size));
    {
      memset(Big, Size, Size);
      return Big;
    }
  }
  return static_cast<char *>(calloc(1, Size));
}

static inline __attribute__((always_inline)) int several(int Count) {
  int Sum = 0;
  for (int I = 0; I != Count; ++I) {
    char *Outer = allocate(8 + I);
    use(Outer);
    Sum += Outer[I];
    {
      char *Inner = allocate(I + 1);
      use(Inner);
      Sum += Inner[0];
      free(Inner);
    }
    free(Outer);
  }
  return Sum;
}

__attribute__((noinline)) int dropped(int Count) { return several(Count * 2); }

__attribute__((noinline)) int same(int Count) {
  return several(Count) + several(Count + 1);
}
__attribute__((noinline)) int sameAsThat(int Count) {
  return several(Count) + several(Count + 1);
}

namespace {
struct Maker {
  int Count;
  __attribute__((noinline)) int make() {
    auto Local = [&](int More) { return several(Count + More) + 1; };
    return Local(2) * Local(3);
  }
};
} // namespace

int main(int Arguments, char **) {
  Maker M = {Arguments};
  return (M.make() + same(Arguments) + sameAsThat(Arguments + 1) +
          several(3)) == 0;
}
