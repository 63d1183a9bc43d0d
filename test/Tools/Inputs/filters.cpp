#include <cstdlib>
#include <ctime>

template <class... Types> struct Maker {
  __attribute__((noinline)) static void *make(size_t Size) {
    void *Result = operator new(Size);
    asm volatile("" ::: "memory");
    return Result;
  }
};
using LongName = Maker<Maker<Maker<int, char>, Maker<long, short>>, Maker<Maker<unsigned, float>, Maker<double>>>;

__attribute__((noinline)) static void *idle() {
  void *Result = malloc(5000);
  asm volatile("" ::: "memory");
  return Result;
}

int main() {
  void *Idle = idle();
  char *Used = static_cast<char *>(LongName::make(3000));
  volatile char *Bytes = Used;
  for (clock_t End = clock() + CLOCKS_PER_SEC / 10; clock() < End;)
    for (int I = 0; I != 3000; ++I)
      Bytes[I] = static_cast<char>(I);
  operator delete(Used);
  free(Idle);
}
