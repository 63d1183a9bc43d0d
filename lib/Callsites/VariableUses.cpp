//===- Callsites/VariableUses.cpp - What a statement does with it ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VariableUses.h"
#include "Conditions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

using Kind = VariableUse::Kind;

static bool isComparison(const Token &T) {
  for (StringRef Sign : {"==", "!=", "<=", ">=", "<", ">"})
    if (T.is(Sign))
      return true;
  return false;
}
static bool isReturn(const Token &T) {
  return T.is("return") || T.is("co_return") || T.is("co_yield") ||
         T.is("throw");
}

/// Functions that copy what an object has in it.
static bool isCopying(StringRef Function) {
  static const StringSet<> Known = {"bcopy", "copy", "memcpy", "memmove",
                                    "mempcpy"};
  return Known.contains(Function);
}

/// Functions that do not keep what they get.
static bool isHarmless(StringRef Function) {
  static const StringSet<> Known = {
      "assert",  "bzero",   "decltype", "delete",   "alignof",   "fprintf",
      "fputs",   "fread",   "free",     "fwrite",   "memchr",    "memcmp",
      "memset",  "printf",  "puts",     "snprintf", "sizeof",    "sprintf",
      "strcat",  "strchr",  "strcmp",   "strcpy",   "strlcpy",   "strlen",
      "strncat", "strncmp", "strncpy",  "typeof",   "vsnprintf", "vfprintf",
      "fill",    "likely",  "unlikely", "perror",   "catch"};
  return Known.contains(Function) || isCopying(Function);
}

/// Functions that hand on what they get.
static bool isHandingOn(StringRef Function) {
  static const StringSet<> Known = {
      "move",         "forward",          "static_cast",
      "const_cast",   "reinterpret_cast", "bit_cast",
      "dynamic_cast", "launder",          "__builtin_expect",
      "as_const"};
  return Known.contains(Function);
}

static bool isExchange(StringRef Function) {
  return Function == "swap" || Function == "exchange" ||
         Function == "iter_swap";
}

/// What fills or asks the object that a variable is, and gives it to nobody.
static bool isOwnMatter(StringRef Method) {
  static const StringSet<> Known = {
      "append",       "assign",        "at",
      "capacity",     "clear",         "contains",
      "count",        "empty",         "emplace",
      "emplace_back", "emplace_front", "erase",
      "find",         "insert",        "length",
      "pop_back",     "push",          "push_back",
      "push_front",   "reserve",       "reset",
      "resize",       "shrink_to_fit", "size",
      "substr",       "compare",       "starts_with",
      "ends_with"};
  return Known.contains(Method);
}

/// Whether it is a method of containers that takes an element.
static bool isAdding(StringRef Method) {
  return Method == "push_back" || Method == "emplace_back" ||
         Method == "emplace" || Method == "insert";
}

//===-- Text --------------------------------------------------------------===//

using Numbers = ArrayRef<uint32_t>;

/// If a cast begins at \p I, the number of its last token: `(T *)`, `<T>`
/// behind static_cast.
static size_t endOfCast(const SourceTokens &File, Numbers Tokens, size_t I) {
  const bool IsOld = File[Tokens[I]].is("(");
  if (!IsOld && !File[Tokens[I]].is("<"))
    return I;
  if (I) {
    const Token &Before = File[Tokens[I - 1]];
    if (IsOld ? isWord(Before) || Before.is(")") || Before.is("]") ||
                    Before.is(">")
              : !isHandingOn(Before.Text))
      return I;
  }
  for (size_t End = I + 1; End < Tokens.size(); ++End) {
    const Token &T = File[Tokens[End]];
    if (IsOld && T.is(")")) {
      const bool IsBeforeOperand =
          End + 1 < Tokens.size() &&
          (isWord(File[Tokens[End + 1]]) || File[Tokens[End + 1]].is("&") ||
           File[Tokens[End + 1]].is("("));
      return IsBeforeOperand && End != I + 1 ? End : I;
    }
    if (IsOld && !isWord(T) && !T.is("*") && !T.is("::"))
      return I;
    if (!IsOld && T.is(">"))
      return End;
  }
  return I;
}

/// The number of the bracket in \p Tokens that closes the one at \p Open, or of
/// the last token.
static size_t closingIn(const SourceTokens &File, Numbers Tokens, size_t Open) {
  unsigned Depth = 0;
  for (size_t I = Open; I != Tokens.size(); ++I) {
    if (opens(File[Tokens[I]]))
      ++Depth;
    else if (closes(File[Tokens[I]]) && --Depth == 0)
      return I;
  }
  return Tokens.size() - 1;
}

