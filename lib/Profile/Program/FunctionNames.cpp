//===- Profile/Program/FunctionNames.cpp - From GUIDs back to names -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Support/LocalNames.h"
#include "thermocline/Support/RustNames.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/ProfileData/SampleProf.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

StringRef profile::sourceName(StringRef Name) {
  auto [Original, Version] = Name.rsplit(".memprof.");
  if (!Version.empty() && all_of(Version, isDigit))
    Name = Original;
  auto [Coroutine, Part] = Name.rsplit('.');
  if (!Coroutine.empty() &&
      (Part == "resume" || Part == "destroy" || Part == "cleanup"))
    Name = Coroutine;
  return nameBeforeSplit(Name);
}

GlobalValue::GUID profile::sourceGUID(StringRef Name) {
  return memprof::getGUID(sourceName(Name));
}

bool profile::isUniqueLocalName(StringRef Name) {
  return Name.contains(".__uniq.");
}

// -funique-internal-linkage-names tells local functions of equal name apart by
// a number that says nothing to people.
std::string profile::displayName(StringRef Name) {
  return demangled(nameBeforeSplit(Name).split(".__uniq.").first);
}

/// Whether \p Name is of Rust's library, whose names have no parameters. What a
/// type does for a trait is called <Type as Trait>::function, and for any type
/// <T as Trait>::function.
static bool isRustLibraryName(StringRef Name) {
  Name.consume_front("<");
  Name.consume_front("&");
  if (const auto [Type, Trait] = Name.split(" as ");
      Type.size() == 1 && isUpper(Type.front()))
    Name = Trait;
  return Name.starts_with("alloc::") || Name.starts_with("core::") ||
         Name.starts_with("std::") || Name.starts_with("hashbrown::") ||
         Name.starts_with("__rustc::");
}

bool profile::isLibraryName(StringRef Name) {
  // The last word before the parameters: what comes before is the type that is
  // returned. Words in brackets are arguments of templates.
  StringRef Word = Name;
  unsigned Depth = 0;
  bool HasParameters = false;
  for (size_t I = 0; I != Name.size(); ++I) {
    if (Depth == 0 && Name.substr(I).starts_with("operator"))
      break;
    if (Name[I] == '<')
      ++Depth;
    else if (Name[I] == '>')
      Depth -= Depth != 0;
    else if (Depth == 0 && Name[I] == ' ')
      Word = Name.drop_front(I + 1);
    else if (Depth == 0 && Name[I] == '(') {
      HasParameters = true;
      break;
    }
  }
  if (!HasParameters && isRustLibraryName(Name))
    return true;
  return Word.starts_with("std::") || Word.starts_with("__gnu_cxx::") ||
         Word.starts_with("operator new");
}

std::string profile::displayPath(StringRef File) {
  SmallString<128> Path(File);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return std::string(Path);
}

void FunctionNames::add(StringRef Name) {
  Name = sampleprof::FunctionSamples::getCanonicalFnName(sourceName(Name));
  Names.try_emplace(memprof::getGUID(Name), Name.str());
}

StringRef FunctionNames::lookup(GlobalValue::GUID Function) const {
  auto Known = Names.find(Function);
  return Known == Names.end() ? StringRef() : StringRef(Known->second);
}

std::string FunctionNames::display(GlobalValue::GUID Function) const {
  StringRef Name = lookup(Function);
  if (Name.empty())
    return hexText(Function);
  return displayName(Name);
}
