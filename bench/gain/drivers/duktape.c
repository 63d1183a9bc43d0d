/*===- bench/gain/drivers/duktape.c - A script with a steady phase  *- C
-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: duktape SCRIPT AMOUNT ROUNDS
// Calls run(AMOUNT, ROUNDS) of a script in JavaScript, which calls begin() and
// finish(sum).
//
//===----------------------------------------------------------------------===*/

#include "duktape.h"

#include "phase.h"

static duk_ret_t begin(duk_context *Context) {
  (void)Context;
  phaseBegin();
  return 0;
}

static duk_ret_t finish(duk_context *Context) {
  phaseEnd((unsigned long)duk_require_number(Context, 0));
  return 0;
}

static int pushFile(duk_context *Context, const char *Path) {
  static char Text[1 << 16];
  FILE *File = fopen(Path, "r");
  if (!File)
    return 0;
  duk_push_lstring(Context, Text, fread(Text, 1, sizeof(Text), File));
  fclose(File);
  return 1;
}

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 4) {
    fprintf(stderr, "usage: duktape SCRIPT AMOUNT ROUNDS\n");
    return 1;
  }
  duk_context *Context = duk_create_heap_default();
  duk_push_c_function(Context, begin, 0);
  duk_put_global_string(Context, "begin");
  duk_push_c_function(Context, finish, 1);
  duk_put_global_string(Context, "finish");
  if (!pushFile(Context, Arguments[1])) {
    fprintf(stderr, "duktape: cannot read %s\n", Arguments[1]);
    return 1;
  }
  if (duk_peval(Context) == 0) {
    duk_get_global_string(Context, "run");
    duk_push_int(Context, atoi(Arguments[2]));
    duk_push_int(Context, atoi(Arguments[3]));
    if (duk_pcall(Context, 2) == 0)
      return 0;
  }
  fprintf(stderr, "duktape: %s\n", duk_safe_to_string(Context, -1));
  return 1;
}
