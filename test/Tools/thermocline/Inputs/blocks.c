// blocks COUNT: allocates so many blocks of a page and works on them. Prints what it
// is given, what it reads, and the number PRINTED.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PRINTED
#define PRINTED 1
#endif
#ifndef FACTOR
#define FACTOR 1
#endif

int main(int argc, char **argv) {
  int count = atoi(argv[1]) * FACTOR;
  char **blocks = malloc(count * sizeof(char *));
  for (int i = 0; i < count; ++i)
    memset(blocks[i] = malloc(4096), i, 4096);
  unsigned long sum = 0;
  for (int round = 0; round < 5; ++round)
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < 4096; j += 64)
        sum += blocks[i][j];
  char text[100] = "";
  if (scanf("%99s", text) == 1)
    puts(text);
  printf("%s %d\n", argc > 2 ? argv[2] : "-", PRINTED);
  return argc > 3 && sum ? atoi(argv[3]) * FACTOR : 0;
}
