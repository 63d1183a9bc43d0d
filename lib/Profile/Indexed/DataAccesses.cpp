//===- Profile/Indexed/DataAccesses.cpp - Accesses to static data ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the file, all numbers are u64 unless said otherwise:
//
//   numbers of names and of untouched symbols, bytes of the strings
//   strings: names, then untouched symbols, as LLVM packs names of functions;
//            padded to a multiple of 8 bytes
//   number of untouched literals, their hashes
//   number of records; for each a name's index or a literal's hash, whether it
//            is a literal (u8), accesses, number of places; for each of these
//            the index of the file's name and the line (u32)
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Indexed/DataAccesses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ProfileData/DataAccessProf.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

static Error malformed(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           "accesses to static data: " + Message);
}

/// zlib packs no better than this.
static constexpr uint64_t MaxPackingRatio = 1100;

/// The most bytes that a number of variable length takes.
static constexpr size_t MaxNumberSize = 10;

/// Unpacks the strings in \p Packed, of which there may be several chunks.
static Error readStrings(StringRef Packed, std::vector<std::string> &Strings) {
  auto Number = [&](uint64_t &Value) {
    unsigned Length = 0;
    const char *Problem = nullptr;
    // LLVM shifts too far if there are more.
    const StringRef Bytes = Packed.take_front(MaxNumberSize);
    Value = decodeULEB128(Bytes.bytes_begin(), &Length, Bytes.bytes_end(),
                          &Problem);
    Packed = Packed.drop_front(Length);
    return Problem == nullptr;
  };
  while (!Packed.empty()) {
    uint64_t Size = 0, PackedSize = 0;
    if (!Number(Size) || !Number(PackedSize) ||
        (PackedSize ? PackedSize : Size) > Packed.size())
      return malformed("names are truncated");
    StringRef Text = Packed.take_front(PackedSize ? PackedSize : Size);
    Packed = Packed.drop_front(Text.size());
    SmallVector<uint8_t, 128> Unpacked;
    if (PackedSize) {
      if (!compression::zlib::isAvailable() ||
          Size / MaxPackingRatio > PackedSize)
        return malformed("names cannot be unpacked");
      if (Error E = compression::zlib::decompress(arrayRefFromStringRef(Text),
                                                  Unpacked, Size)) {
        consumeError(std::move(E));
        return malformed("names cannot be unpacked");
      }
      Text = toStringRef(Unpacked);
    }
    SmallVector<StringRef, 0> Names;
    Text.split(Names, getInstrProfNameSeparator());
    for (StringRef Name : Names)
      Strings.push_back(Name.str());
    while (Packed.consume_front(StringRef("\0", 1)))
      ;
  }
  return Error::success();
}

/// As LLVM names it wherever it looks it up.
static std::string canonicalName(StringRef Name) {
  return InstrProfSymtab::getCanonicalName(Name).str();
}

/// Where both say so, or all that any says.
static void addPlaces(std::vector<DataAccesses::Place> &Places,
                      const std::vector<DataAccesses::Place> &Added) {
  if (Places == Added)
    return;
  Places.insert(Places.end(), Added.begin(), Added.end());
  llvm::sort(Places);
  Places.erase(llvm::unique(Places), Places.end());
}

template <class Key>
static void addSampled(std::map<Key, DataAccesses::Sampled> &Sums, const Key &K,
                       const DataAccesses::Sampled &Added, uint64_t Weight) {
  auto [Known, New] = Sums.try_emplace(K, DataAccesses::Sampled());
  DataAccesses::Sampled &To = Known->second;
  To.Accesses =
      SaturatingAdd(To.Accesses, SaturatingMultiply(Added.Accesses, Weight));
  if (New)
    To.Places = Added.Places;
  else
    addPlaces(To.Places, Added.Places);
}

