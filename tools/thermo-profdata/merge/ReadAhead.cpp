//===- thermo-profdata/merge/ReadAhead.cpp - Read the next input ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadAhead.h"

using namespace llvm;
using namespace thermocline::profdata;
using namespace thermocline::profile;

/// Parses \p File, or makes it the error that this ended with.
static void parse(Expected<MergeInput> &File) {
  if (!File)
    return;
  if (Error E = File->parse())
    File = std::move(E);
}

ReadAhead::~ReadAhead() {
  Reader.wait();
  if (Ahead && !*Ahead)
    consumeError(Ahead->takeError());
}

void ReadAhead::begin() {
  Ahead.emplace(MergeInput::open(Inputs.front()));
  Inputs = Inputs.drop_front();
  // One file alone needs no thread.
  if (Inputs.empty())
    parse(*Ahead);
  else
    Reader.async([this] { parse(*Ahead); });
}

Expected<MergeInput> ReadAhead::take() {
  if (!Ahead)
    begin();
  Reader.wait();
  Expected<MergeInput> Result = std::move(*Ahead);
  Ahead.reset();
  if (!Inputs.empty())
    begin();
  return Result;
}
