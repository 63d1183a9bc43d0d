//===- Callsites/Macros.cpp - What the macros of a file stand for ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Macros.h"
#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// Files that are read for a module; what is included beyond is not known.
static constexpr size_t MaxFiles = 4096;

//===-- What a name stands for --------------------------------------------===//

/// Whether the token \p I is a number that does not tell one thing from
/// another: one that is added to something, or is not small.
static bool isSize(const SourceTokens &Tokens, uint32_t I) {
  if (Tokens[I].Is != Token::Kind::Number)
    return false;
  auto IsBorder = [&](uint32_t Of) {
    return Of >= Tokens.size() ||
           (Tokens[Of].Is == Token::Kind::Sign &&
            StringRef("(),[]{};=").contains(Tokens[Of].Text));
  };
  constexpr unsigned MaxSelector = 31;
  unsigned Value = 0;
  return !IsBorder(I - 1) || !IsBorder(I + 1) ||
         Tokens[I].Text.getAsInteger(0, Value) || Value > MaxSelector;
}

void Macros::addUsed(StringRef Word, const Scope &In,
                     std::set<uint16_t> &To) const {
  StringSet<> Seen;
  addUsed(Word, In, To, Seen);
}

void Macros::addUsed(StringRef Word, const Scope &In, std::set<uint16_t> &To,
                     StringSet<> &Seen) const {
  auto Known = Bodies.find(Word);
  if (Known == Bodies.end() || !Seen.insert(Word).second)
    return;
  std::vector<StringRef> Defined;
  for (auto [File, Body] : Known->second)
    if (File < In.size() && In[File])
      Defined.push_back(Body);
  if (Defined.empty())
    return;
  // The order of files is one of the module, not of the scope.
  llvm::sort(Defined);
  std::string Text = Word.str();
  for (StringRef Body : Defined) {
    const SourceTokens Tokens(Body);
    for (uint32_t I = 0; I != Tokens.size(); ++I) {
      if (isSize(Tokens, I))
        continue;
      (Text += '\n') += Tokens[I].Text;
      if (Tokens[I].Is == Token::Kind::Word)
        addUsed(Tokens[I].Text, In, To, Seen);
    }
  }
  To.insert(static_cast<uint16_t>(xxh3_64bits(Text) % 0xffff + 1));
}

//===-- Files -------------------------------------------------------------===//

/// What the file \p From includes as \p Name; empty if it is not found.
static std::string findIncluded(StringRef Name, StringRef From) {
  for (StringRef Folder = sys::path::parent_path(From); !Folder.empty();
       Folder = sys::path::parent_path(Folder))
    for (StringRef Below : {"", "include"}) {
      SmallString<256> Path = Folder;
      sys::path::append(Path, Below, Name);
      if (!sys::fs::is_regular_file(Path))
        continue;
      sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
      return std::string(Path);
    }
  return std::string();
}

unsigned Macros::numberOf(StringRef Path) {
  auto [Known, New] = Numbers.try_emplace(Path, Paths.size());
  if (New) {
    Paths.push_back(Path.str());
    Files.emplace_back();
  }
  return Known->second;
}

void Macros::read(unsigned Number) {
  File Read;
  if (sys::fs::is_regular_file(Paths[Number]))
    if (auto Buffer = MemoryBuffer::getFile(Paths[Number], /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false))
      Read.Text = std::move(*Buffer);
  auto IsNameChar = [](char C) { return isAlnum(C) || C == '_'; };
  StringRef Rest = Read.Text ? Read.Text->getBuffer() : StringRef();
  while (!Rest.empty()) {
    StringRef Line = Rest.take_front(directiveLength(Rest));
    Rest = Rest.drop_front(std::min(Line.size() + 1, Rest.size()));
    Line = Line.ltrim(" \t");
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim(" \t");
    if (Line.consume_front("define")) {
      Line = Line.ltrim(" \t");
      const StringRef Name = Line.take_while(IsNameChar);
      const StringRef Body = Line.drop_front(Name.size());
      if (!Name.empty() && !Body.trim().empty())
        Bodies[Name].emplace_back(Number, Body);
    } else if (Line.consume_front("include")) {
      Line = Line.ltrim(" \t");
      if (!Line.consume_front("\""))
        continue;
      const std::string Found =
          findIncluded(Line.split('"').first, Paths[Number]);
      if (!Found.empty() && Paths.size() < MaxFiles)
        Read.Includes.push_back(numberOf(Found));
    }
  }
  Files[Number] = std::move(Read);
}

const Macros::Scope &Macros::scopeOf(StringRef Path) {
  auto [Known, New] = Scopes.try_emplace(Path);
  Scope &Result = Known->second;
  if (!New)
    return Result;
  SmallVector<unsigned, 16> Worklist = {numberOf(Path)};
  while (!Worklist.empty()) {
    const unsigned Number = Worklist.pop_back_val();
    if (Number >= Result.size())
      Result.resize(Number + 1);
    if (Result[Number])
      continue;
    Result.set(Number);
    if (!Files[Number])
      read(Number);
    append_range(Worklist, Files[Number]->Includes);
  }
  return Result;
}
