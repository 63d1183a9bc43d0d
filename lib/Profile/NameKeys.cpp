//===- Profile/NameKeys.cpp - Names that outlive an edit ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/NameKeys.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static bool isNameChar(char C) { return isAlnum(C) || C == '_' || C == '$'; }

static uint32_t shortHash(StringRef Text) {
  return std::max<uint32_t>(static_cast<uint32_t>(xxh3_64bits(Text)), 1);
}

/// Whether a part of a name is a version and nothing else: v2, _V2, api_v2,
/// v3_11_2, lts_20240116, __1, __cxx11.
static bool isOnlyVersion(StringRef Part) {
  SmallVector<StringRef, 4> Words;
  Part.split(Words, '_', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return any_of(Part, isDigit) && all_of(Words, [](StringRef Word) {
           const StringRef Name = Word.rtrim("0123456789");
           return StringSwitch<bool>(Name)
               .Cases({"", "v", "V", "cxx"}, true)
               .Cases({"abi", "api", "lts"}, Name == Word)
               .Default(false);
         });
}

/// A part of a name without the version at its end: json_abi of
/// json_abi_v3_11_2, icu of icu_72. Other numbers are of the name: Grid2.
static StringRef withoutVersion(StringRef Part) {
  StringRef Name = Part.rtrim("0123456789_");
  const StringRef Number = Part.drop_front(Name.size());
  if (none_of(Number, isDigit))
    return Part;
  if (Name.ends_with_insensitive("_v"))
    return Name.drop_back(2);
  return Number.front() == '_' ? Name : Part;
}

std::string profile::withoutVersions(StringRef Demangled) {
  std::string Result;
  while (!Demangled.empty()) {
    if (Demangled.starts_with("[abi:")) {
      Demangled = Demangled.drop_front(
          std::min(Demangled.find(']'), Demangled.size() - 1) + 1);
      continue;
    }
    const StringRef Part = Demangled.take_while(isNameChar);
    if (Part.empty()) {
      Result += Demangled.front();
      Demangled = Demangled.drop_front();
      continue;
    }
    Demangled = Demangled.drop_front(Part.size());
    const bool IsScope = Demangled.starts_with("::");
    if (IsScope && isOnlyVersion(Part))
      Demangled = Demangled.drop_front(2);
    else
      Result += IsScope ? withoutVersion(Part) : Part;
  }
  return Result;
}

/// Which of the functions of a constructor or destructor \p Name is.
static StringRef variant(StringRef Name) {
  for (size_t I = Name.size(); I-- > 2;)
    if ((Name[I] == 'E' || Name[I] == 'I') && isDigit(Name[I - 1]) &&
        (Name[I - 2] == 'C' || Name[I - 2] == 'D'))
      return Name.substr(I - 2, 2);
  return "";
}

/// The words of the last part of \p Name, which has no parameters.
static std::vector<uint16_t> wordsOf(StringRef Name) {
  // Not of template arguments.
  if (const size_t Arguments = Name.find('<');
      Arguments != StringRef::npos && Name.ends_with(">"))
    Name = Name.take_front(Arguments);
  const size_t Scope = Name.rfind("::");
  if (Scope != StringRef::npos)
    Name = Name.drop_front(Scope + 2);
  std::vector<uint16_t> Words;
  std::string Word;
  auto Finish = [&] {
    if (!Word.empty())
      Words.push_back(static_cast<uint16_t>(xxh3_64bits(Word)));
    Word.clear();
  };
  for (size_t I = 0; I != Name.size(); ++I) {
    if (!isAlnum(Name[I]) || (I && isUpper(Name[I]) && !isUpper(Name[I - 1])))
      Finish();
    if (isAlnum(Name[I]))
      Word += toLower(Name[I]);
  }
  Finish();
  llvm::sort(Words);
  Words.erase(llvm::unique(Words), Words.end());
  return Words;
}

NameKeys NameKeys::of(StringRef Name) {
  Name = Name.split(".__uniq.").first;
  NameKeys Result;
  // The demangler refers to it until it is through.
  const std::string Mangled = Name.str();
  ItaniumPartialDemangler Demangler;
  if (!Name.starts_with("_Z") || Demangler.partialDemangle(Mangled.c_str()) ||
      !Demangler.isFunction()) {
    Result.Words = wordsOf(Name);
    return Result;
  }
  auto Take = [](char *Text) {
    std::string Taken = Text ? withoutVersions(Text) : "";
    std::free(Text);
    return Taken;
  };
  const StringRef Variant =
      Demangler.isCtorOrDtor() ? variant(Name) : StringRef();
  const std::string Base = Take(Demangler.getFunctionName(nullptr, nullptr));
  Result.Versionless = shortHash(
      Take(Demangler.finishDemangle(nullptr, nullptr)) + Variant.str());
  Result.Base = shortHash(Base + Variant.str());
  Result.Words = wordsOf(Base);
  return Result;
}

std::string profile::plainName(StringRef Name) {
  const std::string Mangled = Name.str();
  ItaniumPartialDemangler Demangler;
  if (!Name.starts_with("_Z") || Demangler.partialDemangle(Mangled.c_str()) ||
      !Demangler.isFunction())
    return Mangled;
  char *Text = Demangler.getFunctionBaseName(nullptr, nullptr);
  const std::string Plain = Text ? Text : "";
  std::free(Text);
  return Plain;
}

void NameKeys::addPath(StringRef Path) {
  constexpr unsigned MostDirectories = 7;
  std::string End;
  unsigned Directories = 0;
  for (auto Part = sys::path::rbegin(Path); Part != sys::path::rend(Path);
       ++Part) {
    // No word of a name has a slash.
    End = "/" + Part->str() + End;
    Words.push_back(static_cast<uint16_t>(xxh3_64bits(End)));
    if (++Directories > MostDirectories)
      break;
  }
  llvm::sort(Words);
  Words.erase(llvm::unique(Words), Words.end());
}
