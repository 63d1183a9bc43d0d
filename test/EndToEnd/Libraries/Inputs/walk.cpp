#include "walk.h"
#include "records.h"
char *walk_old(Visitor Visit, size_t Size) { return Visit(Size) + 0; }
char *walk_new(Visitor Visit, size_t Size) { return Visit(Size) + 0; }
char *walk_keep(size_t Size) { return records_make(Size) + 0; }
char *walk_find(size_t Size) { return records_make(Size) + 0; }
