//===- Profile/CallTable.cpp - The calls that the source had --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/CallTable.h"
#include "ProfileParts.h"
#include "thermocline/Format/CallTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static constexpr PartForm Part = {format::CallsPart, format::CallPartVersion,
                                  "table of calls"};

static Error malformed(const Twine &Message) {
  return malformedPart(Part, Message);
}

uint64_t profile::calleeKey(StringRef Name) {
  return memprof::getGUID(Name.split(".__uniq.").first);
}

uint32_t profile::digestOf(const SourceFunction &F) {
  SourceFunction OfCalls{0, 0, F.File, F.Calls};
  for (SourceCall &Call : OfCalls.Calls)
    Call.Line = Call.Column = 0;
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  encode(OfCalls, OS);
  return static_cast<uint32_t>(xxh3_64bits(Bytes));
}

//===-- One function ------------------------------------------------------===//

/// Which numbers of a call are not 0, in this order.
enum CallField : uint16_t {
  HasCallee = 1,
  HasText = 2,
  HasLeft = 4,
  HasTarget = 8,
  HasGuard = 16,
  HasBase = 32,
  HasConditions = 64,
  HasSinks = 128,
  HasArguments = 256,
  HasAround = 512,
  /// Not a number: the bit is all.
  IsReturned = 1024,
  HasGiven = 2048,
  HasNameless = 4096,
  HasStoredAs = 8192,
};

static void encodeWords(ArrayRef<uint16_t> Words, raw_ostream &OS) {
  support::endian::Writer Write(OS, endianness::little);
  encodeULEB128(Words.size(), OS);
  for (uint16_t Word : Words)
    Write.write<uint16_t>(Word);
}

static void encodeCall(const SourceCall &Call, raw_ostream &OS) {
  support::endian::Writer Write(OS, endianness::little);
  encodeSLEB128(Call.Line, OS);
  encodeULEB128(Call.Column, OS);
  encodeULEB128((Call.Callee ? HasCallee : 0) | (Call.Text ? HasText : 0) |
                    (Call.Left ? HasLeft : 0) | (Call.Target ? HasTarget : 0) |
                    (Call.Guard ? HasGuard : 0) | (Call.Base ? HasBase : 0) |
                    (Call.Conditions.empty() ? 0 : HasConditions) |
                    (Call.Sinks.empty() ? 0 : HasSinks) |
                    (Call.Arguments.empty() ? 0 : HasArguments) |
                    (Call.Around.empty() ? 0 : HasAround) |
                    (Call.IsReturned ? IsReturned : 0) |
                    (Call.Given.empty() ? 0 : HasGiven) |
                    (Call.Nameless ? HasNameless : 0) |
                    (Call.StoredAs ? HasStoredAs : 0),
                OS);
  auto Put = [&](auto Number) {
    if (Number)
      Write.write(Number);
  };
  Put(Call.Callee);
  Put(Call.Text);
  Put(Call.Left);
  Put(Call.Target);
  Put(Call.Guard);
  Put(Call.Base);
  if (!Call.Conditions.empty())
    encodeWords(Call.Conditions, OS);
  if (!Call.Sinks.empty())
    encodeWords(Call.Sinks, OS);
  if (!Call.Arguments.empty())
    encodeWords(Call.Arguments, OS);
  if (!Call.Around.empty())
    encodeWords(Call.Around, OS);
  encodeWords(Call.Words, OS);
  if (!Call.Given.empty())
    encodeWords(Call.Given, OS);
  Put(Call.Nameless);
  Put(Call.StoredAs);
}

uint32_t profile::digestOf(const SourceCall &Call) {
  SourceCall OfText = Call;
  OfText.Line = OfText.Column = OfText.Callee = OfText.Base = 0;
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  encodeCall(OfText, OS);
  return std::max<uint32_t>(static_cast<uint32_t>(xxh3_64bits(Bytes)), 1);
}

void profile::encode(const SourceFunction &F, raw_ostream &OS) {
  support::endian::Writer Write(OS, endianness::little);
  Write.write<uint64_t>(F.Function);
  Write.write<uint64_t>(F.Local);
  Write.write<uint32_t>(F.File);
  Write.write<uint32_t>(F.Name.Versionless);
  Write.write<uint32_t>(F.Name.Base);
  encodeWords(F.Name.Words, OS);
  encodeWords(F.Locals, OS);
  encodeULEB128(F.Calls.size(), OS);
  for (const SourceCall &Call : F.Calls)
    encodeCall(Call, OS);
}

namespace {

/// Reads functions as encode() writes them.
class FunctionReader {
public:
  FunctionReader(const DataExtractor &Data, DataExtractor::Cursor &Cursor)
      : Data(Data), Cursor(Cursor) {}

