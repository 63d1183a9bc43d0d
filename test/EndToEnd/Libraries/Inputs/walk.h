// A library that calls back.
#ifndef WALK_H
#define WALK_H
#include <stddef.h>
typedef char *(*Visitor)(size_t Size);
extern "C" {
char *walk_old(Visitor Visit, size_t Size);
char *walk_new(Visitor Visit, size_t Size);
// Calls another library.
char *walk_keep(size_t Size);
char *walk_find(size_t Size);
}
#endif
