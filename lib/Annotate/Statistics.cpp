//===- Annotate/Statistics.cpp - What was matched, and what not -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Statistics.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

static void line(raw_ostream &OS, unsigned Indent, StringRef Name,
                 uint64_t Value) {
  OS.indent(Indent) << left_justify(Name, 44 - Indent)
                    << right_justify(formatCount(Value), 12) << '\n';
}

static void line(raw_ostream &OS, StringRef Name, const ContextCount &Count) {
  OS << "    " << left_justify(Name, 40)
     << right_justify(formatCount(Count.Contexts), 12) << "  "
     << formatBytes(Count.Size);
  if (Count.ColdContexts)
    OS << "; cold: " << formatCount(Count.ColdContexts) << ", "
       << formatBytes(Count.ColdSize);
  OS << '\n';
}

void AnnotateStats::print(raw_ostream &OS, StringRef Module,
                          StringRef Profile) const {
  OS << "thermocline-use: " << Module << " with " << Profile << '\n';
  line(OS, 2, "functions", Functions);
  line(OS, 4, "with a profile", FunctionsWithProfile);
  line(OS, 4, "mismatched", FunctionsMismatched);
  if (FunctionsMixed)
    line(OS, 4, "like others of their name", FunctionsMixed);
  line(OS, 4, "profiled calls in them", ProfiledCalls);
  line(OS, 6, "without a call at the place", ProfiledCallsNotFound);
  line(OS, 2, "allocation calls", Allocations);
  line(OS, 4, "matched", Matched);
  line(OS, 6, "further up the inlined stack", MatchedFurtherUp);
  line(OS, 6, "through pointers", ThroughPointers);
  line(OS, 4, "function not profiled", FunctionNotProfiled);
  line(OS, 4, "place not profiled", PlaceNotProfiled);
  line(OS, 4, "profiled with other callers", OtherCallers);
  line(OS, 4, "without debug location", WithoutLocation);
  line(OS, 4, "annotation kept", KeptAnnotation);
  line(OS, 4, "hinted by the program itself", OwnHint);
  line(OS, 4, "allocator defined in the module", DefinedHere);
  line(OS, 4, "other prototype", OtherPrototype);
  line(OS, 4, "musttail call", MustTail);
  if (UnknownFamily)
    line(OS, 4, "of a family without a cold variant", UnknownFamily);
  line(OS, 4, "in functions that are not optimized", NotOptimized);
  OS << "  profiled contexts\n";
  line(OS, "attached", Attached);
  line(OS, "no call at the place", NotSeen);
  line(OS, "inside another callee", OtherCallee);
  line(OS, "allocation not hintable", NotHintable);
  line(OS, "inlined into other callers", OtherInlining);
  line(OS, "annotation kept", Kept);
  if (OtherVersion.Contexts)
    line(OS, "in other functions of the name", OtherVersion);
  if (Salvaged)
    line(OS, 4, "of them, attached in edited source", Salvaged);
  if (FramesStale)
    line(OS, 2, "frames new in edited functions", FramesStale);
  OS << "  written\n";
  line(OS, 4, "MIBs", MIBs);
  line(OS, 4, "stack ids in MIBs", StackIds);
  line(OS, 4, "attributes", Attributes);
  line(OS, "packed contexts", Packed);
  line(OS, 4, "callsites", Callsites);
  line(OS, 6, "indirect", IndirectCallsites);
  line(OS, 6, "tail calls", TailCallsites);
  line(OS, 6, "targets of indirect calls", IndirectTargets);
  line(OS, 2, "other calls without debug location", CallsWithoutLocation);
  line(OS, 2, "earlier annotations replaced", Replaced);
}
