//===- thermo-profdata/ShowRaw.cpp - What is in a raw profile -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw profile has all calls, those in shared libraries too, which an indexed
// one cannot hold. Here each is shown by the name of its function, if the
// program or library is given, or else as an offset in the object with that
// build id.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ContextList.h"
#include "thermocline/Profile/ProfiledBinary.h"
#include "thermocline/Profile/RawProfile.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

using Objects = std::vector<std::unique_ptr<ProfiledBinary>>;

static Expected<Objects> openObjects(const ShowCommand &Command,
                                     const RawProfile &Raw) {
  std::vector<std::string> Paths = Command.Libraries;
  if (!Command.Binary.empty())
    Paths.insert(Paths.begin(), Command.Binary);
  Objects Result;
  for (const std::string &Path : Paths) {
    Expected<std::unique_ptr<ProfiledBinary>> Opened =
        ProfiledBinary::open(Path);
    if (!Opened)
      return Opened.takeError();
    if (Error E = (*Opened)->locate(Raw))
      return std::move(E);
    Result.push_back(std::move(*Opened));
  }
  return std::move(Result);
}

static void printCall(uint64_t Address, const RawProfile &Raw,
                      const Objects &Known, raw_ostream &OS) {
  // The segment first, for calls that no given object knows.
  auto Segment = find_if(Raw.segments(), [&](const RawSegment &S) {
    return Address >= S.Start && Address < S.End;
  });
  std::string Place = "0x" + utohexstr(Address, /*LowerCase=*/true);
  if (Segment != Raw.segments().end())
    Place = (Segment->BuildId.empty() ? "no build id"
                                      : toHex(Segment->BuildId, true)) +
            " + 0x" + utohexstr(Address - Segment->Base, true);
  auto In = find_if(Known, [&](const auto &O) { return O->contains(Address); });
  if (In == Known.end()) {
    OS << ' ' << Place << '\n';
    return;
  }
  const StringRef File = sys::path::filename((*In)->path());
  auto Functions = (*In)->functionsAt(Address);
  for (const std::string &Function : Functions)
    OS << ' ' << Function << " (" << File << ")\n";
  if (Functions.empty())
    OS << ' ' << File << ": " << Place << '\n';
}

/// As many counters as LLVM's runtime prints.
static void printHistogram(ArrayRef<uint64_t> Histogram, raw_ostream &OS) {
  constexpr size_t MostPrinted = 32;
  OS << " accesses to each 8 bytes:";
  for (uint64_t Counter : Histogram.take_front(MostPrinted))
    OS << ' ' << Counter;
  if (Histogram.size() > MostPrinted)
    OS << " ... (" << formatCount(Histogram.size()) << " counters)";
  OS << '\n';
}

static void printContext(const RawContext &C, const RawProfile &Raw,
                         const Objects &Known, raw_ostream &OS) {
  OS << formatBytes(Bytes(C.Info.TotalSize)) << " in "
     << formatCount(C.Info.AllocCount)
     << (C.Info.AllocCount == 1 ? " allocation" : " allocations")
     << ", lifetime " << formatCount(C.Info.TotalLifetime / C.Info.AllocCount)
     << " ms";
  if (!accessesAreUnknown(C.Info) && C.Info.TotalSize)
    OS << ", "
       << formatNumber(static_cast<double>(C.Info.TotalAccessCount) /
                       static_cast<double>(C.Info.TotalSize))
       << " accesses per byte";
  OS << '\n';
  if (!C.Histogram.empty())
    printHistogram(C.Histogram, OS);
  for (uint64_t Address : Raw.addresses(C))
    printCall(Address, Raw, Known, OS);
}

static void print(const ShowCommand &Command, const RawProfile &Raw,
                  const Objects &Known, raw_ostream &OS) {
  std::vector<const RawContext *> Contexts;
  uint64_t Allocations = 0;
  Bytes Size(0);
  bool Unknown = false;
  for (const RawContext &C : Raw.contexts()) {
    Contexts.push_back(&C);
    Allocations += C.Info.AllocCount;
    Size += Bytes(C.Info.TotalSize);
    Unknown |= accessesAreUnknown(C.Info);
  }
  llvm::sort(Contexts, [](const RawContext *A, const RawContext *B) {
    return std::make_pair(B->Info.TotalSize + 0, A->CallStackId) <
           std::make_pair(A->Info.TotalSize + 0, B->CallStackId);
  });
  OS << "Profile:        " << Command.Input << " (raw)\n"
     << "Segments:       " << formatCount(Raw.segments().size()) << '\n'
     << "Contexts:       " << formatCount(Contexts.size()) << '\n'
     << "Allocations:    " << formatCount(Allocations) << '\n'
     << "Bytes:          " << formatBytes(Size) << '\n';
  if (Unknown)
    OS << "Accesses:       not counted\n";
  size_t Listed = 0;
  for (const RawContext *C : Contexts) {
    if (!Command.All && Listed == Command.Top)
      break;
    OS << "\n#" << ++Listed << ' ';
    printContext(*C, Raw, Known, OS);
  }
  if (Listed != Contexts.size())
    OS << "\n... and " << formatCount(Contexts.size() - Listed)
       << " more with fewer bytes (--all lists them)\n";
}

Error profdata::runShowRaw(const ShowCommand &Command) {
  Expected<RawProfile> Raw = RawProfile::read(Command.Input);
  if (!Raw)
    return Raw.takeError();
  if (Command.ColdOnly)
    return fileError(Command.Input,
                     "a raw memory profile does not say what is cold; merge it "
                     "first (thermo-profdata merge --binary=PROGRAM)");
  Expected<Objects> Known = openObjects(Command, *Raw);
  if (!Known)
    return Known.takeError();
  return writeFileAtomically(Command.Output, [&](raw_ostream &OS) {
    print(Command, *Raw, *Known, OS);
    return Error::success();
  });
}