  /// What is read is of no use if At holds an error behind. Nothing if it is
  /// not as it should be.
  std::optional<SourceFunction> read() {
    SourceFunction F;
    F.Function = Data.getU64(Cursor);
    F.Local = Data.getU64(Cursor);
    F.File = Data.getU32(Cursor);
    F.Name.Versionless = Data.getU32(Cursor);
    F.Name.Base = Data.getU32(Cursor);
    F.Name.Words = words();
    F.Locals = sequence();
    // A number takes a byte at least, so that no count is believed for long.
    for (uint64_t Left = Data.getULEB128(Cursor); Left && Cursor; --Left)
      F.Calls.push_back(call());
    return IsSorted ? std::optional(std::move(F)) : std::nullopt;
  }

private:
  std::vector<uint16_t> sequence() {
    std::vector<uint16_t> Words;
    for (uint64_t Left = Data.getULEB128(Cursor); Left && Cursor; --Left)
      Words.push_back(Data.getU16(Cursor));
    return Words;
  }

  /// Sorted, none twice.
  std::vector<uint16_t> words() {
    std::vector<uint16_t> Words = sequence();
    for (size_t I = 1; I < Words.size(); ++I)
      IsSorted &= Words[I - 1] < Words[I];
    return Words;
  }

  SourceCall call() {
    SourceCall Call;
    Call.Line = static_cast<int32_t>(Data.getSLEB128(Cursor));
    Call.Column = static_cast<uint32_t>(Data.getULEB128(Cursor));
    const uint64_t Has = Data.getULEB128(Cursor);
    auto Number = [&](CallField Field) {
      return Has & Field ? Data.getU32(Cursor) : 0;
    };
    Call.Callee = Has & HasCallee ? Data.getU64(Cursor) : 0;
    Call.Text = Number(HasText);
    Call.Left = Number(HasLeft);
    Call.Target = Number(HasTarget);
    Call.Guard = Has & HasGuard ? Data.getU16(Cursor) : 0;
    Call.Base = Number(HasBase);
    if (Has & HasConditions)
      Call.Conditions = words();
    if (Has & HasSinks)
      Call.Sinks = words();
    if (Has & HasArguments)
      Call.Arguments = sequence();
    if (Has & HasAround)
      Call.Around = sequence();
    Call.IsReturned = Has & IsReturned;
    Call.Words = words();
    if (Has & HasGiven)
      Call.Given = words();
    Call.Nameless = Number(HasNameless);
    Call.StoredAs = Has & HasStoredAs ? Data.getU16(Cursor) : 0;
    return Call;
  }

  const DataExtractor &Data;
  DataExtractor::Cursor &Cursor;
  bool IsSorted = true;
};

} // namespace

//===-- The section of a program ------------------------------------------===//

Error CallTable::addSection(StringRef Contents) {
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  uint64_t Offset = 0;
  while (Data.isValidOffsetForDataOfSize(Offset,
                                         sizeof(format::CallTableFunction))) {
    const uint64_t Begin = Offset;
    auto Damaged = [&] { return malformed("damaged at byte " + Twine(Begin)); };
    const uint32_t Magic = Data.getU32(&Offset);
    if (Magic == 0)
      continue;
    if (Magic != format::CallTableMagic)
      return Damaged();
    if (uint32_t Version = Data.getU32(&Offset);
        Version != format::CallTableVersion)
      return malformed("version " + Twine(Version) + " is not supported (" +
                       Twine(format::CallTableVersion) + " is)");
    const uint32_t Bytes = Data.getU32(&Offset);
    if (!Data.isValidOffsetForDataOfSize(Offset, Bytes))
      return Damaged();
    const DataExtractor Part(Contents.substr(Offset, Bytes),
                             /*IsLittleEndian=*/true, /*AddressSize=*/8);
    DataExtractor::Cursor Cursor(0);
    std::optional<SourceFunction> F = FunctionReader(Part, Cursor).read();
    const bool IsWhole = Cursor && Cursor.tell() == Bytes;
    consumeError(Cursor.takeError());
    if (!F || !IsWhole)
      return Damaged();
    add(*F);
    Offset = alignTo(Offset + Bytes, format::CallTableAlignment);
  }
  return Error::success();
}

//===-- The table ---------------------------------------------------------===//

void CallTable::add(const SourceFunction &Added) {
  Names.insert(shortName(Added.Function));
  if (Ambiguous.contains(Added.Function))
    return;
  std::vector<SourceFunction> &Known = Functions[Added.Function];
  auto It = lower_bound(Known, Added);
  if (It != Known.end() && *It == Added)
    return;
  Known.insert(It, Added);
  if (Known.size() <= MaxVersions)
    return;
  Functions.erase(Added.Function);
  Ambiguous.insert(Added.Function);
}

void CallTable::add(const CallTable &Other) {
  for (const auto &[Function, Versions] : Other.Functions)
    for (const SourceFunction &F : Versions)
      add(F);
  for (GlobalValue::GUID Function : Other.Ambiguous) {
    Functions.erase(Function);
    Ambiguous.insert(Function);
  }
  Names.insert(Other.Names.begin(), Other.Names.end());
  Digests.insert(Other.Digests.begin(), Other.Digests.end());
}

