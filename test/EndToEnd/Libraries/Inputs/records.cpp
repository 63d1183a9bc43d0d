#include "records.h"
#include <stdlib.h>

__attribute__((noinline)) static char *block(size_t Size) {
  return static_cast<char *>(malloc(Size));
}
char *records_keep(size_t Size) { return block(Size) + 0; }
char *records_find(size_t Size) { return block(Size) + 0; }
char *records_make(size_t Size) { return static_cast<char *>(malloc(Size)); }
char *records_note(size_t Size) { return static_cast<char *>(calloc(Size, 1)); }
