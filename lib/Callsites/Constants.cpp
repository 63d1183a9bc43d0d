//===- Callsites/Constants.cpp - What names of a file stand for -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "Conditions.h"
#include "Locals.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>
#include <optional>
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// What is longer is a table that grows.
static constexpr size_t MaxValues = 16;

/// The token behind the bracket that closes the one at \p Open.
static uint32_t behindBracket(const SourceTokens &File, uint32_t Open) {
  unsigned Depth = 0;
  for (uint32_t I = Open; I != File.size(); ++I)
    if (opens(File[I]))
      ++Depth;
    else if (closes(File[I]) && --Depth == 0)
      return I + 1;
  return File.size();
}

/// The text of the tokens from \p Begin to \p End.
static StringRef sourceBetween(const SourceTokens &File, uint32_t Begin,
                               uint32_t End) {
  if (Begin >= End)
    return "";
  const char *Start = File[Begin].Text.begin();
  return StringRef(Start, File[End - 1].Text.end() - Start);
}

namespace {

/// Finds what functions set variables of the file, and members, to.
class SetReader {
public:
  /// \p ScopeOf tells of which namespace or class a variable is, and
  /// \p IsOfFunction whether a statement is in a function.
  SetReader(const SourceTokens &File,
            function_ref<StringRef(StringRef)> ScopeOf,
            function_ref<bool(uint32_t)> IsOfFunction)
      : File(File), ScopeOf(ScopeOf), IsOfFunction(IsOfFunction) {}

  std::vector<NamedValue> read(ArrayRef<NamedFunction> Functions) {
    for (const NamedFunction &F : Functions) {
      if (File[F.Closes + 1].is(":"))
        readInitializers(F);
      if (F.Name == F.Scope)
        readDefaults(F);
    }
    for (uint32_t I = 1; I < File.size(); ++I)
      if (File[I].is("=") && IsOfFunction(File[I].Statement))
        readSet(I);
      else if (File[I].is("(") && IsOfFunction(File[I].Statement))
        readCall(I);
    std::vector<NamedValue> Result;
    for (const auto &[Named, Values] : Sets) {
      if (Values.size() > MaxValues)
        continue;
      NamedValue C{Named.second, Named.first};
      C.IsSet = true;
      for (const auto &[Value, Conditions] : Values) {
        C.Values.push_back(Value);
        C.Conditions.push_back(Conditions);
      }
      Result.push_back(std::move(C));
    }
    return Result;
  }

private:
  /// Whether a statement may begin at the token \p I.
  bool begins(uint32_t I) const {
    const Token &Before = File[I - 1];
    return Before.is(";") || Before.is("{") || Before.is("}") ||
           Before.is(")") || Before.is(":") || Before.is(",") ||
           Before.is("else");
  }

  /// What is set by the sign `=` at \p Set.
  void readSet(uint32_t Set) {
    uint32_t Root = Set - 1, Member = 0;
    for (;; Root -= 2) {
      while (Root && File[Root].is("]"))
        while (Root && !File[Root--].is("["))
          ;
      if (Root < 2 || !isWord(File[Root]))
        return;
      if (!isJoint(File[Root - 1]))
        break;
      if (!Member && isMemberSign(File[Root - 1].Text))
        Member = Root;
    }
    if (!begins(Root))
      return;
    uint32_t End = Set + 1;
    while (End < File.size() && !File[End].is(";") && !File[End].is(","))
      End = opens(File[End]) ? behindBracket(File, End) : End + 1;
    const Locals Own(File, Set);
    const bool IsNothing =
        End == Set + 2 && meantText(File[Set + 1]) == "nullptr";
    if (IsNothing || !areChoices(Set + 1, End, Own))
      return;
    if (Member)
      addTo("member", File[Member].Text, Member + 1, End);
    if (!File[Root].is("this"))
      add(Root, Root + 1, End, Own);
  }

