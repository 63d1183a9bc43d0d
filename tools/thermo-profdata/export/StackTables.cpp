//===- export/StackTables.cpp - Stacks as JSON, each part once ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StackTables.h"
#include "ExportFields.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;
using llvm::memprof::Frame;

uint32_t StackTables::addFunction(GlobalValue::GUID Function) {
  auto [Known, New] = FunctionNumbers.try_emplace(
      Function, static_cast<uint32_t>(Functions.size()));
  if (New)
    Functions.push_back(Function);
  return Known->second;
}

uint32_t StackTables::addFrame(const Frame &F) {
  auto [Known, New] = FrameNumbers.try_emplace(
      {F.Function, F.LineOffset, F.Column, F.IsInlineFrame},
      static_cast<uint32_t>(Frames.size()));
  if (New) {
    Frames.push_back(F);
    addFunction(F.Function);
  }
  return Known->second;
}

int64_t StackTables::add(ArrayRef<Frame> OfContext) {
  int64_t Result = -1;
  for (const Frame &F : reverse(OfContext)) {
    const uint32_t Number = addFrame(F);
    auto [Known, New] = StackNumbers.try_emplace(
        {Result, Number}, static_cast<int64_t>(Stacks.size()));
    if (New)
      Stacks.push_back({Number, Result});
    Result = Known->second;
  }
  return Result;
}

void profdata::writeInOneLine(json::OStream &J,
                              function_ref<void(json::OStream &)> Write) {
  J.rawValue([&](raw_ostream &OS) {
    json::OStream Line(OS);
    Write(Line);
  });
}

void StackTables::write(const FunctionNames &Names, json::OStream &J) const {
  J.attributeArray("functions", [&] {
    for (GlobalValue::GUID Function : Functions)
      writeInOneLine(J, [&](json::OStream &Line) {
        Line.object([&] {
          Line.attribute("id", hexText(Function));
          if (StringRef Name = Names.lookup(Function); !Name.empty())
            Line.attribute("name", json::fixUTF8(Name));
        });
      });
  });
  J.attributeArray("frames", [&] {
    for (const Frame &F : Frames)
      writeInOneLine(J, [&](json::OStream &Line) {
        Line.object([&] {
          Line.attribute("function", FunctionNumbers.at(F.Function));
          Line.attribute("lineOffset", F.LineOffset);
          Line.attribute("column", F.Column);
          Line.attribute("inlined", F.IsInlineFrame);
          Line.attribute("stackId", hexText(raw(computeStackId(F))));
        });
      });
  });
  auto Column = [&](StringRef Name, auto Field) {
    J.attributeBegin(Name);
    writeInOneLine(J, [&](json::OStream &Line) {
      Line.array([&] {
        for (const Stack &S : Stacks)
          Line.value(static_cast<int64_t>(S.*Field));
      });
    });
    J.attributeEnd();
  };
  J.attributeObject("stacks", [&] {
    Column("frame", &Stack::Frame);
    Column("caller", &Stack::Caller);
  });
}
