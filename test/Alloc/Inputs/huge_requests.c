// Asks for more memory than there is, and for much that it does not touch.

#include <stdlib.h>

__attribute__((constructor)) static void ask(void) {
  void *volatile Pointer = malloc((size_t)1 << 62);
  if (Pointer)
    abort();
  Pointer = malloc((size_t)1 << 38);
  free(Pointer);
}
