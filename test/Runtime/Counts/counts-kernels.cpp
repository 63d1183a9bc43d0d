// Loads and stores of all widths, vectors, atomics, bit fields, unaligned
// accesses, aligned allocations, fills and copies of constant and variable
// length: counts equal those of clang's -fmemory-profile at each level.
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O1 -std=c++17
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O3 -mavx2 -std=c++17
// RUN: env HISTOGRAMS=instrumentation %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O3 -mavx2 -std=c++17

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#define KERNEL extern "C" __attribute__((noinline))

template <typename T> static long sweep(size_t Count) {
  T *Values = new T[Count];
  for (size_t I = 0; I < Count; ++I)
    Values[I] = static_cast<T>(I);
  long Sum = 0;
  for (size_t I = 0; I < Count; ++I)
    Sum += static_cast<long>(Values[I * 7 % Count]);
  delete[] Values;
  return Sum;
}

KERNEL long widths(size_t N) {
  return sweep<char>(N) + sweep<short>(N) + sweep<int>(N) + sweep<long>(N) +
         sweep<float>(N) + sweep<double>(N) + sweep<long double>(N) +
         static_cast<long>(sweep<__int128>(N));
}

KERNEL long unaligned(size_t N) {
  char *Bytes = static_cast<char *>(malloc(N * 8 + 64));
  long Sum = 0;
  for (size_t I = 0; I < N; ++I) {
    uint64_t Word = I;
    memcpy(Bytes + I * 8 + 3, &Word, 8);
    uint32_t Half;
    memcpy(&Half, Bytes + I * 8 + 5, 4);
    Sum += Half;
  }
  free(Bytes);
  return Sum;
}

struct Bits {
  unsigned A : 3, B : 13, C : 7;
  long D : 40;
};

KERNEL long bitFields(size_t N) {
  Bits *Fields = static_cast<Bits *>(calloc(N, sizeof(Bits)));
  for (size_t I = 0; I < N; ++I) {
    Fields[I].A = I;
    Fields[I].C = I * 3;
    Fields[I].D = static_cast<long>(I * I);
  }
  long Sum = 0;
  for (size_t I = 0; I < N; ++I)
    Sum += Fields[I].A + Fields[I].C + Fields[I].D;
  free(Fields);
  return Sum;
}

KERNEL long atomics(size_t N) {
  auto *Values = new std::atomic<long>[N];
  for (size_t I = 0; I < N; ++I)
    Values[I].store(static_cast<long>(I), std::memory_order_release);
  for (size_t I = 0; I < N; ++I) {
    Values[I].fetch_add(3);
    Values[I].exchange(Values[(I + 1) % N].load());
    long Expected = 5;
    Values[I].compare_exchange_strong(Expected, 6);
  }
  long Sum = Values[N / 2];
  delete[] Values;
  return Sum;
}

KERNEL long ranges(size_t N) {
  char *A = static_cast<char *>(malloc(N)), *B = static_cast<char *>(malloc(N));
  memset(A, 1, N);
  memset(B, 0, 100);
  memcpy(B, A, N / 3);
  memcpy(B + 64, A, 40);
  memmove(A + 1, A, N - 1);
  long Sum = memcmp(A, B, N / 3) + B[10];
  free(A);
  free(B);
  return Sum;
}

KERNEL long vectors(size_t N) {
  auto *X = new (std::align_val_t(64)) float[N], *Y = new float[N];
  for (size_t I = 0; I < N; ++I)
    X[I] = static_cast<float>(I), Y[I] = 1;
  for (int Round = 0; Round < 10; ++Round)
    for (size_t I = 0; I < N; ++I)
      Y[I] += 2 * X[I];
  double Sum = 0;
  for (size_t I = 0; I < N; ++I)
    Sum += Y[I];
  operator delete[](X, std::align_val_t(64));
  delete[] Y;
  return static_cast<long>(Sum);
}

// Becomes masked loads and stores where the target has them.
KERNEL long masked(size_t N) {
  int *A = static_cast<int *>(calloc(N, sizeof(int)));
  int *B = static_cast<int *>(calloc(N, sizeof(int)));
  for (size_t I = 0; I < N; ++I)
    B[I] = static_cast<int>(I % 7) - 3;
  for (size_t I = 0; I < N; ++I)
    if (B[I] > 0)
      A[I] += B[I];
  long Sum = 0;
  for (size_t I = 0; I < N; ++I)
    Sum += A[I];
  free(A);
  free(B);
  return Sum;
}

int main() {
  volatile size_t N = 1000;
  printf("%ld %ld %ld %ld %ld %ld %ld\n", widths(N), unaligned(N), bitFields(N),
         atomics(N), ranges(N), vectors(N), masked(N));
}
