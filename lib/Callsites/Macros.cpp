//===- Callsites/Macros.cpp - What macros and constants stand for ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Macros.h"
#include "Conditions.h"
#include "Locals.h"
#include "Sinks.h"
#include "Values.h"
#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// Files that are read for a module; what is included beyond is not known.
static constexpr size_t MaxFiles = 4096;

//===-- What a name stands for --------------------------------------------===//

class Macros::Finder {
public:
  /// Names in what a name stands for are only looked at if it \p Follows them.
  Finder(const Macros &All, const Scope &Visible, bool HasSizes,
         bool Follows = true)
      : All(All), Visible(Visible), HasSizes(HasSizes), Follows(Follows) {}

  std::vector<uint16_t> find(StringRef Word, NameInSource::Kind Is) {
    addMacro(Word);
    if (Is != NameInSource::Kind::Local)
      addConstants(Word, /*OnlyOfScopes=*/Is == NameInSource::Kind::Member);
    return std::vector<uint16_t>(To.begin(), To.end());
  }

private:
  void addUsed(StringRef Word) {
    addMacro(Word);
    addConstants(Word);
  }

  /// The tokens of \p Body as they count. Adds what its names stand for,
  /// unless it \p IsAll.
  std::string read(StringRef Body, bool IsAll = false) {
    std::string Text;
    const SourceTokens Tokens(Body);
    for (uint32_t I = 0; I != Tokens.size(); ++I) {
      if (!HasSizes &&
          isAmount(Tokens[I], I ? &Tokens[I - 1] : nullptr,
                   I + 1 != Tokens.size() ? &Tokens[I + 1] : nullptr))
        continue;
      (Text += '\n') += Tokens[I].Text;
      if (!isWord(Tokens[I]) || !Follows || IsAll)
        continue;
      addUsed(Tokens[I].Text);
      // `Table = pick(2)`
      if (isBefore(Tokens, I, "("))
        All.addDecider(Tokens[I].Text, Asks::Value, Visible, To);
    }
    return Text;
  }

  void addMacro(StringRef Word) {
    auto Known = All.Definitions.find(Word);
    if (Known == All.Definitions.end() || !Seen.insert(Word).second)
      return;
    std::vector<const Definition *> Defined;
    for (const Definition &D : Known->second)
      if (Visible.has(D.File))
        Defined.push_back(&D);
    if (Defined.empty())
      return;
    // By file: the order of files is one of the module, not of the scope.
    std::map<unsigned, std::string> Texts;
    for (const Definition *D : Defined) {
      std::string &Text = Texts[D->File];
      if (Defined.size() > 1) {
        (Text += D->IsGone ? "\nundef" : "\ndefine") += D->Conditions;
        addAsked(D->Conditions);
      }
      Text += read(D->Body);
    }
    std::vector<StringRef> Sorted;
    for (const auto &[File, Text] : Texts)
      Sorted.push_back(Text);
    llvm::sort(Sorted);
    To.insert(hash16(Word + join(Sorted, "\n")));
  }

  /// Adds what the names in \p Conditions stand for, and which stand for
  /// nothing.
  void addAsked(StringRef Conditions) {
    const SourceTokens Tokens(Conditions);
    for (uint32_t I = 0; I != Tokens.size(); ++I) {
      if (!isWord(Tokens[I]))
        continue;
      auto Known = All.Definitions.find(Tokens[I].Text);
      if (Known == All.Definitions.end() ||
          none_of(Known->second,
                  [&](const Definition &D) { return Visible.has(D.File); }))
        To.insert(hash16("undefined\n" + Tokens[I].Text));
      else
        addMacro(Tokens[I].Text);
    }
  }

