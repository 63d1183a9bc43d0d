//===- Callsites/Constants.cpp - What names of a file stand for -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// What is longer is a table that grows.
static constexpr size_t MaxValues = 16;

namespace {

class ConstantReader {
public:
  explicit ConstantReader(const SourceTokens &File) : File(File) {}

  std::vector<NamedValue> read() {
    forEachStatement(
        [&](uint32_t S, StringRef Scope) { readStatement(S, Scope); });
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
    if (Begin >= End)
      return "";
    const char *Start = File[Begin].Text.begin();
    return StringRef(Start, File[End - 1].Text.end() - Start);
  }

  /// The token behind the bracket that closes the one at \p Open.
  uint32_t behind(uint32_t Open) const {
    unsigned Depth = 0;
    for (uint32_t I = Open; I != File.size(); ++I)
      if (opens(File[I]))
        ++Depth;
      else if (closes(File[I]) && --Depth == 0)
        return I + 1;
    return File.size();
  }

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
        return readBraced(I, Scope);
      if (T.is("="))
        return readVariables(I, Is.Last, Scope);
    }
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

  /// `int A{1};`, where the brace is at \p I.
  void readBraced(uint32_t I, StringRef Scope) {
    if (!File[I].is("{") || !I || !isWord(File[I - 1]) || File[I].End)
      return;
    if (const uint32_t End = behind(I); End < File.size() && File[End].is(";"))
      readValue(I - 1, I, End, Scope);
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
