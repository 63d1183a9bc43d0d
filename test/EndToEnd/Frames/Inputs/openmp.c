/* Enough of an OpenMP runtime to run what clang makes of parallel regions,
   loops and tasks, with two threads. */
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

typedef void (*Region)(int *, int *, void *, void *, void *, void *);

struct Member {
  int Number;
  Region Code;
  void *Captured[4];
};

static __thread int Number;
static pthread_barrier_t Barrier;
static pthread_mutex_t Critical = PTHREAD_MUTEX_INITIALIZER;

static void *runMember(void *Argument) {
  struct Member *M = Argument;
  Number = M->Number;
  int Bound = 0;
  M->Code(&Number, &Bound, M->Captured[0], M->Captured[1], M->Captured[2],
          M->Captured[3]);
  return NULL;
}

void __kmpc_fork_call(void *Where, int NumCaptured, Region Code, ...) {
  struct Member Members[2] = {{.Number = 0}, {.Number = 1}};
  va_list Captured;
  va_start(Captured, Code);
  for (int I = 0; I != NumCaptured; ++I)
    Members[0].Captured[I] = Members[1].Captured[I] = va_arg(Captured, void *);
  va_end(Captured);
  Members[0].Code = Members[1].Code = Code;
  pthread_barrier_init(&Barrier, NULL, 2);
  pthread_t Other;
  pthread_create(&Other, NULL, runMember, &Members[1]);
  runMember(&Members[0]);
  pthread_join(Other, NULL);
  pthread_barrier_destroy(&Barrier);
}

int __kmpc_global_thread_num(void *Where) { return Number; }
void __kmpc_barrier(void *Where, int Thread) { pthread_barrier_wait(&Barrier); }
int __kmpc_single(void *Where, int Thread) { return Thread == 0; }
void __kmpc_end_single(void *Where, int Thread) {}
void __kmpc_critical(void *Where, int Thread, void *Name) {
  pthread_mutex_lock(&Critical);
}
void __kmpc_end_critical(void *Where, int Thread, void *Name) {
  pthread_mutex_unlock(&Critical);
}

/* The first half of the iterations for the first thread. */
void __kmpc_for_static_init_4(void *Where, int Thread, int Schedule, int *Last,
                              int *Lower, int *Upper, int *Stride,
                              int Increment, int Chunk) {
  int Middle = (*Lower + *Upper) / 2;
  if (Thread == 0)
    *Upper = Middle;
  else
    *Lower = Middle + 1;
  *Last = Thread == 1;
}
void __kmpc_for_static_fini(void *Where, int Thread) {}

struct Task {
  void *Shared;
  int (*Code)(int, struct Task *);
};

/* Tasks run where they are made. */
struct Task *__kmpc_omp_task_alloc(void *Where, int Thread, int Flags,
                                   size_t Size, size_t SharedSize,
                                   int (*Code)(int, struct Task *)) {
  struct Task *Made = calloc(1, Size + SharedSize);
  Made->Shared = (char *)Made + Size;
  Made->Code = Code;
  return Made;
}
int __kmpc_omp_task(void *Where, int Thread, struct Task *Made) {
  Made->Code(Thread, Made);
  free(Made);
  return 0;
}
int __kmpc_omp_taskwait(void *Where, int Thread) { return 0; }
