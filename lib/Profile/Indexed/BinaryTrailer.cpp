//===- Profile/Indexed/BinaryTrailer.cpp - Binaries in a file -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BinaryTrailer.h"
#include "Words.h"
#include "thermocline/Format/BinaryTrailer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <optional>
#include <vector>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

using Head = format::BinaryTrailerHeader;
using Foot = format::BinaryTrailerFooter;

/// Where what the checksum is of begins.
static constexpr uint64_t CheckedFrom = offsetof(Head, ProfileChecksum);

static Error malformed(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           "trailer of binaries: " + Message);
}

void profile::appendBinaryTrailer(std::string &File, uint64_t ProfileChecksum,
                                  const BinaryMap &Binaries) {
  std::string Checked;
  putWord(Checked, ProfileChecksum);
  putWord(Checked, Binaries.binaries().size());
  for (const auto &[Id, Has] : Binaries.binaries()) {
    for (uint64_t Size : {Id.size(), Has.Name.size(), Has.Functions.size(),
                          Has.Contexts.size()})
      putWord(Checked, Size);
    Checked += toStringRef(Id);
    Checked += Has.Name;
    padToWord(Checked);
    for (const std::set<uint64_t> *Ids : {&Has.Functions, &Has.Contexts})
      for (uint64_t Number : *Ids)
        putWord(Checked, Number);
  }
  padToWord(File);
  putWord(File, format::BinaryTrailerMagic);
  putWord(File, format::BinaryTrailerVersion);
  putWord(File, xxh3_64bits(Checked));
  File += Checked;
  putWord(File, CheckedFrom + Checked.size() + sizeof(Foot));
  putWord(File, format::BinaryTrailerEnd);
}

namespace {

/// Takes what is between the header and the foot from front to back. Reads
/// nothing behind its end.
class Body {
public:
  explicit Body(StringRef Bytes) : Rest(Bytes) {}

  std::optional<uint64_t> number() {
    std::optional<StringRef> Bytes = take(WordSize);
    if (!Bytes)
      return std::nullopt;
    return support::endian::read64le(Bytes->data());
  }
  std::optional<StringRef> take(uint64_t Size) {
    if (Size > Rest.size())
      return std::nullopt;
    StringRef Result = Rest.take_front(Size);
    Rest = Rest.drop_front(Size);
    return Result;
  }
  /// \p Count numbers, ascending.
  bool numbers(uint64_t Count, std::set<uint64_t> &Into) {
    if (Count > Rest.size() / WordSize)
      return false;
    for (uint64_t I = 0; I != Count; ++I) {
      const uint64_t Number = *number();
      if (!Into.empty() && Number <= *Into.rbegin())
        return false;
      Into.insert(Into.end(), Number);
    }
    return true;
  }
  bool empty() const { return Rest.empty(); }

private:
  StringRef Rest;
};

} // namespace

static bool readBinary(Body &From, BinaryMap &Into) {
  std::optional<uint64_t> Sizes[4];
  for (std::optional<uint64_t> &Size : Sizes)
    if (!(Size = From.number()))
      return false;
  const auto [IdBytes, NameBytes, NumFunctions, NumContexts] = Sizes;
  std::optional<StringRef> Id = From.take(*IdBytes),
                           Name = From.take(*NameBytes);
  if (!Id || Id->empty() || !Name ||
      !From.take(-(*IdBytes + *NameBytes) % WordSize))
    return false;
  const BinaryMap::BuildId Key(Id->bytes_begin(), Id->bytes_end());
  if (!Into.binaries().empty() && !(Into.binaries().rbegin()->first < Key))
    return false;
  BinaryContents &Added = Into.add(Key, *Name);
  return From.numbers(*NumFunctions, Added.Functions) &&
         From.numbers(*NumContexts, Added.Contexts);
}

Expected<BinaryMap> profile::readBinaryTrailer(StringRef Contents,
                                               uint64_t ProfileChecksum) {
  BinaryMap Result;
  const char *FootAt = Contents.end() - sizeof(Foot);
  if (Contents.size() < sizeof(Head) + sizeof(Foot) ||
      support::endian::read64le(FootAt + WordSize) !=
          format::BinaryTrailerEnd) {
    char Magic[WordSize];
    support::endian::write64le(Magic, format::BinaryTrailerMagic);
    if (Contents.contains(StringRef(Magic, WordSize)))
      return malformed("truncated");
    return std::move(Result);
  }
  const uint64_t NumBytes = support::endian::read64le(FootAt);
  if (NumBytes > Contents.size() || NumBytes < sizeof(Head) + sizeof(Foot))
    return malformed("it cannot have " + Twine(NumBytes) + " bytes");
  Body From(Contents.take_back(NumBytes).drop_back(sizeof(Foot)));
  if (From.number() != format::BinaryTrailerMagic)
    return malformed("it does not begin where its end says");
  if (const uint64_t Version = *From.number();
      Version != format::BinaryTrailerVersion)
    return malformed("version " + Twine(Version) + " is not supported (" +
                     Twine(format::BinaryTrailerVersion) + " is)");
  if (From.number() !=
      xxh3_64bits(
          Contents.take_back(NumBytes - CheckedFrom).drop_back(sizeof(Foot))))
    return malformed("its checksum is wrong");
  if (From.number() != ProfileChecksum)
    return malformed("the memory profile is not the one that it was written "
                     "for; is it damaged?");
  for (uint64_t I = 0, E = *From.number(); I != E; ++I)
    if (!readBinary(From, Result))
      return malformed("binary " + Twine(I + 1) + " is damaged");
  if (!From.empty())
    return malformed("its parts do not fill it");
  return std::move(Result);
}

StringRef profile::beforeBinaryTrailer(StringRef Contents) {
  const char *FootAt = Contents.end() - sizeof(Foot);
  if (Contents.size() < sizeof(Head) + sizeof(Foot) ||
      support::endian::read64le(FootAt + WordSize) != format::BinaryTrailerEnd)
    return Contents;
  const uint64_t NumBytes = support::endian::read64le(FootAt);
  return NumBytes > Contents.size() ? Contents : Contents.drop_back(NumBytes);
}