  /// `init(&Cold, Grid);` or `Cold.init(Grid);`, with the parenthesis at
  /// \p Open.
  void readCall(uint32_t Open) {
    const uint32_t End = behindBracket(File, Open);
    if (Open < 2 || !isWord(File[Open - 1]) || isControl(File[Open - 1]) ||
        End >= File.size() || !File[End].is(";"))
      return;
    const bool IsMethod = Open > 3 && isMemberSign(File[Open - 2].Text);
    const uint32_t First = IsMethod ? Open - 3 : Open - 1;
    if (!isWord(File[First]) || !begins(First))
      return;
    const Locals Own(File, Open);
    if (!areChoices(Open + 1, End - 1, Own))
      return;
    if (IsMethod)
      return add(First, First + 1, End, Own);
    bool HasSeveral = false;
    for (uint32_t I = Open + 1; I < End - 1; ++I)
      HasSeveral |= File[I].is(",");
    for (uint32_t I = Open + 1; HasSeveral && I < End - 1; ++I)
      if (File[I].is("&") && isWord(File[I + 1]) &&
          (File[I - 1].is("(") || File[I - 1].is(",")))
        add(I + 1, Open, End, Own);
  }

  /// `Job() : To(Grid) {}`
  void readInitializers(const NamedFunction &F) {
    const Locals Own(File, F.Opens + 1);
    for (uint32_t I = F.Closes + 1; I + 1 < F.Opens; ++I) {
      if (!isWord(File[I]) || !opens(File[I + 1]))
        continue;
      const uint32_t End = behindBracket(File, I + 1);
      if (areChoices(I + 2, End - 1, Own))
        addTo(F.Scope, File[I].Text, I + 1, End);
      I = End - 1;
    }
  }

  /// `explicit Job(char **To = Grid)`
  void readDefaults(const NamedFunction &F) {
    const Locals Own(File, F.Opens + 1);
    for (uint32_t P : F.Parameters) {
      uint32_t End = P + 2;
      while (End < F.Closes && !File[End].is(","))
        End = opens(File[End]) ? behindBracket(File, End) : End + 1;
      if (File[P + 1].is("=") && areChoices(P + 2, End, Own))
        addTo(F.Scope, F.Name, P, End);
    }
  }

  /// Adds the text from \p Begin to \p End as a value of the variable at
  /// \p Name, unless that is of the function.
  void add(uint32_t Name, uint32_t Begin, uint32_t End, const Locals &Own) {
    if (!Own.declaration(File[Name].Text, Begin))
      addTo(ScopeOf(File[Name].Text), File[Name].Text, Begin, End);
  }

  void addTo(StringRef Scope, StringRef Name, uint32_t Begin, uint32_t End) {
    Sets[{Scope, Name}].emplace(sourceBetween(File, Begin, End),
                                join(conditionsAt(File, Begin), "\n"));
  }

  /// Whether the tokens from \p Begin to \p End are the same wherever they
  /// stand, and choose something: a place or a number.
  bool areChoices(uint32_t Begin, uint32_t End, const Locals &Own) const {
    constexpr uint32_t MaxTokens = 16;
    if (Begin >= End || End - Begin > MaxTokens)
      return false;
    for (uint32_t I = Begin; I < End; ++I) {
      const Token &T = File[I];
      bool IsSign = isJoint(T) || T.Is == Token::Kind::Number;
      for (StringRef Sign : {"&", "*", "[", "]", "{", "}", ",", "-", "|", "~"})
        IsSign |= T.is(Sign);
      if (IsSign)
        continue;
      if (!isWord(T) || T.is("new") || T.is("sizeof"))
        return false;
      if (!isMemberSign(File[I - 1].Text) && Own.declaration(T.Text, I))
        return false;
    }
    return true;
  }

  const SourceTokens &File;
  const function_ref<StringRef(StringRef)> ScopeOf;
  const function_ref<bool(uint32_t)> IsOfFunction;
  /// By scope and name, the values and their conditions.
  std::map<std::pair<StringRef, StringRef>,
           std::set<std::pair<StringRef, std::string>>>
      Sets;
};

class ConstantReader {
public:
  explicit ConstantReader(const SourceTokens &File) : File(File) {}

  std::vector<NamedValue> read() {
    forEachStatement(
        [&](uint32_t S, StringRef Scope) { readStatement(S, Scope); });
    readSets();
    return std::move(Result);
  }

