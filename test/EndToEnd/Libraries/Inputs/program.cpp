// Each size is that of one context. Even ones are kept and never looked at again,
// odd ones are in use all the time.
#include "records.h"
#include "walk.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
extern "C" __attribute__((weak)) bool __thermocline_pass_time(unsigned long);

__attribute__((noinline)) static char *text(size_t Size) {
  return static_cast<char *>(malloc(Size));
}
// Called back from one function of a library: the callbacks differ.
static char *visitKept(size_t Size) { return text(Size) + 0; }
static char *visitUsed(size_t Size) { return text(Size) + 0; }
// Called back from two: only the library tells them apart.
static char *visitAny(size_t Size) { return static_cast<char *>(malloc(Size)); }

static char *Kept[400], *Used[400];
static unsigned NumKept, NumUsed;

__attribute__((noinline)) static void keep(Visitor PluginKeep, Visitor Record) {
  Kept[NumKept++] = records_keep(100);
  Kept[NumKept++] = records_make(200);
  Kept[NumKept++] = records_note(300);
  Kept[NumKept++] = walk_old(visitKept, 400);
  Kept[NumKept++] = walk_old(visitAny, 500);
  Kept[NumKept++] = walk_keep(600);
  Kept[NumKept++] = PluginKeep(700);
  Kept[NumKept++] = Record(800);
}

__attribute__((noinline)) static void use(Visitor PluginFind) {
  Used[NumUsed++] = records_find(101);
  Used[NumUsed++] = records_make(201);
  Used[NumUsed++] = walk_old(visitUsed, 401);
  Used[NumUsed++] = walk_new(visitAny, 501);
  Used[NumUsed++] = walk_find(601);
  Used[NumUsed++] = PluginFind(701);
}

int main(int argc, char **argv) {
  void *Plugin = dlopen(argv[1], RTLD_NOW);
  if (!Plugin) {
    puts(dlerror());
    return 1;
  }
  auto Symbol = [&](const char *Name) {
    return reinterpret_cast<Visitor>(dlsym(Plugin, Name));
  };
  const Visitor PluginKeep = Symbol("plugin_keep"),
                PluginFind = Symbol("plugin_find"),
                PluginRecord = Symbol("plugin_record");
  for (int I = 0; I != 50; ++I) {
    keep(PluginKeep, PluginRecord);
    use(PluginFind);
  }
  for (int Millisecond = 0; Millisecond != 60; ++Millisecond) {
    for (unsigned I = 0; I != NumUsed; ++I)
      for (int J = 0; J != 100; ++J)
        reinterpret_cast<volatile char *>(Used[I])[J] += 1;
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }
  for (char *Block : Kept)
    free(Block);
  for (char *Block : Used)
    free(Block);
  printf("%u kept, %u used\n", NumKept, NumUsed);
}
