/*===- bench/gain/drivers/cmark.c - A document that is searched -*- C -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: cmark FILE ROUNDS
// Reads a document, then looks for its links below headings of one level, again
// and again.
//
//===----------------------------------------------------------------------===*/

#include "cmark.h"

#include "phase.h"

#include <string.h>

static unsigned long linksIn(cmark_node *Node) {
  unsigned long Sum = 0;
  for (cmark_node *Each = cmark_node_first_child(Node); Each;
       Each = cmark_node_next(Each))
    if (cmark_node_get_type(Each) == CMARK_NODE_LINK)
      Sum += strlen(cmark_node_get_url(Each));
  return Sum;
}

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    fprintf(stderr, "usage: cmark FILE ROUNDS\n");
    return 1;
  }
  FILE *File = fopen(Arguments[1], "r");
  cmark_node *Document =
      File ? cmark_parse_file(File, CMARK_OPT_DEFAULT) : NULL;
  if (!Document) {
    fprintf(stderr, "cmark: cannot read %s\n", Arguments[1]);
    return 1;
  }
  fclose(File);
  unsigned long Sum = 0;
  phaseBegin();
  for (int Round = 0, Rounds = atoi(Arguments[2]); Round < Rounds; ++Round) {
    int IsWanted = 0;
    for (cmark_node *Block = cmark_node_first_child(Document); Block;
         Block = cmark_node_next(Block))
      if (cmark_node_get_type(Block) == CMARK_NODE_HEADING)
        IsWanted = cmark_node_get_heading_level(Block) == 1 + Round % 3;
      else if (IsWanted && cmark_node_get_type(Block) == CMARK_NODE_PARAGRAPH)
        Sum += linksIn(Block);
  }
  phaseEnd(Sum);
  return 0;
}