  std::vector<NamedFunction> readFunctions() {
    std::vector<NamedFunction> Functions;
    forEachStatement([&](uint32_t S, StringRef Scope) {
      if (std::optional<NamedFunction> F = functionOf(S, Scope))
        Functions.push_back(std::move(*F));
    });
    return Functions;
  }

private:
  /// Visits those of namespaces and classes.
  void forEachStatement(function_ref<void(uint32_t, StringRef)> Visit) {
    for (uint32_t I = 0; I != File.size(); ++I) {
      const uint32_t S = File[I].Statement;
      if (File.statement(S).First != I)
        continue;
      if (const std::optional<StringRef> Scope =
              scopeOf(File.statement(S).Outer))
        Visit(S, *Scope);
    }
  }

  /// Whether the tokens from \p Begin to \p End name a type of numbers.
  bool isNumber(uint32_t Begin, uint32_t End) const {
    bool Any = false;
    for (uint32_t I = Begin; I != End; ++I) {
      if (File[I].is("*") || File[I].is("&"))
        return false;
      for (StringRef Number : {"bool", "char", "short", "int", "long",
                               "unsigned", "float", "double", "size_t"})
        Any |= File[I].is(Number);
    }
    return Any;
  }

  /// The function that the statement \p S defines: behind its name stands the
  /// first parenthesis that belongs to no attribute.
  std::optional<NamedFunction> functionOf(uint32_t S, StringRef Scope) const {
    const Statement &Is = File.statement(S);
    if (Is.Opens == Statement::None)
      return std::nullopt;
    for (uint32_t I = Is.First; I + 1 < Is.Opens; ++I) {
      const Token &T = File[I];
      if (T.is("operator"))
        return operatorOf(S, I, Scope);
      if (T.is("=") || T.is("namespace") || T.is("enum"))
        return std::nullopt;
      if (!isWord(T) || !File[I + 1].is("("))
        continue;
      const uint32_t Close = behind(I + 1);
      if (T.is("__attribute__") || T.is("alignas") || T.is("decltype") ||
          T.is("explicit") || T.is("noexcept")) {
        I = Close - 1;
        continue;
      }
      return functionNamed(T.Text, S, I + 1, Scope);
    }
    return std::nullopt;
  }

  /// What has its parameters behind the parenthesis \p Open.
  std::optional<NamedFunction> functionNamed(StringRef Name, uint32_t S,
                                             uint32_t Open,
                                             StringRef Scope) const {
    const Statement &Is = File.statement(S);
    const uint32_t Close = behind(Open);
    if (Close > Is.Opens)
      return std::nullopt;
    NamedFunction F{Name,      Scope,    {},
                    Close - 1, Is.Opens, isNumber(Is.First, Open - 1)};
    for (uint32_t P = Open + 1; P < Close; ++P)
      if (isWord(File[P]) && declares(File, P))
        F.Parameters.push_back(P);
    return F;
  }

  /// The operator behind the word \p I, if it is one that is looked at.
  std::optional<NamedFunction> operatorOf(uint32_t S, uint32_t I,
                                          StringRef Scope) const {
    const uint32_t Opens = File.statement(S).Opens;
    std::string Signs;
    uint32_t Open = I + 1;
    do
      Signs += File[Open++].Text;
    while (Open < Opens && (!File[Open].is("(") || Signs == "("));
    const StringRef Name = operatorName(Signs);
    if (Name.empty() || Open >= Opens)
      return std::nullopt;
    return functionNamed(Name, S, Open, Scope);
  }

  /// The name of the namespace or class that the statement \p S is; nothing if
  /// it is something else, or in a function.
  std::optional<StringRef> scopeOf(uint32_t S) {
    if (S == Statement::None)
      return StringRef();
    if (S == KnownStatement)
      return KnownScope;
    KnownStatement = S;
    KnownScope = readScope(S);
    return KnownScope;
  }

  std::optional<StringRef> readScope(uint32_t S) const {
    const Statement &Is = File.statement(S);
    std::optional<StringRef> Name;
    for (uint32_t I = Is.First; I < Is.Opens && I <= Is.Last; ++I) {
      const Token &T = File[I];
      if (T.is("(") || T.is("=") || T.is("enum"))
        return std::nullopt;
      if (T.is("namespace") || T.is("class") || T.is("struct") ||
          T.is("extern"))
        Name = StringRef();
      else if (Name && T.is(":"))
        break;
      else if (Name && isWord(T) && !T.is("final"))
        Name = T.Text;
    }
    // What is in a function is not seen from elsewhere.
    for (uint32_t Outer = Is.Outer; Name && Outer != Statement::None;
         Outer = File.statement(Outer).Outer)
      if (!readScopeWord(Outer))
        return std::nullopt;
    return Name;
  }