  void addConstants(StringRef Word, bool OnlyOfScopes = false) {
    auto Known = All.Constants.find(Word);
    if (Known == All.Constants.end() || !SeenConstants.insert(Word).second)
      return;
    std::set<StringRef> Scopes;
    for (const auto &[File, C] : Known->second) {
      if (!Visible.has(File) || (OnlyOfScopes && C.Scope.empty()))
        continue;
      if (C.IsSet) {
        addSet(Word, C);
        continue;
      }
      Scopes.insert(C.Scope);
      const std::string Name = ("constant\n" + C.Scope + "\n" + Word).str();
      for (auto [I, Value] : enumerate(C.Values))
        if (const std::string Text = read(Value); !Text.empty())
          To.insert(hash16(Name + "\n" + Twine(I) + Text));
      for (StringRef Other : C.Behind)
        To.insert(hash16(Name + "\nbehind\n" + Other));
      for (StringRef Other : C.InFrontOf)
        To.insert(hash16(Name + "\nin front of\n" + Other));
    }
    All.addUsings(Word, Scopes, Visible, To);
  }

  /// What functions set \p Word to, and where that is not always the same,
  /// under which conditions.
  void addSet(StringRef Word, const NamedValue &C) {
    std::map<StringRef, unsigned> NumValues;
    for (StringRef Value : C.Values)
      ++NumValues[Value.split('=').first.trim()];
    for (auto [Value, Conditions] : zip_equal(C.Values, C.Conditions)) {
      const std::string Set =
          ("set\n" + C.Scope + "\n" + Word).str() + read(Value, /*IsAll=*/true);
      To.insert(hash16(Set));
      if (NumValues[Value.split('=').first.trim()] > 1)
        To.insert(hash16(Set + "\nunder\n" + Conditions));
    }
  }

  const Macros &All;
  const Scope &Visible;
  const bool HasSizes, Follows;
  std::set<uint16_t> To;
  StringSet<> Seen, SeenConstants;
};

void Macros::addUsings(StringRef Name, const std::set<StringRef> &Scopes,
                       const Scope &Visible, std::set<uint16_t> &To) const {
  if (Scopes.size() < 2)
    return;
  for (StringRef Scope : Scopes)
    if (any_of(UsedNamespaces.lookup(Scope),
               [&](unsigned File) { return Visible.has(File); }))
      To.insert(hash16("using\n" + Scope));
  for (StringRef Scope : Scopes)
    if (auto Known = Derived.find(Scope); Known != Derived.end())
      for (const auto &[File, Class] : Known->second)
        if (Visible.has(File))
          To.insert(hash16("base\n" + Class + "\n" + Scope));
  if (auto Known = UsedNames.find(Name); Known != UsedNames.end())
    for (const auto &[File, Namespace] : Known->second)
      if (Visible.has(File) && Scopes.count(Namespace))
        To.insert(hash16("using\n" + Namespace + "\n" + Name));
}

void Macros::addUsed(StringRef Word, Use How, const Scope &Visible,
                     std::set<uint16_t> &To) const {
  if (!Definitions.contains(Word) && !Constants.contains(Word))
    return;
  auto [Known, New] =
      Visible.Found[unsigned(How.Is)][How.IsAsked].try_emplace(Word);
  if (New)
    Known->second = Finder(*this, Visible, How.IsAsked).find(Word, How.Is);
  To.insert(Known->second.begin(), Known->second.end());
}

//===-- What functions do -------------------------------------------------===//

class Macros::TakerFinder {
public:
  TakerFinder(const Macros &All, const Scope &Visible)
      : All(All), Visible(Visible) {}

