// A plugin: only the program calls it, and it calls a library.
#include "records.h"
#include <stdlib.h>
__attribute__((noinline)) static char *own(size_t Size) {
  return static_cast<char *>(malloc(Size));
}
extern "C" char *plugin_keep(size_t Size) { return own(Size) + 0; }
extern "C" char *plugin_find(size_t Size) { return own(Size) + 0; }
extern "C" char *plugin_record(size_t Size) { return records_make(Size) + 0; }
