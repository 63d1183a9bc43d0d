/* A program that has a limit on its address space may have no file descriptor
   left, and a filter of system calls that ends it for opening a file. Both
   heaps grow nevertheless, beyond what the cold one starts with.

   RUN: %clang -O1 -fno-builtin %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: %t | %FileCheck %s
   CHECK: grown
*/

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

void *malloc_cold(size_t size);
int thermocline_alloc_is_cold(const void *memory);

enum { COUNT = 200, SIZE = 1 << 20 };

int main(void) {
  struct rlimit limit = {(rlim_t)2 << 30, (rlim_t)2 << 30};
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {4, filter};
  if (setrlimit(RLIMIT_AS, &limit) != 0 ||
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("filter");
    return 1;
  }
  for (int i = 0; i != COUNT; ++i) {
    void *cold = malloc_cold(SIZE), *ordinary = malloc(SIZE);
    if (!cold || !ordinary || !thermocline_alloc_is_cold(cold))
      return 2;
    memset(cold, 1, SIZE / 256);
  }
  puts("grown");
  return 0;
}