  std::vector<uint16_t> find(StringRef Function) {
    // So many functions are followed.
    constexpr size_t MaxFunctions = 16;
    std::vector<StringRef> Worklist = {Function};
    while (!Worklist.empty() && Seen.size() != MaxFunctions) {
      const StringRef Name = Worklist.back();
      Worklist.pop_back();
      if (Seen.insert(Name).second)
        add(Name, Worklist);
    }
    return std::vector<uint16_t>(To.begin(), To.end());
  }

private:
  void add(StringRef Name, std::vector<StringRef> &Next) {
    auto Known = All.Functions.find(Name);
    if (Known == All.Functions.end())
      return;
    std::map<std::pair<StringRef, size_t>, std::multiset<std::string>>
        Overloads;
    for (const auto &[Number, F] : Known->second) {
      if (!Visible.has(Number))
        continue;
      const SourceTokens &File = *All.Files[Number]->Tokens;
      const std::string Own = ("takes\n" + F.Scope + "\n" + Name + "\n").str();
      std::string Types;
      for (auto [I, P] : enumerate(F.Parameters)) {
        Types += "\n" + textBetween(File, typeOf(File, P), P) + ",";
        const Sinks Found =
            sinksOfParameter(File, P, F.Closes, F.Opens, [&](StringRef Name) {
              return All.defines(Name, Visible);
            });
        addMeanings(
            File, Found,
            [&](const NameInSource &Name, std::set<uint16_t> &Hashes) {
              All.addMeaning(Name, Visible, Hashes);
            },
            To);
        for (uint16_t Sink : Found.Hashes)
          To.insert(hash16(Own + Twine(I) + "\n" + Twine(Sink)));
        append_range(Next, Found.Takers);
      }
      Overloads[{F.Scope, F.Parameters.size()}].insert(std::move(Types));
    }
    std::set<StringRef> Scopes;
    for (const auto &[Which, Types] : Overloads)
      Scopes.insert(Which.first);
    All.addUsings(Name, Scopes, Visible, To);
    // The types of one that is alone choose nothing.
    for (const auto &[Which, Types] : Overloads)
      To.insert(hash16("overloads\n" + Which.first + "\n" + Name + "\n" +
                       Twine(Which.second) +
                       (Types.size() == 1 ? "" : join(Types, ";"))));
  }

  const Macros &All;
  const Scope &Visible;
  std::set<StringRef> Seen;
  std::set<uint16_t> To;
};

bool Macros::defines(StringRef Function, const Scope &Visible) const {
  auto Known = Functions.find(Function);
  return Known != Functions.end() && any_of(Known->second, [&](const auto &F) {
           return Visible.has(F.first);
         });
}

/// Whether a parameter of this name is a size, by a word in it: `buf_len`,
/// `NumBytes`.
static bool isSizeName(StringRef Name) {
  static const StringSet<> Known = {"bytes", "byte",  "cap",    "capacity",
                                    "count", "len",   "length", "n",
                                    "num",   "nmemb", "nbytes", "size",
                                    "sizes", "sz",    "width",  "height"};
  auto IsEnd = [&](size_t I) {
    return I == Name.size() || Name[I] == '_' ||
           (isUpper(Name[I]) && !isUpper(Name[I - 1]));
  };
  for (size_t Begin = 0, I = 1; I <= Name.size(); ++I)
    if (IsEnd(I)) {
      if (Known.contains(Name.slice(Begin, I).trim('_').lower()))
        return true;
      Begin = I;
    }
  return false;
}

bool Macros::takesSize(StringRef Function, unsigned Index,
                       const Scope &Visible) const {
  auto Known = Functions.find(Function);
  if (Known == Functions.end())
    return true;
  bool Any = false;
  for (const auto &[Number, F] : Known->second) {
    if (!Visible.has(Number))
      continue;
    if (Index >= F.Parameters.size())
      continue;
    const SourceTokens &File = *Files[Number]->Tokens;
    if (isSizeName(File[F.Parameters[Index]].Text))
      return true;
    Any = true;
  }
  return !Any;
}

void Macros::addMeaning(const NameInSource &Name, const Scope &Visible,
                        std::set<uint16_t> &To) const {
  switch (Name.Is) {
  case NameInSource::Role::None:
    return addUsed(Name.Name, {Name.What, Name.IsAsked}, Visible, To);
  case NameInSource::Role::Taker:
  case NameInSource::Role::Callback:
    return addCallback(Name.Name, Visible, To);
  case NameInSource::Role::Decider:
    return addDecider(Name.Name, Asks::Value, Visible, To);
  case NameInSource::Role::Locator:
    return addDecider(Name.Name, Asks::Place, Visible, To);
  case NameInSource::Role::Setter:
    return addDecider(Name.Name, Asks::Setting, Visible, To);
  case NameInSource::Role::Operator:
    return addOperator({Name.Class, Name.Name}, Visible, To);
  }
}