  bool isEnum(uint32_t S) const {
    const Statement &Is = File.statement(S);
    for (uint32_t I = Is.First; I < Is.Opens && I <= Is.Last; ++I)
      if (File[I].is("enum"))
        return true;
    return false;
  }

  /// Whether the statement \p S is a namespace or a class.
  bool readScopeWord(uint32_t S) const {
    const Statement &Is = File.statement(S);
    for (uint32_t I = Is.First; I < Is.Opens && I <= Is.Last; ++I)
      if (File[I].is("namespace") || File[I].is("class") ||
          File[I].is("struct") || File[I].is("extern"))
        return true;
    return false;
  }

  StringRef textBetween(uint32_t Begin, uint32_t End) const {
    return sourceBetween(File, Begin, End);
  }
  uint32_t behind(uint32_t Open) const { return behindBracket(File, Open); }

  /// The next comma outside of brackets, or \p End.
  uint32_t endOfPart(uint32_t I, uint32_t End) const {
    while (I < End && !File[I].is(","))
      I = opens(File[I]) ? std::min(behind(I), End) : I + 1;
    return I;
  }

  void readStatement(uint32_t S, StringRef Scope) {
    const Statement &Is = File.statement(S);
    for (uint32_t I = Is.First; I <= Is.Last; ++I) {
      const Token &T = File[I];
      if (T.is("enum"))
        return readEnum(I, Scope);
      if (T.is("using") || T.is("typedef"))
        return readAlias(S, Scope);
      if (T.is("(") && I + 2 < Is.Last &&
          (File[I + 1].is("*") || File[I + 1].is("&")))
        return readPointer(I + 2, Is.Last, Scope);
      // `public: int A = 1;`
      if (T.is(":") && I == Is.First + 1)
        continue;
      if (T.is("template") && I < Is.Last && File[I + 1].is("<")) {
        I = closingAngle(I + 1, Is.Last);
        continue;
      }
      if (T.is("operator") || T.is("(") || T.is("{") || T.is(":"))
        return readBraced(I, Is.Last, Scope);
      if (T.is("="))
        return readVariables(I, Is.Last, Scope);
    }
    readZero(S, Scope);
  }

  /// `static unsigned Head;` of a namespace.
  void readZero(uint32_t S, StringRef Scope) {
    const Statement &Is = File.statement(S);
    if (Is.Last < Is.First + 2 || !File[Is.Last].is(";") ||
        File[Is.First].is("extern") || !isNumber(Is.First, Is.Last - 1) ||
        !declares(File, Is.Last - 1))
      return;
    for (uint32_t Outer = Is.Outer; Outer != Statement::None;
         Outer = File.statement(Outer).Outer)
      if (const Token &First = File[File.statement(Outer).First];
          !First.is("namespace") && !First.is("inline") && !First.is("extern"))
        return;
    Result.push_back({File[Is.Last - 1].Text, Scope, {"0"}});
  }

  void readSets() {
    auto ScopeOf = [&](StringRef Name) { return scopeOfVariable(Name); };
    auto IsOfFunction = [&](uint32_t S) {
      const uint32_t Outer = File.statement(S).Outer;
      return !scopeOf(Outer) && !isEnum(Outer);
    };
    append_range(Result,
                 SetReader(File, ScopeOf, IsOfFunction).read(readFunctions()));
  }

  /// The namespace or class that declares the variable \p Name, if it is of
  /// one in this file.
  StringRef scopeOfVariable(StringRef Name) {
    for (uint32_t I : File.declarationsOf(Name))
      if (const std::optional<StringRef> Scope =
              scopeOf(File.statement(File[I].Statement).Outer);
          Scope && !Scope->empty())
        return *Scope;
    return StringRef();
  }

  /// The sign that closes the `<` at \p Open, or \p Last.
  uint32_t closingAngle(uint32_t Open, uint32_t Last) const {
    unsigned Depth = 0;
    for (uint32_t I = Open; I < Last; ++I)
      if (File[I].is("<"))
        ++Depth;
      else if (File[I].is(">") && --Depth == 0)
        return I;
    return Last;
  }