/// The text of \p Tokens, in which \p Names are all alike. Adds the words that
/// it has as they are to \p Words.
static std::string textOf(const SourceTokens &File, Numbers Tokens,
                          const HolderNames &Names, IsDefined IsOwn,
                          SmallVectorImpl<uint32_t> &Words) {
  std::string Text;
  // `move(p)` is `p`.
  bool IsHandedOn = false;
  SmallVector<size_t, 4> Closers;
  for (size_t I = 0; I != Tokens.size(); ++I) {
    if (const size_t End = endOfCast(File, Tokens, I); End != I) {
      I = End;
      continue;
    }
    const Token &T = File[Tokens[I]];
    const Token *Before = I ? &File[Tokens[I - 1]] : nullptr;
    if (std::exchange(IsHandedOn, false) && T.is("(")) {
      Closers.push_back(closingIn(File, Tokens, I));
      continue;
    }
    if (is_contained(Closers, I) ||
        (T.is("::") && Before && isCommonWord(Before->Text)))
      continue;
    std::string Spelled = T.Text.str();
    if (isWord(T)) {
      const bool IsMember = Before && (Before->is(".") || Before->is("->"));
      if (isCommonWord(T.Text))
        continue;
      if (!IsMember && isHandingOn(T.Text) && !IsOwn(T.Text)) {
        IsHandedOn = true;
        continue;
      }
      const bool IsName = !IsMember && Names.All.contains(T.Text);
      if (IsName)
        Spelled = spelled(T.Text, Names.All);
      else if (isAdding(T.Text) && !IsOwn(T.Text))
        Spelled = "push";
      if (Spelled == T.Text || (IsName && Names.Inside.contains(T.Text)))
        Words.push_back(Tokens[I]);
    }
    (Text += Spelled) += '\n';
  }
  return Text;
}

//===-- One use -----------------------------------------------------------===//

namespace {

class UseReader {
public:
  UseReader(const SourceTokens &File, const Locals &Variables, uint32_t Place,
            const HolderNames &Names, IsDefined IsOwn)
      : File(File), Variables(Variables), Place(Place), Names(Names),
        IsOwn(IsOwn) {
    const uint32_t S = File[Place].Statement;
    const Statement &Is = File.statement(S);
    File.forEachOwn(S, Is.First, Is.Last + 1,
                    [&](uint32_t I) { Own.push_back(I); });
    Begin = lower_bound(Own, Place) - Own.begin();
    End = Begin + 1;
  }

  VariableUse read() {
    bool GoesOn = readBehind() && readInFront();
    while (GoesOn)
      GoesOn = goOut();
    return std::move(Result);
  }

private:
  const Token &token(size_t I) const { return File[Own[I]]; }
  bool has(size_t I, StringRef Text) const {
    return I < Own.size() && token(I).is(Text);
  }
  Numbers range(size_t From, size_t To) const {
    return Numbers(Own).slice(From, To - From);
  }

  void add(Kind Is, std::string Text, StringRef Taker = "") {
    // What is read is other memory.
    if (IsThrough && Is != Kind::Exchanged)
      Is = Kind::Taken;
    Result.Goals.push_back({Is, std::move(Text), IsThrough, Taker});
  }
  std::string text(Numbers Tokens) {
    return textOf(File, Tokens, Names, IsOwn, Result.Words);
  }
  std::string text(size_t From, size_t To) { return text(range(From, To)); }
  /// What is read of the variable.
  std::string readText() { return IsPlain ? "" : text(Begin, End); }

  /// The bracket that closes the one at \p Open, or the end.
  size_t closing(size_t Open) const {
    unsigned Depth = 0;
    for (size_t I = Open; I != Own.size(); ++I) {
      if (opens(token(I)))
        ++Depth;
      else if (closes(token(I)) && --Depth == 0)
        return I;
    }
    return Own.size() - 1;
  }
  /// The bracket that opens the one closed at \p Close.
  size_t opening(size_t Close) const {
    unsigned Depth = 0;
    for (size_t I = Close + 1; I-- != 0;) {
      if (closes(token(I)))
        ++Depth;
      else if (opens(token(I)) && --Depth == 0)
        return I;
    }
    return 0;
  }

