//===- pkgindex/strpool.c - Memory that callers need not check ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thin wrappers of the C library's allocation functions.
//
//===----------------------------------------------------------------------===//

#include "strpool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory) {
  if (memory == NULL) {
    fputs("pkgindex: error: out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

char *pool_strndup(const char *text, size_t size) {
  char *copy = checked(strndup(text, size));
  return copy;
}

char *pool_strdup(const char *text) {
  char *copy = checked(strdup(text));
  return copy;
}

void *pool_buffer(size_t size) {
  void *buffer = checked(malloc(size));
  return buffer;
}

void *pool_table(size_t count, size_t size) {
  void *table = checked(calloc(count, size));
  return table;
}

void pool_free(void *memory) { free(memory); }

void pool_list_push(struct pool_list *list, void *item) {
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity == 0 ? 4 : list->capacity * 2;
    list->items = checked(realloc(list->items, capacity * sizeof(void *)));
    list->capacity = capacity;
  }
  list->items[list->count++] = item;
}
