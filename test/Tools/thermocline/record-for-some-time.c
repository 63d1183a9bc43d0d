// A server is recorded for some time. It is ended by SIGTERM, which it may
// handle.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 %s -o server
// However late the signal's time is, it waits until the server unblocks it.
// DEFINE: %{record} = timeout 100 python3 -c 'import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM}); os.execv(sys.argv[1], sys.argv[1:])' %thermocline record
// RUN: %{record} --for=0.1 -o profile -- ./server 2>&1 | %FileCheck %s --implicit-check-not=ended
// CHECK: {{^}}profile: 1 context,
// RUN: %{record} --for=0.1 -o profile -- ./server handles > out 2> said && grep -x 'said good-bye' out && grep '^profile: ' said
// A program that ends before: no signal is left for what runs after it.
// RUN: %clang -O1 -fPIC -shared %S/Inputs/timer-at-fork.c -o timer.so
// RUN: env LD_PRELOAD=%t/timer.so %thermocline record --for=100 -o profile -- ./server ends 2> said && grep '^profile: ' said && grep -c '^fork: no timer$' said | %not grep -x '[01]' && %not grep '^fork: a timer' said
// The same, and one that fails.
// RUN: %thermocline record --for=100 -o profile -- ./server ends 2>&1 | grep '^profile: '
// RUN: %not %{record} --for=0.1 -o profile -- ./server fails 2>&1 | grep 'ended with exit status 3'
// RUN: for time in 0 -1 nan 1e9 x; do %not %thermocline record --for=$time -o profile -- ./server 2>&1 | grep -e '--for' || exit 1; done
// RUN: %not %thermocline record --for=0 -- ./server 2>&1 | grep 'error: --for must be a number of seconds from 0.001 to 3000000'

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t Ends;
static void onTerm(int Signal) { Ends = Signal; }

int main(int Count, char **Arguments) {
  const char *What = Count > 1 ? Arguments[1] : "";
  char *volatile Kept = malloc(100);
  Kept[0] = 1;
  if (strcmp(What, "ends") == 0)
    return 0;
  if (*What)
    signal(SIGTERM, onTerm);
  sigset_t None;
  sigemptyset(&None);
  while (!Ends)
    sigsuspend(&None);
  puts("said good-bye");
  return strcmp(What, "fails") == 0 ? 3 : 0;
}
