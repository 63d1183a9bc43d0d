// A library that keeps records and looks them up.
#ifndef RECORDS_H
#define RECORDS_H
#include <stddef.h>
extern "C" {
// Allocate by one function of the library, from two calls of it.
char *records_keep(size_t Size);
char *records_find(size_t Size);
// Allocates for whoever calls: only the caller knows for what.
char *records_make(size_t Size);
// Allocates what is kept, and only that.
char *records_note(size_t Size);
}
#endif