  void readEnum(uint32_t I, StringRef Scope) {
    constexpr uint32_t MaxHead = 8;
    const uint32_t Enum = I;
    while (I < File.size() && !File[I].is("{"))
      if (File[I].is(";") || I++ == Enum + MaxHead)
        return;
    if (I >= File.size())
      return;
    const uint32_t End = behind(I) - 1;
    size_t First = Result.size();
    for (++I; I < End;) {
      const uint32_t Next = endOfPart(I, End);
      if (isWord(File[I]))
        readEnumerator(I, Next, Scope, First);
      I = Next + 1;
    }
  }

  /// Reads the enumerator \p I. The value of those from \p First on is told by
  /// their order and that of the first one.
  void readEnumerator(uint32_t I, uint32_t End, StringRef Scope,
                      size_t &First) {
    NamedValue C{File[I].Text, Scope};
    if (I + 1 < End && File[I + 1].is("=")) {
      First = Result.size();
      C.Values.push_back(textBetween(I + 2, End));
    } else if (First != Result.size()) {
      if (Result.size() - First >= MaxValues)
        return;
      C.Values = Result[First].Values;
      for (NamedValue &Other : MutableArrayRef(Result).drop_front(First)) {
        C.Behind.push_back(Other.Name);
        if (&Other != &Result[First] || Other.Values.empty())
          Other.InFrontOf.push_back(C.Name);
      }
    }
    Result.push_back(std::move(C));
  }

  /// `using Name = T;` or `typedef T Name;` of a namespace.
  void readAlias(uint32_t S, StringRef Scope) {
    const Statement &Is = File.statement(S);
    const uint32_t First = Is.First;
    if (Is.Opens != Statement::None || Is.Last < First + 3 ||
        !File[Is.Last].is(";"))
      return;
    if (File[First].is("using") && File[First + 2].is("="))
      Result.push_back(
          {File[First + 1].Text, Scope, {textBetween(First + 3, Is.Last)}});
    else if (File[First].is("typedef") && isWord(File[Is.Last - 1]))
      Result.push_back({File[Is.Last - 1].Text,
                        Scope,
                        {textBetween(First + 1, Is.Last - 1)}});
  }

  /// `int A{1}, B{2};` or `Rows A(Grid, 1);`, where the first bracket is at
  /// \p Open.
  void readBraced(uint32_t Open, uint32_t Last, StringRef Scope) {
    if (File[Open].is("(") && (!Open || !declares(File, Open - 1)))
      return;
    while (Open && Open < Last && isWord(File[Open - 1])) {
      const uint32_t End = behind(Open);
      const bool IsValue = File[Open].is("(")
                               ? areValues(Open + 1, End - 1)
                               : File[Open].is("{") && !File[Open].End;
      if (!IsValue || End > Last || (!File[End].is(";") && !File[End].is(",")))
        return;
      readValue(Open - 1, Open, End, Scope);
      for (Open = End; Open < Last && !opens(File[Open]);)
        ++Open;
    }
  }

  /// Whether what is in parentheses are no types, as in the declaration of a
  /// function.
  bool areValues(uint32_t Begin, uint32_t End) const {
    for (uint32_t I = Begin; I < End; ++I)
      if (isWord(File[I]) && File.declarationsOf(File[I].Text).empty())
        return false;
    return Begin < End;
  }

  /// `int (*const A[])(int) = {f, g};`, `int (&A)[2] = B;`
  void readPointer(uint32_t Name, uint32_t Last, StringRef Scope) {
    while (Name < Last && (File[Name].is("const") || File[Name].is("volatile")))
      ++Name;
    uint32_t I = Name;
    while (I < Last && !File[I].is("=") && !File[I].is("{"))
      ++I;
    if (File[I].is("="))
      readValue(Name, I + 1, Last, Scope);
  }