void Macros::addTaker(StringRef Function, const Scope &Visible,
                      std::set<uint16_t> &To) const {
  if (!Functions.contains(Function))
    return;
  auto [Known, New] = Visible.Takers.try_emplace(Function);
  if (New)
    Known->second = TakerFinder(*this, Visible).find(Function);
  To.insert(Known->second.begin(), Known->second.end());
}

void Macros::addCallback(StringRef Callback, const Scope &Visible,
                         std::set<uint16_t> &To) const {
  addTaker(Callback, Visible, To);
  auto Known = Constants.find(Callback);
  if (Known == Constants.end() || Functions.contains(Callback))
    return;
  for (const auto &[File, C] : Known->second) {
    if (!Visible.has(File))
      continue;
    for (StringRef Value : C.Values) {
      const SourceTokens Tokens(Value);
      for (uint32_t I = 0; I != Tokens.size(); ++I)
        if (isWord(Tokens[I]))
          addTaker(Tokens[I].Text, Visible, To);
    }
  }
}

/// Whether the function \p F of \p File only sets variables.
static bool isSetter(const SourceTokens &File, const NamedFunction &F) {
  bool Any = false;
  for (uint32_t I = F.Opens + 1; I < File[F.Opens].End; ++I) {
    const bool IsCall = File[I].is("(") && isWord(File[I - 1]);
    if (IsCall || File[I].is("return"))
      return false;
    Any |= File[I].is("=");
  }
  return Any;
}

std::optional<std::string> Macros::textOf(const NamedFunction &F,
                                          unsigned Number) const {
  // What is longer does something besides, and is edited for that.
  constexpr uint32_t MaxTokens = 64;
  const SourceTokens &File = *Files[Number]->Tokens;
  const uint32_t End = File[F.Opens].End;
  if (End <= F.Opens || End - F.Opens > MaxTokens)
    return std::nullopt;
  std::string Text = ("is\n" + F.Scope + "\n" + F.Name + "\n").str() +
                     textBetween(File, F.Opens, End);
  // No line end follows the last token here.
  Text.pop_back();
  return Text;
}

void Macros::addOperator(OperatorOfClass Operator, const Scope &Visible,
                         std::set<uint16_t> &To) const {
  auto Known = Functions.find(Operator.Name);
  if (Known == Functions.end())
    return;
  for (const auto &[Number, F] : Known->second) {
    if (!Visible.has(Number))
      continue;
    const SourceTokens &File = *Files[Number]->Tokens;
    const bool Gets = any_of(F.Parameters, [&](uint32_t P) {
      for (uint32_t I = typeOf(File, P); I < P; ++I)
        if (File[I].is(Operator.Class))
          return true;
      return false;
    });
    if (F.Scope != Operator.Class && !Gets)
      continue;
    if (const std::optional<std::string> Text = textOf(F, Number))
      To.insert(hash16(*Text));
  }
}

void Macros::addNamedIn(const NamedFunction &F, const SourceTokens &File,
                        const Scope &Visible, std::set<uint16_t> &To) const {
  const Locals Own(File, F.Opens + 1);
  for (uint32_t I = F.Opens + 1; I < File[F.Opens].End; ++I) {
    const StringRef Word = File[I].Text;
    if (!isWord(File[I]) || Own.declaration(Word, I))
      continue;
    if (Definitions.contains(Word) || Constants.contains(Word)) {
      const auto Is = isMemberSign(File[I - 1].Text)
                          ? NameInSource::Kind::Member
                          : NameInSource::Kind::Global;
      const std::vector<uint16_t> Found =
          Finder(*this, Visible, /*HasSizes=*/true, /*Follows=*/false)
              .find(Word, Is);
      To.insert(Found.begin(), Found.end());
    }
    auto Called = Functions.find(Word);
    if (!isBefore(File, I, "(") || Called == Functions.end())
      continue;
    for (const auto &[Number, Callee] : Called->second)
      if (Visible.has(Number))
        if (const std::optional<std::string> Text = textOf(Callee, Number))
          To.insert(hash16(*Text));
  }
}