  //===-- The operand -----------------------------------------------------===//

  /// Takes members, elements and calls behind the operand into it. Returns
  /// whether its value goes on.
  bool readBehind() {
    while (End < Own.size()) {
      const Token &T = token(End);
      if ((T.is(".") || T.is("->")) && End + 1 < Own.size()) {
        IsThrough |= T.is("->");
        IsPlain = false;
        End += 2;
        if (has(End, "(") && !readOwnMethod())
          return false;
      } else if (T.is("[")) {
        IsThrough = true;
        IsPlain = false;
        End = closing(End) + 1;
      } else if (T.is("(")) {
        if (!readOwnMethod())
          return false;
      } else if (T.is("++") || T.is("--")) {
        ++End;
      } else {
        break;
      }
    }
    return true;
  }

  /// Reads the arguments at End of a method of the variable.
  bool readOwnMethod() {
    const StringRef Method = token(End - 1).Text;
    const size_t Close = closing(End);
    IsPlain = false;
    if (isExchange(Method)) {
      Result.Goals.push_back({Kind::Exchanged, text(End - 1, Close), false});
      return false;
    }
    if (isOwnMatter(Method) && !IsOwn(Method))
      return false;
    // `p->addTo(Grid)`, `p->publish();`
    const bool IsAlone =
        has(Close + 1, ";") && (Begin == 0 || has(Begin - 1, ")") ||
                                has(Begin - 1, "else") || has(Begin - 1, ":"));
    if (hasOther(End, Close) || (IsAlone && IsOwn(Method))) {
      add(Kind::Taken, text(Begin, Close), Method);
      Result.Deciders.push_back(Method);
      Result.IsCall = true;
    }
    IsResult = true;
    End = Close + 1;
    return true;
  }

  bool isOperand(size_t I) const {
    const Token &T = token(I);
    if (T.is("]") || T.Is == Token::Kind::Number || T.Is == Token::Kind::String)
      return true;
    if (T.is(")"))
      return !isCast(I);
    return isWord(T) && !isReturn(T) && !isControl(T);
  }
  /// Whether the parenthesis \p Close closes a type.
  bool isCast(size_t Close) const {
    const size_t Open = opening(Close);
    if (Open + 1 >= Close)
      return false;
    if (Open &&
        (isWord(token(Open - 1)) || has(Open - 1, ">") || has(Open - 1, ")") ||
         has(Open - 1, "]")) &&
        !isReturn(token(Open - 1)))
      return false;
    return all_of(range(Open + 1, Close), [&](uint32_t I) {
      const Token &T = File[I];
      return isWord(T) || T.is("*") || T.is("::") || T.is("&");
    });
  }

  /// Takes casts, `*` and `&` in front of the operand into it. Returns whether
  /// its value goes on.
  bool readInFront() {
    while (Begin) {
      const Token &T = token(Begin - 1);
      const bool IsUnary = Begin == 1 || !isOperand(Begin - 2);
      if (T.is("!"))
        return false;
      if (T.is("++") || T.is("--"))
        --Begin;
      else if (IsUnary && T.is("*")) {
        IsThrough = true;
        IsPlain = false;
        --Begin;
      } else if (IsUnary && T.is("&")) {
        IsThrough = false;
        IsLent = IsPlain;
        --Begin;
      } else if (T.is(")") && isCast(Begin - 1))
        Begin = opening(Begin - 1);
      else
        break;
    }
    return true;
  }

  //===-- What it stands in -----------------------------------------------===//

  /// Whether the operand is only compared.
  bool isAsked() const {
    for (size_t I = End; I < Own.size(); ++I) {
      const Token &T = token(I);
      if (opens(T)) {
        I = closing(I);
        continue;
      }
      // `p ?: q`
      if (T.is("?") && has(I + 1, ":"))
        return false;
      if (T.is("?") || T.is("&&") || T.is("||") || isComparison(T))
        return true;
      if (closes(T) || T.is(",") || T.is(";") || T.is(":") || T.is("="))
        break;
    }
    return Begin && (has(Begin - 1, "&&") || has(Begin - 1, "||") ||
                     (isComparison(token(Begin - 1)) && !isTypeEnd(Begin - 1)));
  }
  /// Whether `>` ends the type of a declaration or the like.
  bool isTypeEnd(size_t I) const {
    return has(I, ">") && I && isWord(token(I - 1)) && templateBegin(I) != I;
  }
  /// Where the `<` of `f<T>` stands; \p Close if it is no such thing.
  size_t templateBegin(size_t Close) const {
    unsigned Depth = 0;
    for (size_t I = Close + 1; I-- != 0;) {
      const Token &T = token(I);
      if (T.is(">"))
        ++Depth;
      else if (T.is("<") && --Depth == 0)
        return I;
      else if (T.is(")") && Depth && opening(I))
        I = opening(I);
      else if (!isWord(T) && !T.is("::") && !T.is("*") && !T.is(",") &&
               T.Is != Token::Kind::Number && !T.is("&"))
        break;
    }
    return Close;
  }

