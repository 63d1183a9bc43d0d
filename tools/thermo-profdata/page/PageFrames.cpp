//===- thermo-profdata/page/PageFrames.cpp - Frames of a page -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageFrames.h"
#include "thermocline/Profile/StackIds.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;
using namespace thermocline::report;

std::vector<uint32_t> profdata::addFrames(const ListedContext &C,
                                          const FunctionNames &Names,
                                          PageModel &Page) {
  std::vector<uint32_t> Result;
  for (const memprof::Frame &F : C.Frames) {
    PageFrame Entry;
    Entry.Function = Names.display(F.Function);
    Entry.Place = describePlace(F.LineOffset, F.Column);
    if (const FunctionPlace *Place = Names.place(F.Function)) {
      Entry.File = Place->File;
      Entry.Line = lineOf(Place->Line, F.LineOffset, F.Column);
    }
    Result.push_back(Page.add(std::move(Entry)));
  }
  return Result;
}