void Macros::addDecider(StringRef Function, Asks What, const Scope &Visible,
                        std::set<uint16_t> &To) const {
  auto Known = Functions.find(Function);
  if (Known == Functions.end())
    return;
  auto [Found, New] = Visible.Deciders[unsigned(What)].try_emplace(Function);
  if (New) {
    std::set<StringRef> Scopes;
    std::set<uint16_t> Hashes;
    for (const auto &[Number, F] : Known->second) {
      if (!Visible.has(Number))
        continue;
      const SourceTokens &File = *Files[Number]->Tokens;
      Scopes.insert(F.Scope);
      if ((What == Asks::Place && F.IsNumber) ||
          (What == Asks::Setting && !isSetter(File, F)))
        continue;
      const std::optional<std::string> Text = textOf(F, Number);
      if (!Text)
        continue;
      Hashes.insert(hash16(*Text));
      addNamedIn(F, File, Visible, Hashes);
      if (What == Asks::Setting)
        for (uint32_t I = F.Opens + 1; I < File[F.Opens].End; ++I)
          if (isWord(File[I]) &&
              (isBefore(File, I, "=") || isJoint(File[I + 1])))
            Hashes.insert(hashOfSet(File[I].Text));
    }
    addUsings(Function, Scopes, Visible, Hashes);
    Found->second.assign(Hashes.begin(), Hashes.end());
  }
  To.insert(Found->second.begin(), Found->second.end());
}

//===-- Files -------------------------------------------------------------===//

/// One name for a file, however it is named.
static std::string realPath(StringRef Path) {
  SmallString<256> Result;
  return sys::fs::real_path(Path, Result) ? Path.str() : std::string(Result);
}

