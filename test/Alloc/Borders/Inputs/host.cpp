// A program with a library, which takes a plugin: PLUGIN MODE. Each part takes
// what each has given, in every way.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

extern "C" {
void *give_main(int);
void take_main(int, void *);
void *give_library(int);
void take_library(int, void *);
}

template <typename T> static void find(void *In, const char *Name, T *&Found) {
  Found = reinterpret_cast<T *>(dlsym(In, Name));
  if (!Found)
    std::abort();
}

int main(int, char **Arguments) {
  int Mode = RTLD_NOW;
  if (std::strcmp(Arguments[2], "deepbind") == 0)
    Mode |= RTLD_DEEPBIND;
  void *Plugin = dlopen(Arguments[1], Mode);
  if (!Plugin) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void *(*Give[3])(int) = {give_main, give_library};
  void (*Take[3])(int, void *) = {take_main, take_library};
  find(Plugin, "give_plugin", Give[2]);
  find(Plugin, "take_plugin", Take[2]);
  for (int Way = 0; Way != 10; ++Way)
    for (auto *From : Give)
      for (auto *To : Take) {
        void *Memory = From(Way);
        if (!Memory)
          return 2;
        std::memset(Memory, 1, 8);
        To(Way, Memory);
      }
  std::puts("all given and taken");
}
