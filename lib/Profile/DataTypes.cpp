//===- Profile/DataTypes.cpp - The types that calls allocate --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/DataTypes.h"
#include "ProfileParts.h"
#include "thermocline/Format/DataTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static constexpr PartForm Part = {format::TypesPart, format::TypePartVersion,
                                  "table of types"};

static Error malformed(const Twine &Message) {
  return malformedPart(Part, Message);
}

std::string DataType::describe() const {
  switch (Why) {
  case TypeKnowledge::Known:
    return Name;
  case TypeKnowledge::NotNamed:
    return "(unknown: the call names no type)";
  case TypeKnowledge::NotTold:
    return "(unknown: code that does not tell types)";
  case TypeKnowledge::NoTypes:
    return "(unknown: the profile has no types)";
  }
  llvm_unreachable("all kinds are described");
}

StringRef DataType::advice() const {
  switch (Why) {
  case TypeKnowledge::Known:
    return "";
  case TypeKnowledge::NotNamed:
    return "Memory that is used as void * at the call. Functions that hand it "
           "on take the type of their callers if they are declared with "
           "__attribute__((malloc)) or alloc_size.";
  case TypeKnowledge::NotTold:
    return "Called by code that was compiled without "
           "thermocline-generate.cfg, or without line tables.";
  case TypeKnowledge::NoTypes:
    return "The program was compiled before Thermocline told types, or "
           "llvm-profdata or YAML left them out of the profile.";
  }
  llvm_unreachable("all kinds have advice");
}

//===-- The section of a program ------------------------------------------===//

Error DataTypes::addSection(StringRef Contents) {
  constexpr uint64_t CallSize = sizeof(format::TypeTableCall);
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  uint64_t Offset = 0;
  while (Offset < Contents.size()) {
    // Between functions.
    if (Contents[Offset] == '\0') {
      ++Offset;
      continue;
    }
    const uint64_t Begin = Offset;
    auto Damaged = [&] { return malformed("damaged at byte " + Twine(Begin)); };
    if (!Data.isValidOffsetForDataOfSize(Offset,
                                         sizeof(format::TypeTableFunction)) ||
        Data.getU32(&Offset) != format::TypeTableMagic)
      return Damaged();
    if (uint32_t Version = Data.getU32(&Offset);
        Version != format::TypeTableVersion)
      return malformed("version " + Twine(Version) + " is not supported (" +
                       Twine(format::TypeTableVersion) + " is)");
    const GlobalValue::GUID Function = Data.getU64(&Offset);
    const uint64_t NumCalls = Data.getU64(&Offset);
    if (NumCalls > (Contents.size() - Offset) / CallSize)
      return Damaged();
    uint64_t NameAt = Offset + NumCalls * CallSize;
    for (uint64_t I = 0; I != NumCalls; ++I) {
      TypedCall Call;
      Call.Line = Data.getU32(&Offset);
      Call.Column = Data.getU32(&Offset);
      Call.Callee = Data.getU64(&Offset);
      const uint64_t NameBytes = Data.getU64(&Offset);
      if (NameBytes > Contents.size() - NameAt)
        return Damaged();
      Call.Type = Contents.substr(NameAt, NameBytes).str();
      NameAt += NameBytes;
      add(Function, Call);
    }
    Offset = NameAt;
  }
  return Error::success();
}

//===-- The table ---------------------------------------------------------===//

void DataTypes::add(const DataTypes &Other) {
  for (const auto &[Function, Typed] : Other.Calls)
    Calls[Function].insert(Typed.begin(), Typed.end());
}

DataType DataTypes::of(ArrayRef<memprof::Frame> Frames) const {
  if (Calls.empty())
    return {};
  DataType Result{"", TypeKnowledge::NotTold};
  for (const auto &[I, F] : enumerate(Frames)) {
    auto Known = Calls.find(F.Function);
    if (Known == Calls.end())
      return Result;
    std::set<std::string> Names;
    bool Any = false;
    for (auto It = Known->second.lower_bound(
             TypedCall{F.LineOffset, F.Column, 0, ""});
         It != Known->second.end() && It->Line == F.LineOffset &&
         It->Column == F.Column;
         ++It) {
      // What allocates has no frame; any other callee is the frame below.
      if (I != 0 && It->Callee != Frames[I - 1].Function)
        continue;
      Any = true;
      if (!It->Type.empty())
        Names.insert(It->Type);
    }
    if (!Names.empty())
      return {join(Names, " or "), TypeKnowledge::Known};
    if (!Any)
      return Result;
    Result.Why = TypeKnowledge::NotNamed;
  }
  return Result;
}

//===-- In an indexed profile ---------------------------------------------===//

std::string
DataTypes::encode(function_ref<bool(GlobalValue::GUID)> Wanted) const {
  std::map<std::string, uint64_t> Names;
  bool Any = false;
  for (const auto &[Function, Typed] : Calls)
    if (Wanted(Function)) {
      Any = true;
      for (const TypedCall &Call : Typed)
        Names[Call.Type] = 0;
    }
  if (!Any)
    return "";
  std::string Result;
  raw_string_ostream OS(Result);
  support::endian::Writer Write(OS, endianness::little);
  encodeULEB128(Names.size(), OS);
  for (auto [I, Name] : enumerate(Names)) {
    Name.second = I;
    encodeULEB128(Name.first.size(), OS);
    OS << Name.first;
  }
  for (const auto &[Function, Typed] : Calls) {
    if (!Wanted(Function))
      continue;
    Write.write<uint64_t>(Function);
    encodeULEB128(Typed.size(), OS);
    for (const TypedCall &Call : Typed) {
      encodeULEB128(Call.Line, OS);
      encodeULEB128(Call.Column, OS);
      Write.write<uint64_t>(Call.Callee);
      encodeULEB128(Names.at(Call.Type), OS);
    }
  }
  return Result;
}

Expected<DataTypes> DataTypes::decode(StringRef Bytes) {
  DataTypes Result;
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  // A name takes a byte at least, so that no count is believed for long.
  std::vector<StringRef> Names;
  for (uint64_t Left = Data.getULEB128(Cursor); Left && Cursor; --Left)
    Names.push_back(Data.getBytes(Cursor, Data.getULEB128(Cursor)));
  while (Cursor && Cursor.tell() != Bytes.size()) {
    const GlobalValue::GUID Function = Data.getU64(Cursor);
    for (uint64_t Left = Data.getULEB128(Cursor); Left && Cursor; --Left) {
      TypedCall Call;
      Call.Line = static_cast<uint32_t>(Data.getULEB128(Cursor));
      Call.Column = static_cast<uint32_t>(Data.getULEB128(Cursor));
      Call.Callee = Data.getU64(Cursor);
      const uint64_t Name = Data.getULEB128(Cursor);
      if (!Cursor)
        break;
      if (Name >= Names.size()) {
        consumeError(Cursor.takeError());
        return malformed("it has no type " + Twine(Name));
      }
      Call.Type = Names[Name].str();
      Result.add(Function, Call);
    }
  }
  if (Error E = Cursor.takeError()) {
    consumeError(std::move(E));
    return malformed("reaches past its end");
  }
  return Result;
}

void DataTypes::appendTo(std::string &File,
                         function_ref<bool(GlobalValue::GUID)> Wanted) const {
  if (const std::string Payload = encode(Wanted); !Payload.empty())
    appendPart(File, Part, Payload);
}

Expected<DataTypes> DataTypes::readFrom(StringRef Contents) {
  auto Read = readPart(Contents, Part);
  if (!Read)
    return Read.takeError();
  return *Read ? decode((*Read)->bytes()) : DataTypes();
}