  /// `int A = 1, *B[] = {a, b};`, with the first sign at \p Set.
  void readVariables(uint32_t Set, uint32_t Last, StringRef Scope) {
    for (uint32_t I = Set; I < Last;) {
      const uint32_t End = endOfPart(I, Last);
      uint32_t Name = I;
      if (File[I].is("=")) {
        // In front of its size.
        while (Name && File[Name - 1].is("]"))
          while (Name && !File[--Name].is("["))
            ;
        if (Name && isWord(File[Name - 1]))
          readValue(Name - 1, I + 1, End, Scope);
      }
      I = End;
      while (I < Last && !File[I].is("="))
        ++I;
    }
  }

  /// The variable \p Name with the value from \p Begin to \p End.
  void readValue(uint32_t Name, uint32_t Begin, uint32_t End, StringRef Scope) {
    NamedValue C{File[Name].Text, Scope};
    if (!File[Begin].is("{") || behind(Begin) != End) {
      C.Values.push_back(textBetween(Begin, End));
    } else {
      for (uint32_t I = Begin + 1; I < End - 1;) {
        const uint32_t Next = endOfPart(I, End - 1);
        C.Values.push_back(textBetween(I, Next));
        if (C.Values.size() > MaxValues)
          return;
        I = Next + 1;
      }
    }
    Result.push_back(std::move(C));
  }

  const SourceTokens &File;
  uint32_t KnownStatement = Statement::None;
  std::optional<StringRef> KnownScope;
  std::vector<NamedValue> Result;
};

} // namespace

std::vector<NamedValue> callsites::constantsIn(const SourceTokens &File) {
  return ConstantReader(File).read();
}

std::vector<NamedFunction> callsites::functionsIn(const SourceTokens &File) {
  return ConstantReader(File).readFunctions();
}

StringRef callsites::operatorName(StringRef Signs) {
  return StringSwitch<StringRef>(Signs)
      .Case("=", "operator=")
      .Case("+=", "operator+=")
      .Case("-=", "operator-=")
      .Case("|=", "operator|=")
      .Case("&=", "operator&=")
      .Case("^=", "operator^=")
      .Case("<<", "operator<<")
      .Case(">>", "operator>>")
      .Case("[]", "operator[]")
      .Case("()", "operator()")
      .Case("*", "operator*")
      .Case("->", "operator->")
      .Case("bool", "operator bool")
      .Default("");
}

StringRef callsites::operatorOfPlace(const Token &Sign) {
  if (Sign.is("["))
    return operatorName("[]");
  if (Sign.is("("))
    return operatorName("()");
  return Sign.is("*") || Sign.is("->") ? operatorName(Sign.Text) : "";
}

std::vector<StringRef> callsites::namespacesUsedIn(const SourceTokens &File) {
  std::vector<StringRef> Result;
  for (uint32_t I : File.placesOf("using"))
    if (I + 2 < File.size() && File[I + 1].is("namespace"))
      Result.push_back(File[I + 2].Text);
  return Result;
}

std::vector<std::pair<StringRef, StringRef>>
callsites::basesIn(const SourceTokens &File) {
  std::vector<std::pair<StringRef, StringRef>> Result;
  for (StringRef Key : {"class", "struct"})
    for (uint32_t I : File.placesOf(Key)) {
      const Statement &Is = File.statement(File[I].Statement);
      uint32_t Colon = I + 1;
      while (Colon < Is.Opens && Colon < Is.Last && !File[Colon].is(":"))
        ++Colon;
      if (Is.First != I || Is.Opens == Statement::None || Colon >= Is.Opens)
        continue;
      // In front of `final`
      const uint32_t Name = Colon - (File[Colon - 1].is("final") ? 2 : 1);
      for (uint32_t Base = Colon + 1; Base < Is.Opens; ++Base)
        if (isWord(File[Base]) && !isCommonWord(File[Base].Text))
          Result.emplace_back(File[Name].Text, File[Base].Text);
    }
  return Result;
}

std::vector<std::pair<StringRef, StringRef>>
callsites::namesUsedIn(const SourceTokens &File) {
  std::vector<std::pair<StringRef, StringRef>> Result;
  for (uint32_t I : File.placesOf("using")) {
    const uint32_t Last = File.statement(File[I].Statement).Last;
    if (File.statement(File[I].Statement).First == I && Last > I + 3 &&
        File[Last].is(";") && File[Last - 2].is("::") && isWord(File[Last - 1]))
      Result.emplace_back(File[Last - 1].Text, File[Last - 3].Text);
  }
  return Result;
}
