//===- Annotate/Metadata/OrderNotes.cpp - How small objects should lie ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/OrderNotes.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using namespace thermocline::placement;

static constexpr NoteForm Form = {"order", 2};

/// Calls \p Do for each number of \p V that a note has.
template <typename Verdict, typename Function>
static void forEachNumber(Verdict &V, Function Do) {
  Do(V.Pages);
  Do(V.Pairs);
  Do(V.Replaced);
}

void OrderNotes::write(Module &M, const OrderVerdict &Verdict) {
  std::string Payload;
  putWord(Payload, Verdict.Choice == OrderChoice::Order);
  forEachNumber(Verdict, [&](double Number) {
    putWord(Payload, bit_cast<uint64_t>(Number));
  });
  addNote(M, Form, Payload);
}

Error OrderNotes::addIn(StringRef Name) {
  return readNote(Name, Form, [&](StringRef Payload) {
    WordReader Words(Payload);
    const std::optional<uint64_t> InOrder = Words.number();
    bool Sane = InOrder && *InOrder <= 1;
    OrderVerdict Read;
    Read.Choice = InOrder == 1 ? OrderChoice::Order : OrderChoice::Classes;
    forEachNumber(Read, [&](double &Number) {
      const std::optional<uint64_t> Bits = Words.number();
      Number = Bits ? bit_cast<double>(*Bits) : -1;
      Sane &= Number >= 0 && std::isfinite(Number);
    });
    if (!Sane || !Words.empty())
      return false;
    add(Read);
    return true;
  });
}

void OrderNotes::add(const OrderNotes &Other) {
  for (const OrderVerdict &V : Other.Verdicts)
    add(V);
}