Expected<DataAccesses> DataAccesses::parse(StringRef Contents,
                                           uint64_t Offset) {
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(Offset);
  auto Truncated = [&] {
    consumeError(Cursor.takeError());
    return malformed("truncated");
  };
  const uint64_t NumNames = Data.getU64(Cursor);
  const uint64_t NumUntouched = Data.getU64(Cursor);
  const uint64_t NumBytes = Data.getU64(Cursor);
  const StringRef Packed = Data.getBytes(Cursor, NumBytes);
  Data.skip(Cursor, alignTo(NumBytes, sizeof(uint64_t)) - NumBytes);
  if (!Cursor)
    return Truncated();
  std::vector<std::string> Strings;
  if (Error E = readStrings(Packed, Strings)) {
    consumeError(Cursor.takeError());
    return std::move(E);
  }
  auto Bad = [&](const Twine &Message) {
    consumeError(Cursor.takeError());
    return malformed(Message);
  };
  if (NumNames > Strings.size() || Strings.size() - NumNames != NumUntouched)
    return Bad("has " + Twine(Strings.size()) + " names, not " +
               Twine(NumNames) + " and " + Twine(NumUntouched));
  DataAccesses Result;
  for (size_t I = NumNames; I != Strings.size(); ++I) {
    if (Strings[I].empty())
      return Bad("a name is empty");
    Result.UntouchedSymbols.insert(canonicalName(Strings[I]));
  }
  const uint64_t NumLiterals = Data.getU64(Cursor);
  for (uint64_t I = 0; I < NumLiterals && Cursor; ++I)
    Result.UntouchedLiterals.insert(Data.getU64(Cursor));

  const uint64_t NumRecords = Data.getU64(Cursor);
  for (uint64_t I = 0; I < NumRecords && Cursor; ++I) {
    const uint64_t Id = Data.getU64(Cursor);
    const bool IsLiteral = Data.getU8(Cursor) != 0;
    Sampled Added;
    Added.Accesses = Data.getU64(Cursor);
    const uint64_t NumPlaces = Data.getU64(Cursor);
    auto BadRecord = [&](const Twine &Message) {
      return Bad("record " + Twine(I + 1) + ": " + Message);
    };
    for (uint64_t J = 0; J < NumPlaces && Cursor; ++J) {
      const uint64_t File = Data.getU64(Cursor);
      const uint32_t Line = Data.getU32(Cursor);
      if (!Cursor)
        break;
      if (File >= NumNames)
        return BadRecord("names a file that is not there");
      Added.Places.push_back({Strings[File], Line});
    }
    if (!Cursor)
      break;
    if (IsLiteral) {
      addSampled(Result.Literals, Id, Added, 1);
      continue;
    }
    if (Id >= NumNames || Strings[Id].empty())
      return BadRecord("has no name");
    addSampled(Result.Symbols, canonicalName(Strings[Id]), Added, 1);
  }
  if (!Cursor)
    return Truncated();
  return Result;
}

bool DataAccesses::empty() const {
  return Symbols.empty() && Literals.empty() && UntouchedSymbols.empty() &&
         UntouchedLiterals.empty();
}

uint64_t DataAccesses::accesses() const {
  uint64_t Result = 0;
  for (const auto &[Name, Each] : Symbols)
    Result = SaturatingAdd(Result, Each.Accesses);
  for (const auto &[Hash, Each] : Literals)
    Result = SaturatingAdd(Result, Each.Accesses);
  return Result;
}

void DataAccesses::add(const DataAccesses &Other, uint64_t Weight) {
  for (const auto &[Name, Each] : Other.Symbols)
    addSampled(Symbols, Name, Each, Weight);
  for (const auto &[Hash, Each] : Other.Literals)
    addSampled(Literals, Hash, Each, Weight);
  UntouchedSymbols.insert(Other.UntouchedSymbols.begin(),
                          Other.UntouchedSymbols.end());
  UntouchedLiterals.insert(Other.UntouchedLiterals.begin(),
                           Other.UntouchedLiterals.end());
}

/// What is in \p Untouched and in none of \p Sampled.
template <class Key>
static std::set<Key>
without(const std::set<Key> &Untouched,
        const std::map<Key, DataAccesses::Sampled> &Sampled) {
  std::set<Key> Result;
  for (const Key &K : Untouched)
    if (!Sampled.count(K))
      Result.insert(K);
  return Result;
}

std::set<std::string> DataAccesses::coldSymbols() const {
  return without(UntouchedSymbols, Symbols);
}

std::set<uint64_t> DataAccesses::coldLiterals() const {
  return without(UntouchedLiterals, Literals);
}

Expected<std::string> DataAccesses::serialize() const {
  if (empty())
    return "";
  DataAccessProfData All;
  Error Failed = Error::success();
  auto Add = [&](SymbolHandleRef Symbol, const Sampled &S) {
    SmallVector<SourceLocation> Places;
    for (const Place &P : S.Places)
      Places.emplace_back(P.File, P.Line);
    Failed = joinErrors(std::move(Failed),
                        All.setDataAccessProfile(Symbol, S.Accesses, Places));
  };
  for (const auto &[Name, S] : Symbols)
    Add(StringRef(Name), S);
  for (const auto &[Hash, S] : Literals)
    Add(Hash, S);
  for (const std::string &Name : coldSymbols())
    Failed = joinErrors(std::move(Failed),
                        All.addKnownSymbolWithoutSamples(StringRef(Name)));
  for (uint64_t Hash : coldLiterals())
    Failed =
        joinErrors(std::move(Failed), All.addKnownSymbolWithoutSamples(Hash));
  if (Failed)
    return std::move(Failed);
  std::string Result;
  raw_string_ostream OS(Result);
  ProfOStream Out(OS);
  if (Error E = All.serialize(Out))
    return std::move(E);
  return Result;
}
