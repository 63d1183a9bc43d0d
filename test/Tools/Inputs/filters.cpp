#include <cstdlib>
extern "C" __attribute__((weak)) bool __thermocline_pass_time(unsigned long);

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
  for (int Millisecond = 0; Millisecond != 100; ++Millisecond) {
    for (int I = 0; I != 3000; ++I)
      Bytes[I] = static_cast<char>(I);
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }
  operator delete(Used);
  free(Idle);
}
