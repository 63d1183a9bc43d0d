//===- Context/Text/TextLines.cpp - Words of lines, names of functions ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextLines.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

Error TextLines::error(const Twine &Message) const {
  return recordError(FileName, "line " + Twine(Line), Message);
}

Expected<bool> TextLines::next() {
  while (!Left.empty()) {
    StringRef Rest;
    std::tie(Rest, Left) = Left.split('\n');
    ++Line;
    Words.clear();
    Word = 0;
    while (true) {
      Rest = Rest.ltrim(" \t\r");
      if (Rest.empty() || Rest.front() == ';')
        break;
      if (Rest.front() != '"') {
        StringRef Plain = Rest.take_until(
            [](char C) { return C == ' ' || C == '\t' || C == '\r'; });
        Words.push_back(Plain.str());
        Rest = Rest.drop_front(Plain.size());
        continue;
      }
      Rest = Rest.drop_front();
      std::string Value;
      while (!Rest.empty() && Rest.front() != '"') {
        char C = Rest.front();
        Rest = Rest.drop_front();
        if (C == '\\') {
          if (Rest.size() < 2 || !isHexDigit(Rest[0]) || !isHexDigit(Rest[1]))
            return error("a backslash without two hexadecimal digits");
          C = static_cast<char>(hexFromNibbles(Rest[0], Rest[1]));
          Rest = Rest.drop_front(2);
        }
        Value += C;
      }
      if (Rest.empty())
        return error("a quoted name does not end");
      Rest = Rest.drop_front();
      Words.push_back(std::move(Value));
    }
    if (!Words.empty())
      return true;
  }
  return false;
}

Error TextLines::expectHeader(StringRef Header) {
  Expected<bool> Found = next();
  if (!Found)
    return Found.takeError();
  if (*Found && join(Words, " ") == Header)
    return Error::success();
  return error("the first line must be '" + Header + "'");
}

Expected<StringRef> TextLines::word(const Twine &What) {
  if (atEnd())
    return error("the line ends where " + What + " is expected");
  return StringRef(Words[Word++]);
}

bool TextLines::accept(StringRef Wanted) {
  if (atEnd() || Words[Word] != Wanted)
    return false;
  ++Word;
  return true;
}

Error TextLines::expect(StringRef Wanted) {
  if (accept(Wanted))
    return Error::success();
  return error("'" + Wanted + "' is expected" +
               (atEnd() ? Twine(" at the end of the line")
                        : Twine(" before '") + Words[Word] + "'"));
}

Error TextLines::expectEnd() {
  if (atEnd())
    return Error::success();
  return error("'" + Twine(Words[Word]) + "' is left over");
}

Expected<uint64_t> TextLines::number(const Twine &What, unsigned Radix) {
  Expected<StringRef> Text = word(What);
  if (!Text)
    return Text.takeError();
  uint64_t Value;
  if (Text->getAsInteger(Radix, Value))
    return error("'" + *Text + "' is not " + What +
                 (Radix == 16 ? " of up to 16 hexadecimal digits"
                              : ", a decimal number"));
  return Value;
}

Expected<uint32_t> TextLines::index(const Twine &What, uint64_t End) {
  Expected<uint64_t> Value = number(What);
  if (!Value)
    return Value.takeError();
  if (*Value >= End)
    return error(Twine(*Value) + " is not " + What + ": there are " +
                 Twine(End));
  return static_cast<uint32_t>(*Value);
}

Expected<std::vector<StackId>> TextLines::stackIdsToEnd() {
  if (Error E = expect(":"))
    return std::move(E);
  std::vector<StackId> Ids;
  while (!atEnd()) {
    Expected<uint64_t> Value = number("a stack id", 16);
    if (!Value)
      return Value.takeError();
    Ids.push_back(StackId(*Value));
  }
  return Ids;
}

static bool isPlain(StringRef Name) {
  return !Name.empty() && Name.front() != '@' && Name != "?" &&
         all_of(Name, [](char C) {
           return isAlnum(C) || StringRef("_.$@?").contains(C);
         });
}

std::string thermocline::context::quoted(StringRef Name) {
  if (isPlain(Name))
    return Name.str();
  std::string Result = "\"";
  for (char C : Name) {
    if (isPrint(C) && C != '"' && C != '\\')
      Result += C;
    else
      Result += "\\" + toHex(StringRef(&C, 1));
  }
  return Result + "\"";
}

FunctionReferences::FunctionReferences(const ContextProgram &Program)
    : Program(Program) {
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    FunctionId F(I);
    auto [It, New] = ByName.try_emplace(Program[F].Name, F);
    if (!New)
      It->second = FunctionId::none();
  }
}

std::string FunctionReferences::reference(FunctionId F) const {
  const std::string &Name = Program[F].Name;
  if (!Name.empty() && Name.front() != '@' && Name != "?" &&
      ByName.lookup(Name) == F)
    return quoted(Name);
  return "@" + std::to_string(F.index());
}

Expected<FunctionId> FunctionReferences::parse(TextLines &Lines,
                                               const Twine &What) const {
  Expected<StringRef> Word = Lines.word(What);
  if (!Word)
    return Word.takeError();
  StringRef Number = *Word;
  if (Number.consume_front("@")) {
    uint32_t Value;
    if (Number.getAsInteger(10, Value) || Value >= Program.numFunctions())
      return Lines.error("there is no function '" + *Word + "'");
    return FunctionId(Value);
  }
  auto It = ByName.find(*Word);
  if (It == ByName.end())
    return Lines.error("there is no function '" + *Word + "'");
  if (!It->second)
    return Lines.error("several functions are named '" + *Word +
                       "'; use @ and a number");
  return It->second;
}
