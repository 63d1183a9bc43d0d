/*===- bench/gain/drivers/libxml2.c - A DOM that is searched  -----*- C -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: libxml2 FILE ROUNDS
// Parses a file, then looks in each item for the element of one name, again and
// again.
//
//===----------------------------------------------------------------------===*/

#include "phase.h"
#include <libxml/parser.h>
#include <libxml/tree.h>

static unsigned long priceOf(xmlNodePtr Item) {
  for (xmlNodePtr Field = Item->children; Field; Field = Field->next)
    if (Field->type == XML_ELEMENT_NODE &&
        xmlStrEqual(Field->name, BAD_CAST "price") && Field->children)
      return strtoul((const char *)Field->children->content, NULL, 10);
  return 0;
}

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    fprintf(stderr, "usage: libxml2 FILE ROUNDS\n");
    return 1;
  }
  xmlDocPtr Document = xmlReadFile(Arguments[1], NULL, XML_PARSE_NOBLANKS);
  if (!Document)
    return 1;
  unsigned long Sum = 0;
  phaseBegin();
  for (int Round = 0, Rounds = atoi(Arguments[2]); Round < Rounds; ++Round)
    for (xmlNodePtr Item = xmlDocGetRootElement(Document)->children; Item;
         Item = Item->next)
      if (Item->type == XML_ELEMENT_NODE)
        Sum = Sum * 31 + priceOf(Item);
  phaseEnd(Sum);
  return 0;
}
