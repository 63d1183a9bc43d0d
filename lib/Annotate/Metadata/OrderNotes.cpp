//===- Annotate/Metadata/OrderNotes.cpp - How small objects should lie ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/OrderNotes.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Part.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

static constexpr NoteForm Form = {"order", 1};

void OrderNotes::write(Module &M, bool InOrder) {
  std::string Payload;
  putWord(Payload, InOrder);
  addNote(M, Form, Payload);
}

Error OrderNotes::addIn(StringRef Name) {
  return readNote(Name, Form, [&](StringRef Payload) {
    WordReader Words(Payload);
    const std::optional<uint64_t> InOrder = Words.number();
    if (!InOrder || *InOrder > 1 || !Words.empty())
      return false;
    AnyOrder |= *InOrder == 1;
    AnyClasses |= *InOrder == 0;
    return true;
  });
}

void OrderNotes::add(const OrderNotes &Other) {
  AnyOrder |= Other.AnyOrder;
  AnyClasses |= Other.AnyClasses;
}