/// What the file \p Includer includes as \p Name; empty if it is not found.
static std::string findIncluded(StringRef Name, StringRef Includer) {
  for (StringRef Folder = sys::path::parent_path(Includer); !Folder.empty();
       Folder = sys::path::parent_path(Folder))
    for (StringRef Below : {"", "include"}) {
      SmallString<256> Path = Folder;
      sys::path::append(Path, Below, Name);
      if (!sys::fs::is_regular_file(Path))
        continue;
      return realPath(Path);
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

static StringRef takeName(StringRef &Line) {
  Line = Line.ltrim(" \t");
  const StringRef Name =
      Line.take_while([](char C) { return isAlnum(C) || C == '_'; });
  Line = Line.drop_front(Name.size());
  return Name;
}

void Macros::readConditional(StringRef Line, std::vector<Conditional> &Open) {
  StringRef Rest = Line;
  const StringRef Directive = takeName(Rest);
  if (Directive.starts_with("if"))
    Open.push_back({(Directive + " " + Rest).str(),
                    Directive == "ifndef" ? takeName(Rest) : StringRef()});
  else if (Open.empty())
    return;
  else if (Directive == "endif")
    Open.pop_back();
  else
    (Open.back().Asks += ' ') += Line;
}

void Macros::readDefinition(StringRef Line, unsigned Number, bool IsGone,
                            std::vector<Conditional> &Open) {
  const StringRef Name = takeName(Line);
  if (Name.empty())
    return;
  const bool IsGuard =
      !Open.empty() && Open.back().Guard == Name && Line.trim().empty();
  if (!Open.empty())
    Open.back().Guard = StringRef();
  if (IsGuard) {
    Open.back().Asks.clear();
    return;
  }
  std::string Conditions;
  for (const Conditional &C : Open)
    (Conditions += '\n') += C.Asks;
  Definitions[Name].push_back(
      {Number, IsGone ? StringRef() : Line, IsGone, std::move(Conditions)});
}

void Macros::read(unsigned Number) {
  File Read;
  if (sys::fs::is_regular_file(Paths[Number]))
    if (auto Buffer = MemoryBuffer::getFile(Paths[Number], /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false))
      Read.Text = std::move(*Buffer);
  if (Read.Text) {
    readDirectives(Number, Read.Text->getBuffer(), Read);
    Read.Tokens = std::make_unique<SourceTokens>(Read.Text->getBuffer());
    readConstants(Number, *Read.Tokens);
  }
  Files[Number] = std::move(Read);
}

void Macros::readDirectives(unsigned Number, StringRef Rest, File &Including) {
  std::vector<Conditional> Open;
  while (!Rest.empty()) {
    StringRef Line = Rest.take_front(directiveLength(Rest));
    Rest = Rest.drop_front(std::min(Line.size() + 1, Rest.size()));
    Line = Line.ltrim(" \t");
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim(" \t");
    if (Line.consume_front("define")) {
      readDefinition(Line, Number, /*IsGone=*/false, Open);
    } else if (Line.consume_front("undef")) {
      readDefinition(Line, Number, /*IsGone=*/true, Open);
    } else if (Line.starts_with("if") || Line.starts_with("el") ||
               Line.starts_with("endif")) {
      readConditional(Line, Open);
    } else if (Line.consume_front("include")) {
      Line = Line.ltrim(" \t");
      if (!Line.consume_front("\""))
        continue;
      const std::string Found =
          findIncluded(Line.split('"').first, Paths[Number]);
      if (!Found.empty() && Paths.size() < MaxFiles)
        Including.Includes.push_back(numberOf(Found));
    }
  }
}

Macros::Macros(ArrayRef<StringRef> Command) {
  std::string Text;
  for (size_t I = 0; I != Command.size(); ++I) {
    StringRef Word = Command[I];
    const bool Defines = Word.consume_front("-D");
    if (!Defines && !Word.consume_front("-U"))
      continue;
    if (Word.empty() && I + 1 != Command.size())
      Word = Command[++I];
    const auto [Name, Body] = Word.split('=');
    if (!Defines)
      Text += ("#undef " + Name + "\n").str();
    else
      Text +=
          ("#define " + Name + " " + (Word == Name ? "1" : Body) + "\n").str();
  }
  File Read;
  Read.Text = MemoryBuffer::getMemBufferCopy(Text);
  const unsigned Number = numberOf("");
  readDirectives(Number, Read.Text->getBuffer(), Read);
  Files[Number] = std::move(Read);
}

void Macros::readConstants(unsigned Number, const SourceTokens &Tokens) {
  for (NamedFunction &F : functionsIn(Tokens))
    Functions[F.Name].emplace_back(Number, std::move(F));
  for (NamedValue &C : constantsIn(Tokens))
    Constants[C.Name].emplace_back(Number, std::move(C));
  for (StringRef Namespace : namespacesUsedIn(Tokens))
    UsedNamespaces[Namespace].push_back(Number);
  for (const auto &[Class, Base] : basesIn(Tokens))
    Derived[Base].emplace_back(Number, Class);
  for (const auto &[Name, Namespace] : namesUsedIn(Tokens))
    UsedNames[Name].emplace_back(Number, Namespace);
}

const Macros::Scope &Macros::scopeOf(StringRef Path, StringRef Source) {
  auto [Known, New] = Scopes.try_emplace((Path + "\n" + Source).str());
  Scope &Result = Known->second;
  if (!New)
    return Result;
  SmallVector<unsigned, 16> Worklist = {numberOf(""), numberOf(realPath(Path))};
  if (!Source.empty())
    Worklist.push_back(numberOf(realPath(Source)));
  while (!Worklist.empty()) {
    const unsigned Number = Worklist.pop_back_val();
    if (Result.has(Number))
      continue;
    if (Number >= Result.Files.size())
      Result.Files.resize(Number + 1);
    Result.Files.set(Number);
    if (!Files[Number])
      read(Number);
    append_range(Worklist, Files[Number]->Includes);
  }
  return Result;
}