  /// Goes to what the operand stands in. Returns whether its value goes on
  /// there.
  bool goOut() {
    if (isStreamed())
      return false;
    if (isAsked())
      return false;
    for (size_t I = Begin; I-- != 0;) {
      const Token &T = token(I);
      if (closes(T)) {
        const size_t Open = opening(I);
        // `if (a) f(p);`
        if (Open && isControl(token(Open - 1)))
          return readStatement(I + 1);
        I = Open;
        continue;
      }
      if (isReturn(T)) {
        if (IsPlain && !IsResult)
          add(Kind::Returned, "");
        else
          add(Kind::Stored, "return\n" + readText());
        return false;
      }
      if (isAssignment(I))
        return assign(I);
      if (T.is(";") || T.is("else") || T.is("do"))
        return readStatement(I + 1);
      if (opens(T))
        return goOutOf(I);
    }
    return readStatement(0);
  }

  bool isAssignment(size_t I) const {
    return token(I).is("=") || token(I).is("+=") || token(I).is("|=");
  }

  /// Whether the word \p I is the name of a stream to print to.
  bool isStream(uint32_t I) const {
    const StringRef Name = File[I].Text;
    if (Name == "cout" || Name == "cerr" || Name == "clog")
      return true;
    const std::set<StringRef> Classes = Variables.classesOf(Name, Place);
    if (Classes.empty() && !IsOwn(operatorName("<<")))
      return Name == "os" || Name == "OS" || Name == "out" || Name == "Out";
    return any_of(Classes,
                  [](StringRef Class) { return Class.ends_with("stream"); });
  }

  /// `Out << p`, `p >> Out`.
  bool isStreamed() {
    auto IsShift = [&](size_t I, StringRef Sign) {
      return has(I, Sign) && has(I + 1, Sign) && !isTypeEnd(I + 1);
    };
    for (StringRef Sign : {"<", ">"}) {
      const bool IsBehind = Begin >= 2 && IsShift(Begin - 2, Sign);
      if (!IsBehind && !IsShift(End, Sign))
        continue;
      if (Sign == "<" && any_of(Own, [&](uint32_t I) {
            return isWord(File[I]) && isStream(I);
          }))
        return true;
      add(Kind::Taken,
          (Sign + Sign + "\n").str() + (IsBehind ? text(0, Begin) + readText()
                                                 : text(Begin, Own.size())));
      addOperators(0, Own.size(), operatorName((Sign + Sign).str()));
      return true;
    }
    return false;
  }

  /// The operand stands alone, behind what begins at \p First.
  bool readStatement(size_t First) {
    if (First >= Begin)
      return false;
    const Token &T = token(First);
    if (T.is("delete") || T.is("goto") || isControl(T))
      return false;
    // It is not understood.
    add(Kind::Taken, text(First, Own.size()));
    return false;
  }

  //===-- In brackets -----------------------------------------------------===//

