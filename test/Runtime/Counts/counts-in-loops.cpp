// Loops that end early, jump out, throw, free what they work on, or work on one
// of two objects; matrices, stencils, trees, a hash table, a parser,
// coroutines: exactly the counts of clang's -fmemory-profile.
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O0 -std=c++20
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O2 -std=c++20
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O3 -mavx2 -std=c++20

#include <algorithm>
#include <coroutine>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#define KERNEL extern "C" __attribute__((noinline))

template <typename T, int Site>
__attribute__((noinline)) static T *make(size_t N) {
  T *Values = static_cast<T *>(malloc(N * sizeof(T)));
  for (size_t I = 0; I < N; ++I)
    Values[I] = T(I * 7 % 23);
  return Values;
}

KERNEL long matrix(size_t N) {
  auto *A = make<double, 0>(N * N), *B = make<double, 1>(N * N),
       *C = make<double, 2>(N * N);
  for (size_t I = 0; I < N; ++I)
    for (size_t J = 0; J < N; ++J) {
      double Sum = 0;
      for (size_t K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
  double Trace = 0;
  for (size_t I = 0; I < N; ++I)
    Trace += C[I * N + I];
  free(A);
  free(B);
  free(C);
  return static_cast<long>(Trace);
}

KERNEL long triangle(size_t N) {
  long **Rows = static_cast<long **>(malloc(N * sizeof *Rows));
  for (size_t I = 0; I < N; ++I)
    Rows[I] = make<long, 4>(I + 1);
  long Sum = 0;
  for (size_t I = 1; I < N; ++I)
    for (size_t J = 1; J < I; ++J)
      Sum += Rows[I][J] = Rows[I - 1][J - 1] + Rows[I - 1][J];
  for (size_t I = 0; I < N; ++I)
    free(Rows[I]);
  free(Rows);
  return Sum;
}

KERNEL long stencil(long N) {
  float *From = make<float, 5>(static_cast<size_t>(N * N));
  float *To = make<float, 6>(static_cast<size_t>(N * N));
  for (int Round = 0; Round < 5; ++Round) {
    for (long Y = 1; Y < N - 1; ++Y)
      for (long X = 1; X < N - 1; ++X)
        To[Y * N + X] =
            (From[Y * N + X] + From[Y * N + X - 1] + From[Y * N + X + 1] +
             From[(Y - 1) * N + X] + From[(Y + 1) * N + X]) /
            5;
    std::swap(From, To);
  }
  long Sum = static_cast<long>(From[N + 1]);
  free(From);
  free(To);
  return Sum;
}

struct Tree {
  Tree *Left, *Right;
  long Key;
};

KERNEL Tree *insert(Tree *Root, long Key) {
  Tree **Place = &Root;
  while (*Place)
    Place = Key < (*Place)->Key ? &(*Place)->Left : &(*Place)->Right;
  *Place = static_cast<Tree *>(calloc(1, sizeof(Tree)));
  (*Place)->Key = Key;
  return Root;
}

KERNEL long drop(Tree *Root) {
  if (!Root)
    return 0;
  long Sum = Root->Key + drop(Root->Left) + drop(Root->Right);
  free(Root);
  return Sum;
}

KERNEL long trees(long N) {
  Tree *Root = nullptr;
  for (long I = 0; I < N; ++I)
    Root = insert(Root, I * 37 % 101);
  return drop(Root);
}

/// Open addressing, growing: frees in the loop that it reads in.
KERNEL long hashing(unsigned N) {
  unsigned Size = 16, Used = 0;
  unsigned *Table = static_cast<unsigned *>(calloc(Size, sizeof *Table));
  for (unsigned I = 1; I <= N; ++I) {
    unsigned Key = I * 2654435761u % 1000 + 1, Slot = Key % Size;
    while (Table[Slot] && Table[Slot] != Key)
      Slot = (Slot + 1) % Size;
    if (Table[Slot])
      continue;
    Table[Slot] = Key;
    if (++Used * 2 < Size)
      continue;
    unsigned *Larger = static_cast<unsigned *>(calloc(Size * 2, sizeof *Table));
    for (unsigned J = 0; J < Size; ++J) {
      if (!Table[J])
        continue;
      unsigned To = Table[J] % (Size * 2);
      while (Larger[To])
        To = (To + 1) % (Size * 2);
      Larger[To] = Table[J];
    }
    free(Table);
    Table = Larger;
    Size *= 2;
  }
  free(Table);
  return Used;
}

KERNEL long parse(const char *Text) {
  long Result = 0;
  while (*Text) {
    while (*Text == ' ')
      ++Text;
    if (*Text >= '0' && *Text <= '9') {
      long Number = 0;
      while (*Text >= '0' && *Text <= '9')
        Number = Number * 10 + (*Text++ - '0');
      Result += Number;
    } else if (*Text == '"') {
      for (++Text; *Text && *Text != '"'; ++Text)
        if (*Text == '\\' && Text[1])
          ++Text;
        else
          Result ^= *Text;
      if (!*Text)
        return -1;
      ++Text;
    } else if (*Text) {
      ++Text;
    }
  }
  return Result;
}

KERNEL long parser() {
  std::string Text;
  for (int I = 0; I < 50; ++I)
    Text += std::to_string(I * I) + " \"a \\\"quoted\\\" word\" + ";
  char *Copy = strdup(Text.c_str());
  long Result = parse(Copy);
  free(Copy);
  return Result;
}

/// One of two objects, known when the loop begins, or in each iteration.
KERNEL long either(long N) {
  long *A = make<long, 7>(64), *B = make<long, 8>(64);
  long Sum = 0;
  for (long Round = 0; Round < N; ++Round) {
    long *P = Round % 3 ? A : B;
    for (long I = 0; I < Round % 64; ++I)
      Sum += P[I]++;
    for (long I = 0; I < 20; ++I)
      (Sum & 1 ? A : B)[I] += Sum++;
    long *Q = A;
    for (long I = 0; I < 40; ++I, Q = I == 25 ? B + 5 : Q + 1)
      Sum += *Q;
  }
  free(A);
  free(B);
  return Sum;
}

__attribute__((noinline)) static void check(long X) {
  if (X % 17 == 16)
    throw std::runtime_error("seventeen");
}

KERNEL long throwing(long N) {
  long *A = make<long, 9>(100);
  long Sum = 0;
  for (long Round = 0; Round < N; ++Round) {
    try {
      for (long I = 0; I < 100; ++I) {
        A[I] += I;
        if (I > 50)
          check(A[I] + I);
        A[99 - I] += Round;
        Sum += A[50];
      }
    } catch (const std::runtime_error &) {
      Sum += A[3];
    }
  }
  free(A);
  return Sum;
}

static jmp_buf Buffer;
__attribute__((noinline)) static void jump(long X) {
  if (X > 30)
    longjmp(Buffer, 1);
}

KERNEL long jumping(long *A) {
  volatile long Jumps = 0;
  if (setjmp(Buffer))
    ++Jumps;
  long Sum = A[1];
  if (Jumps < 5)
    for (long I = 0; I < 64; ++I) {
      Sum += A[I];
      if (I % 4 == 1)
        jump(I);
      A[I] += 1;
    }
  return Sum + Jumps;
}

KERNEL long freeing(long N) {
  long Sum = 0;
  char *Line = static_cast<char *>(malloc(8));
  size_t Size = 8, Length = 0;
  for (long I = 0; I < N; ++I) {
    if (Length == Size)
      Line = static_cast<char *>(realloc(Line, Size *= 2));
    Line[Length++] = static_cast<char>(I);
    if (I % 100 == 99) {
      for (size_t J = 0; J < Length; ++J)
        Sum += Line[J];
      free(Line);
      Size = 8;
      Length = 0;
      Line = static_cast<char *>(malloc(Size));
    }
  }
  free(Line);
  return Sum;
}

KERNEL long find(const long *A, long N, long Wanted) {
  for (long I = 0; I < N; ++I) {
    if (A[I] == Wanted)
      return I;
    if (A[I] < 0)
      break;
  }
  return -1;
}

KERNEL long finding() {
  long *A = make<long, 10>(300);
  A[200] = -5;
  long Sum =
      find(A, 300, 22) + find(A, 300, 1000) + find(A, 0, 7) + find(A, 1, 0);
  for (unsigned char I = 250; I != 10; ++I)
    Sum += A[I % 64];
  free(A);
  return Sum;
}

struct Generator {
  struct promise_type {
    long Value = 0;
    Generator get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long V) noexcept {
      Value = V;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> Handle;
};

static Generator numbers(long *A, long N) {
  long Sum = 0;
  for (long I = 0; I < N; ++I) {
    A[I % 64] += I;
    for (long J = 0; J < I; ++J)
      Sum += A[J % 64];
    if (I % 2)
      co_yield Sum;
    A[(I + 1) % 64] += Sum & 3;
  }
}

KERNEL long coroutines(long N) {
  long *A = make<long, 11>(64);
  long Sum = 0;
  Generator G = numbers(A, N);
  for (G.Handle.resume(); !G.Handle.done(); G.Handle.resume())
    Sum += G.Handle.promise().Value;
  G.Handle.destroy();
  free(A);
  return Sum;
}

struct Wide {
  long Values[12];
};

KERNEL long copies(size_t N) {
  Wide *A = static_cast<Wide *>(malloc(N * sizeof(Wide)));
  memset(A, 3, N * sizeof(Wide));
  for (size_t I = 1; I < N; ++I) {
    A[I] = A[I - 1];
    A[I].Values[I % 12] += 1;
    if (I % 5 == 0)
      memcpy(&A[I - 1], &A[I], I % 96);
  }
  long Sum = A[N - 1].Values[3];
  free(A);
  return Sum;
}

int main() {
  long *A = make<long, 12>(64);
  volatile long N = 40;
  printf("%ld %ld %ld\n", matrix(static_cast<size_t>(N)),
         triangle(static_cast<size_t>(N)), stencil(N));
  printf("%ld %ld %ld\n", trees(N), hashing(3000), parser());
  printf("%ld %ld %ld\n", either(N), throwing(N), jumping(A));
  printf("%ld %ld\n", freeing(1000), finding());
  printf("%ld %ld\n", coroutines(N), copies(static_cast<size_t>(N)));
  free(A);
}
