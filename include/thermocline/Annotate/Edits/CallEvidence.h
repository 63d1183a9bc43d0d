//===- Edits/CallEvidence.h - Is it still the same call? --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of then and one of now are the same for sure if their statements are.
// If not, what stays has to tell what the call is for:
//
//   e->key = make(n)    ->  e->key = make(m, 2)      yes: it is kept in e->key
//   char *p = make(n)   ->  char *p = make(n, 2)     yes
//   char *p = make(n)   ->  char *p = make(m)        no: p may be anything
//   log.add(a)          ->  log.add(a, b)            yes
//   log.add(a)          ->  grid.add(a), log.add(b)  no
//   fill(3, n)          ->  fill(4, n)               no
//   copy(a, b)          ->  copy(b, a)               no
//   log.add(!a)         ->  log.add(a)               no
//
// So what the result is stored in has to be the same, or else all that stands
// in front of the call; and unless it is a member or an element, the names,
// strings and small numbers of one have to be among those of the other. Where
// nothing stands in front, so do all numbers. Arguments, and what is around the
// call, keep their order. More of them may come; but to a C++ function that has
// the same name, and so the same parameters, none do.
//
// What had to hold for the call of then must hold for that of now, too, or it
// may be made for memory that it was not made for:
//
//   if (a) x = make(n)    ->  if (a && b) x = make(n)   yes
//   if (a) x = make(n)    ->  if (b) x = make(n)        no
//   if (a) x = make(n)    ->  x = make(n)               no
//
// And what it makes must still go where it went, see Callsites/Sinks.h. It may
// go elsewhere as well:
//
//   p = make(n); put(A, p)  ->  p = make(n); put(A, p); put(B, p)     yes
//                           ->  p = make(n); put(B, p)                no
//                           ->  p = make(n); put(A, p); B[i] = p      no
//                           ->  p = make(n); put(a ? A : B, p)        no
//                           ->  ... if (a) put(B, p); else put(A, p)  no
//
// A call through which many contexts go, cold ones and others, is for none of
// them alone. Under what it is made, what is done with what it returns, and
// what is around it say nothing then:
//
//   serve(c);             ->  if (serve(c) == FAILED) c = 0;   yes
//   if (ready) serve(c);  ->  if (authorized(c)) serve(c);     yes
//   serve(c);             ->  serve(d);                        no
//   void *p = malloc(n);  ->  void *p = malloc(atLeast(n));    yes
//   a->key = malloc(n);   ->  a->log = malloc(n);              no
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_EDITS_CALLEVIDENCE_H
#define THERMOCLINE_ANNOTATE_EDITS_CALLEVIDENCE_H

#include "thermocline/Profile/CallTable.h"

namespace thermocline::annotate {

/// Whether the text of both calls is known.
bool isTextKnown(const profile::SourceCall &Then,
                 const profile::SourceCall &Now);

/// Whether both calls are given the same. Of calls through pointers that is not
/// known.
bool areArgumentsSame(const profile::SourceCall &Then,
                      const profile::SourceCall &Now);

/// Whether all that had to hold for \p Then must hold for \p Now.
bool areConditionsKept(const profile::SourceCall &Then,
                       const profile::SourceCall &Now);

/// Whether the function of \p Call returns what that makes, and stores it
/// nowhere else.
bool isHandedOn(const profile::SourceCall &Call);

/// Whether areConditionsKept(), and whether what the call made still goes where
/// it went.
bool isKept(const profile::SourceCall &Then, const profile::SourceCall &Now);

/// Whether the texts, which are known, show that \p Now is for what \p Then was
/// for. What they call does not count.
bool isForTheSame(const profile::SourceCall &Then,
                  const profile::SourceCall &Now);

/// Whether the texts, which are known, show that \p Now may be \p Then, a call
/// of the same callee through which many contexts go, cold ones and others,
/// though it is given something else.
bool isSameStep(const profile::SourceCall &Then,
                const profile::SourceCall &Now);

/// Whether nothing but what is called is different.
bool isSameButCallee(const profile::SourceCall &Then,
                     const profile::SourceCall &Now);

} // namespace thermocline::annotate

#endif