bool CallTable::hadUnprofiled(const SourceFunction &F) const {
  const uint32_t Name = shortName(F.Function);
  auto It = Digests.lower_bound({Name, 0});
  if (It == Digests.end() || It->first != Name)
    return isAmbiguous(F.Function);
  return Digests.contains({Name, digestOf(F)});
}

ArrayRef<SourceFunction> CallTable::versions(GlobalValue::GUID Function) const {
  auto Known = Functions.find(Function);
  return Known == Functions.end() ? ArrayRef<SourceFunction>()
                                  : ArrayRef(Known->second);
}

const SourceFunction *CallTable::lookup(GlobalValue::GUID Function) const {
  ArrayRef<SourceFunction> Known = versions(Function);
  return Known.size() == 1 ? &Known.front() : nullptr;
}

//===-- In an indexed profile ---------------------------------------------===//

std::string
CallTable::encode(function_ref<bool(GlobalValue::GUID)> Wanted) const {
  std::string Result;
  raw_string_ostream OS(Result);
  support::endian::Writer Write(OS, endianness::little);
  encodeULEB128(ColdBytes, OS);
  encodeULEB128(CommonCalls.size(), OS);
  for (uint64_t Id : CommonCalls)
    Write.write<uint64_t>(Id);
  std::set<std::pair<uint32_t, uint32_t>> Unwanted = Digests;
  for (const auto &[GUID, Versions] : Functions)
    for (const SourceFunction &F : Versions) {
      const std::pair Digest(shortName(GUID), digestOf(F));
      // A function that is written whole may have been without contexts in
      // another run.
      if (Wanted(GUID))
        Unwanted.erase(Digest);
      else
        Unwanted.insert(Digest);
    }
  encodeULEB128(Unwanted.size(), OS);
  uint32_t Last = 0;
  for (auto [Name, Digest] : Unwanted) {
    encodeULEB128(Name - Last, OS);
    Write.write<uint32_t>(Digest);
    Last = Name;
  }
  encodeULEB128(Ambiguous.size(), OS);
  for (GlobalValue::GUID Function : Ambiguous)
    Write.write<uint64_t>(Function);
  for (const auto &[GUID, Versions] : Functions)
    if (Wanted(GUID))
      for (const SourceFunction &F : Versions)
        profile::encode(F, OS);
  return Result;
}

Expected<CallTable> CallTable::decode(StringRef Bytes) {
  CallTable Result;
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  Result.ColdBytes = Data.getULEB128(Cursor);
  for (uint64_t Left = Data.getULEB128(Cursor); Left && Cursor; --Left)
    Result.CommonCalls.insert(Result.CommonCalls.end(), Data.getU64(Cursor));
  uint32_t Last = 0;
  for (uint64_t Left = Data.getULEB128(Cursor); Left && Cursor; --Left) {
    Last += static_cast<uint32_t>(Data.getULEB128(Cursor));
    Result.Names.insert(Last);
    Result.Digests.insert(Result.Digests.end(), {Last, Data.getU32(Cursor)});
  }
  for (uint64_t Left = Data.getULEB128(Cursor); Left && Cursor; --Left) {
    const GlobalValue::GUID Function = Data.getU64(Cursor);
    Result.Names.insert(shortName(Function));
    Result.Ambiguous.insert(Function);
  }
  while (Cursor && Cursor.tell() != Bytes.size()) {
    std::optional<SourceFunction> F = FunctionReader(Data, Cursor).read();
    if (!Cursor)
      break;
    if (!F) {
      consumeError(Cursor.takeError());
      return malformed("the words of a function are damaged");
    }
    std::vector<SourceFunction> &Versions = Result.Functions[F->Function];
    if (Result.Ambiguous.contains(F->Function) ||
        Versions.size() == MaxVersions ||
        (!Versions.empty() && !(Versions.back() < *F))) {
      consumeError(Cursor.takeError());
      return malformed("the versions of function " +
                       utohexstr(F->Function, /*LowerCase=*/true) +
                       " are damaged");
    }
    Result.Names.insert(shortName(F->Function));
    Versions.push_back(std::move(*F));
  }
  if (Error E = Cursor.takeError()) {
    consumeError(std::move(E));
    return malformed("reaches past its end");
  }
  return Result;
}

void CallTable::appendTo(std::string &File,
                         function_ref<bool(GlobalValue::GUID)> Wanted) const {
  appendPart(File, Part, encode(Wanted));
}

Expected<CallTable> CallTable::readFrom(StringRef Contents) {
  auto Read = readPart(Contents, Part);
  if (!Read)
    return Read.takeError();
  return *Read ? decode((*Read)->bytes()) : CallTable();
}