  bool goOutOf(size_t Open) {
    const size_t Close = closing(Open);
    if (Open == 0)
      return takeGroup(Open, Close);
    const Token &Before = token(Open - 1);
    if (has(Open, "["))
      return readIndex(Open);
    size_t Name = Open - 1;
    if (Before.is(">") && templateBegin(Name) != Name && templateBegin(Name))
      Name = templateBegin(Name) - 1;
    const Token &Called = token(Name);
    if (isReturn(Called))
      return takeGroup(Open, Close);
    if (isControl(Called)) {
      // `for (T *q : p)`
      if (Called.is("for") && has(Begin - 1, ":") && Begin - 2 > Open)
        hold(token(Begin - 2).Text);
      return false;
    }
    if (!isWord(Called) && !Called.is(")") && !Called.is("]"))
      return takeGroup(Open, Close);
    if (Called.is(")") && isCast(Name))
      return takeGroup(Open, Close);
    const bool IsMethod =
        Name && isJoint(token(Name - 1)) && !token(Name - 1).is("::");
    const bool IsKnown = !IsMethod && !IsOwn(Called.Text);
    if (IsKnown && !hasComma(Open, Close) && isHandingOn(Called.Text))
      return takeGroup(pathBegin(Name), Close);
    // `memcpy(&Grid[i], &p, 8)`
    if (IsKnown && isHarmless(Called.Text) &&
        !(IsLent && hasOther(Open, Close)) &&
        !(isCopying(Called.Text) && isInside()))
      return false;
    if (isExchange(Called.Text)) {
      add(Kind::Exchanged, text(pathBegin(Name), Close), Called.Text);
      return false;
    }
    if (isWord(Called) && Variables.isDeclared(Own[Name]))
      return declare(Name, Close);
    return call(Name, Open, Close);
  }

  /// Whether the variable does not have the result itself.
  bool isInside() const {
    const StringRef Name = File[Place].Text;
    const std::optional<uint32_t> Declared = declarationOf(Name);
    return Names.Inside.contains(Name) ||
           (Declared && isBefore(File, *Declared, "["));
  }

  bool hasComma(size_t Open, size_t Close) const {
    for (size_t I = Open + 1; I < Close; ++I)
      if (opens(token(I)))
        I = closing(I);
      else if (has(I, ","))
        return true;
    return false;
  }

  bool takeGroup(size_t Open, size_t Close) {
    if (has(Open, "{"))
      add(Kind::Taken, text(Open, Close));
    Begin = Open;
    End = Close + 1;
    return readBehind() && readInFront();
  }

  /// `Table[p]`, or what a lambda holds.
  bool readIndex(size_t Open) {
    if (Open && isOperand(Open - 1))
      add(Kind::Taken, text(pathBegin(Open - 1), Open + 1));
    else
      add(Kind::Taken, textWithBlocks());
    return false;
  }

  /// The whole statement, with what is in its blocks.
  std::string textWithBlocks() {
    SmallVector<uint32_t, 32> All;
    for (uint32_t I = Own.front(); I <= Own.back(); ++I)
      All.push_back(I);
    return text(All);
  }

  /// `T q(p)`, `T q{p}`.
  bool declare(size_t Name, size_t Close) {
    std::string Text = text(0, Name) + text(Name + 1, Close);
    add(Kind::Taken, std::move(Text),
        Name && isWord(token(Name - 1)) ? token(Name - 1).Text : StringRef());
    hold(token(Name).Text);
    return false;
  }

  /// Whether a variable or the like stands between the brackets besides.
  bool hasOther(size_t Open, size_t Close) const {
    return any_of(range(Open, Close), [&](uint32_t I) {
      return isWord(File[I]) && !isCommonWord(File[I].Text) &&
             !Names.All.contains(File[I].Text);
    });
  }

  bool call(size_t Name, size_t Open, size_t Close) {
    const size_t Path = pathBegin(Name);
    // With the blocks of lambdas.
    SmallVector<uint32_t, 32> All;
    for (uint32_t I = Own[Path]; I < Own[Close]; ++I)
      All.push_back(I);
    add(Kind::Taken, text(All),
        isWord(token(Name)) ? token(Name).Text : StringRef());
    Result.IsCall = true;
    Result.IsLent = IsLent && !hasOther(Open, Close);
    // `Items.push_back(p)`
    if (has(Path + 1, ".") || has(Path + 1, "->"))
      holdInside(token(Path).Text);
    IsResult = true;
    Begin = Path;
    End = Close + 1;
    return readBehind() && readInFront();
  }

  /// Where the path of names begins that ends with the token \p Last.
  size_t pathBegin(size_t Last) const {
    size_t I = Last;
    while (true) {
      if (closes(token(I)) && I)
        I = opening(I);
      if (I == 0)
        return I;
      if (isJoint(token(I - 1)) && I >= 2)
        I -= 2;
      else if (opens(token(I)) && isOperand(I - 1))
        --I;
      else
        return I;
      if (token(I).is(">") && templateBegin(I) != I && templateBegin(I))
        I = templateBegin(I) - 1;
    }
  }

  //===-- Assignments -----------------------------------------------------===//

