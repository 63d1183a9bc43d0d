// Regions, loops and tasks of OpenMP, which clang puts into functions of their
// own: each frame of them is found, with two threads. The runtime is one of
// ours.

// RUN: %check-frames %t/O1 "-O1 -Xclang -fopenmp" "" %s %S/Inputs/openmp.c
// RUN: %check-frames %t/O3 "-O3 -Xclang -fopenmp" "-flto=thin" %s %S/Inputs/openmp.c
// RUN: %check-frames %t/full "-O2 -Xclang -fopenmp -flto=full" "" %s %S/Inputs/openmp.c

#include <cstdlib>

#define NOINLINE __attribute__((noinline))

void *volatile Kept;
NOINLINE void keep(void *P) { Kept = P; }
NOINLINE char *make(int N) {
  char *P = static_cast<char *>(malloc(N + 1));
  keep(P);
  return P;
}

struct Part {
  char *Own = make(7);
  Part() = default;
  Part(const Part &) : Own(make(9)) {}
  ~Part() { make(8); }
};

NOINLINE void regions(int N) {
#pragma omp parallel
  {
    make(N);
#pragma omp single
    make(N + 1);
#pragma omp critical
    keep(malloc(N));
  }
#pragma omp parallel for schedule(static)
  for (int I = 0; I < 10; ++I)
    if (I & 1)
      make(I);
    else
      make(I);
  Part Mine;
#pragma omp parallel for firstprivate(Mine)
  for (int I = 0; I < 4; ++I)
    keep(new char[N + 1]);
#pragma omp simd
  for (int I = 0; I < 4; ++I)
    make(N);
}

NOINLINE void tasks(int N) {
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < 4; ++I) {
#pragma omp task firstprivate(I)
    make(I);
#pragma omp task
    {
      make(N);
#pragma omp task
      make(N);
#pragma omp taskwait
    }
  }
}

int main() {
  for (int I = 0; I != 10; ++I) {
    regions(I);
    tasks(I);
  }
}
