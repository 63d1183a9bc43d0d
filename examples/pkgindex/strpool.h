//===- pkgindex/strpool.h - Memory that callers need not check ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C side of pkgindex gets its memory here: strings, buffers, tables and
// growing lists. None returns NULL; running out of memory ends the program.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_STRPOOL_H
#define PKGINDEX_STRPOOL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A copy of the first size bytes of text, ended by a NUL. */
char *pool_strndup(const char *text, size_t size);
/* A copy of a text that is ended by a NUL. */
char *pool_strdup(const char *text);
/* size bytes, not initialized. */
void *pool_buffer(size_t size);
/* count elements of size bytes each, all zero. */
void *pool_table(size_t count, size_t size);
/* Gives back what any of these functions returned. */
void pool_free(void *memory);

/* A list of pointers that grows. All zero is the empty list. */
struct pool_list {
  void **items;
  uint32_t count;
  uint32_t capacity;
};
void pool_list_push(struct pool_list *list, void *item);

#ifdef __cplusplus
}
#endif

#endif