  std::optional<uint32_t> declarationOf(StringRef Name) const {
    return Variables.declaration(Name, Own.back() + 1);
  }
  void hold(StringRef Name) {
    std::optional<uint32_t> Declared = declarationOf(Name);
    const bool MayBeNumber = IsResult || !IsPlain;
    // `T &q = *p`
    const bool IsOther =
        IsThrough && Declared && !Variables.isReference(*Declared);
    if (Declared && !IsOther && !Variables.isStatic(*Declared) &&
        !(MayBeNumber && Variables.isNumber(*Declared)))
      Result.Holders.push_back({Name, IsResult});
  }
  /// An object has it in it, unless others have the object.
  void holdInside(StringRef Object) {
    std::optional<uint32_t> Declared = declarationOf(Object);
    if (Declared && !IsThrough && !Variables.isParameter(*Declared) &&
        !Variables.isReference(*Declared) && !Variables.isStatic(*Declared))
      Result.Holders.push_back({Object, IsResult, /*IsInside=*/true});
  }
  bool isLocal(size_t I) const {
    std::optional<uint32_t> Declared = declarationOf(token(I).Text);
    return Declared && !Variables.isReference(*Declared) &&
           !Variables.isStatic(*Declared);
  }

  /// The first token of what the sign \p Sign sets.
  size_t assignedBegin(size_t Sign) const {
    size_t I = Sign;
    while (I) {
      const Token &T = token(I - 1);
      if (closes(T)) {
        const size_t Open = opening(I - 1);
        if (Open && isControl(token(Open - 1)))
          break;
        I = Open;
        continue;
      }
      if (opens(T) || T.is(";") || T.is(",") || T.is(":") || T.is("else") ||
          T.is("do") || T.is("?") || isAssignment(I - 1) || isReturn(T))
        break;
      --I;
    }
    return I;
  }

  /// Adds the operator \p Name of what is named from \p First to \p Last.
  void addOperators(size_t First, size_t Last, StringRef Name) {
    for (size_t I = First; I != Last; ++I)
      if (isWord(token(I)))
        for (StringRef Class : Variables.classesOf(token(I).Text, Place))
          Result.Operators.push_back({Class, Name});
  }

  /// The operand is right of the assignment \p Sign. Returns whether its value
  /// goes on.
  bool assign(size_t Sign) {
    const size_t First = assignedBegin(Sign);
    if (First == Sign || (!has(Sign, "=") && !IsPlain))
      return false;
    // `{.key = p}`
    if (has(First, ".")) {
      add(Kind::Taken, text(First, Sign));
      Begin = First;
      return true;
    }
    const size_t Root = pathBegin(Sign - 1);
    const StringRef Name = token(Root).Text;
    if (First + 1 == Sign && Name == File[Place].Text)
      for (VariableUse::Goal &G : Result.Goals)
        G.IsFree = true;
    if (isWord(token(Root)) && Variables.isDeclared(Own[Root])) {
      hold(Name);
    } else if (First + 1 == Sign && isLocal(First)) {
      hold(Name);
    } else if (First + 1 == Sign || First != Root || Name != File[Place].Text) {
      add(Kind::Stored, text(First, Sign) + readText());
      for (size_t I = First; I < Sign; ++I) {
        if (isWord(token(I)) && has(I + 1, "("))
          Result.Deciders.push_back(token(I).Text);
        if (StringRef Name = operatorOfPlace(token(I)); !Name.empty())
          addOperators(First, Sign, Name);
      }
      addOperators(First, Sign, operatorName(token(Sign).Text));
      if (First + 1 != Sign)
        holdInside(Name);
    }
    // `Grid[i] = x = p`, `f(x = p)`
    Begin = First;
    return First && (isAssignment(First - 1) || has(First - 1, "("));
  }

  const SourceTokens &File;
  const Locals &Variables;
  const uint32_t Place;
  const HolderNames &Names;
  const IsDefined IsOwn;
  SmallVector<uint32_t, 32> Own;
  /// The operand, and whether it is what the variable points to, the variable
  /// itself, made of it by a function, or its address.
  size_t Begin = 0;
  size_t End = 0;
  bool IsThrough = false;
  bool IsPlain = true;
  bool IsResult = false;
  bool IsLent = false;
  VariableUse Result;
};

} // namespace

VariableUse callsites::useAt(const SourceTokens &File, const Locals &Variables,
                             uint32_t Place, const HolderNames &Names,
                             IsDefined IsOwn) {
  return UseReader(File, Variables, Place, Names, IsOwn).read();
}
