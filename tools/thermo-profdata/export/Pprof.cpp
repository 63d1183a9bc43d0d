//===- thermo-profdata/export/Pprof.cpp - A profile for pprof -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is a message of protocol buffers, of which it needs little: fields
// that are numbers (ULEB128), and fields with a length. It is compressed by
// gzip, whose file is zlib's without its head and checksum, with others around.
//
//===----------------------------------------------------------------------===//

#include "Viewers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;

namespace {

/// A message that grows.
class Message {
public:
  /// A field that is a number; 0 is the default, and left out.
  void number(unsigned Field, uint64_t Value) {
    if (Value)
      always(Field, Value);
  }
  void always(unsigned Field, uint64_t Value) {
    raw_svector_ostream OS(Bytes);
    encodeULEB128(Field << 3, OS);
    encodeULEB128(Value, OS);
  }
  void text(unsigned Field, StringRef Text) {
    raw_svector_ostream OS(Bytes);
    encodeULEB128(Field << 3 | 2, OS);
    encodeULEB128(Text.size(), OS);
    OS << Text;
  }
  void message(unsigned Field, const Message &M) { text(Field, M.bytes()); }
  void numbers(unsigned Field, ArrayRef<uint64_t> Values) {
    SmallString<64> Packed;
    raw_svector_ostream OS(Packed);
    for (uint64_t Value : Values)
      encodeULEB128(Value, OS);
    text(Field, Packed);
  }
  StringRef bytes() const { return Bytes; }

private:
  SmallString<64> Bytes;
};

/// Fields of Profile and of the messages in it.
enum : unsigned {
  ProfileSampleType = 1,
  ProfileSample = 2,
  ProfileLocation = 4,
  ProfileFunction = 5,
  ProfileString = 6,
  ProfileDuration = 10,
  ProfileComment = 13,
  ProfileDefaultType = 14,
  TypeName = 1,
  TypeUnit = 2,
  SampleLocations = 1,
  SampleValues = 2,
  LocationId = 1,
  LocationLine = 4,
  LineFunction = 1,
  LineNumber = 2,
  LineColumn = 3,
  FunctionId = 1,
  FunctionName = 2,
  FunctionSystemName = 3,
  FunctionFile = 4,
  FunctionStartLine = 5,
};

class PprofWriter {
public:
  explicit PprofWriter(const ViewProfile &View) : View(View) { string(""); }

  /// The whole profile, not compressed.
  std::string write();

private:
  /// Each string is there once, and is named by its number.
  uint64_t string(StringRef Text) {
    auto [Known, New] = Strings.try_emplace(Text.str(), Strings.size());
    if (New)
      Table.text(ProfileString, Text);
    return Known->second;
  }
  uint64_t function(const ViewFrame &F);
  uint64_t location(ArrayRef<uint32_t> Frames);

  const ViewProfile &View;
  std::map<std::string, uint64_t> Strings;
  std::map<std::tuple<std::string, std::string, std::string>, uint64_t>
      FunctionIds;
  std::map<std::vector<uint32_t>, uint64_t> LocationIds;
  Message Table, Functions, Locations;
};

} // namespace

uint64_t PprofWriter::function(const ViewFrame &F) {
  auto [Known, New] = FunctionIds.try_emplace({F.Name, F.LinkageName, F.File},
                                              FunctionIds.size() + 1);
  if (New) {
    Message M;
    M.number(FunctionId, Known->second);
    M.number(FunctionName, string(F.Name));
    M.number(FunctionSystemName, string(F.LinkageName));
    M.number(FunctionFile, string(F.File));
    M.number(FunctionStartLine, F.StartLine);
    Functions.message(ProfileFunction, M);
  }
  return Known->second;
}

uint64_t PprofWriter::location(ArrayRef<uint32_t> Frames) {
  auto [Known, New] =
      LocationIds.try_emplace(Frames.vec(), LocationIds.size() + 1);
  if (New) {
    Message M;
    M.number(LocationId, Known->second);
    for (uint32_t Number : Frames) {
      const ViewFrame &F = View.Frames[Number];
      Message Line;
      Line.number(LineFunction, function(F));
      Line.number(LineNumber, F.Line);
      Line.number(LineColumn, F.Line ? F.Column : 0);
      M.message(LocationLine, Line);
    }
    Locations.message(ProfileLocation, M);
  }
  return Known->second;
}

std::string PprofWriter::write() {
  Message Types, Samples, Rest;
  for (const ViewValueInfo &I : View.Values) {
    Message M;
    M.number(TypeName, string(I.Name));
    M.number(TypeUnit, string(I.Unit));
    Types.message(ProfileSampleType, M);
  }
  for (const ViewContext &C : View.Contexts) {
    std::vector<uint64_t> Places, Values;
    for (ArrayRef<uint32_t> Left = C.Frames; !Left.empty();) {
      size_t Size = 1;
      while (Size != Left.size() && View.Frames[Left[Size - 1]].IsInlined)
        ++Size;
      Places.push_back(location(Left.take_front(Size)));
      Left = Left.drop_front(Size);
    }
    for (const ViewValueInfo &I : View.Values)
      Values.push_back(C[I.Value]);
    Message M;
    M.numbers(SampleLocations, Places);
    M.numbers(SampleValues, Values);
    Samples.message(ProfileSample, M);
  }
  Rest.number(ProfileDuration, View.LengthMs * 1000000);
  Rest.always(ProfileComment, string("heap profile " + View.Path));
  Rest.number(ProfileDefaultType, string(AllViewValues[0].Name));
  std::string Result;
  for (const Message *M :
       {&Types, &Samples, &Locations, &Functions, &Table, &Rest})
    Result += M->bytes();
  return Result;
}

void profdata::writePprof(const ViewProfile &View, raw_ostream &OS) {
  const std::string Text = PprofWriter(View).write();
  const ArrayRef<uint8_t> Bytes = arrayRefFromStringRef(Text);
  SmallVector<uint8_t, 0> Packed;
  compression::zlib::compress(Bytes, Packed);
  // Two bytes of zlib's own are in front, and four behind.
  const StringRef Deflated =
      toStringRef(ArrayRef(Packed).drop_front(2).drop_back(4));
  // The magic number, the method, no flags, no time, no more, no known system.
  OS << StringRef("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10) << Deflated;
  for (uint32_t Number : {crc32(Bytes), static_cast<uint32_t>(Text.size())}) {
    char Little[4];
    support::endian::write32le(Little, Number);
    OS << StringRef(Little, sizeof(Little));
  }
}
