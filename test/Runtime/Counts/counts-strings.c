// A C program that handles its heap through libc: strings that are duplicated,
// measured, compared, searched, copied and joined, blocks that grow. (LLVM's
// runtime counts in printf() what its %s read, ours does not.)
// RUN: %S/Inputs/compare_with_stock.sh %clang %llvm-profdata %generate-cfg %t %s -O1
// RUN: %S/Inputs/compare_with_stock.sh %clang %llvm-profdata %generate-cfg %t %s -O1 -fno-builtin

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

__attribute__((noinline)) static char *makeName(int Number) {
  char Name[64];
  snprintf(Name, sizeof Name, "name-%d-of-many-names", Number * 7 % 50);
  return strdup(Name);
}

__attribute__((noinline)) static int search(char **Names, int Count) {
  int Found = 0;
  for (int I = 0; I < Count; ++I)
    for (int J = 0; J < I; ++J)
      Found += strcmp(Names[I], Names[J]) == 0;
  for (int I = 0; I < Count; ++I) {
    Found += strncmp(Names[I], "name-1", 6) == 0;
    Found += strcasecmp(Names[I], "NAME-12-of-many-names") == 0;
    Found += strchr(Names[I], '9') != NULL;
    Found += strrchr(Names[I], '-') != NULL;
    Found += strstr(Names[I], "of-many") != NULL;
    Found += strstr(Names[I], "of-few") != NULL;
    Found += memchr(Names[I], 'f', 12) != NULL;
    Found += (int)strlen(Names[I]) + (int)strnlen(Names[I], 5);
  }
  return Found;
}

__attribute__((noinline)) static char *join(char **Names, int Count) {
  size_t Size = 32;
  char *Text = malloc(Size);
  strcpy(Text, "all: ");
  for (int I = 0; I < Count; ++I) {
    while (strlen(Text) + strlen(Names[I]) + 2 > Size)
      Text = realloc(Text, Size *= 2);
    strcat(Text, Names[I]);
    strncat(Text, " and more", 1);
  }
  return Text;
}

int main(void) {
  enum { Count = 100 };
  char **Names = calloc(Count, sizeof *Names);
  for (int I = 0; I < Count; ++I)
    Names[I] = makeName(I);
  char *Text = join(Names, Count);
  char *Copy = malloc(100);
  strncpy(Copy, Text, 50);
  printf("%d %zu %zu\n", search(Names, Count), strlen(Text), strlen(Copy));
  for (int I = 0; I < Count; ++I)
    free(Names[I]);
  free(Names);
  free(Text);
  free(Copy);
}
