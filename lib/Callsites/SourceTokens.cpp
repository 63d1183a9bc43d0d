//===- Callsites/SourceTokens.cpp - Tokens and statements of a file -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

bool callsites::isControl(const Token &T) {
  for (StringRef Word : {"if", "else", "for", "while", "do", "switch", "case",
                         "default", "catch", "try"})
    if (T.is(Word))
      return true;
  return false;
}

bool callsites::isJump(const Token &T) {
  for (StringRef Word :
       {"return", "break", "continue", "goto", "throw", "co_return"})
    if (T.is(Word))
      return true;
  return false;
}

std::string callsites::textBetween(const SourceTokens &File, uint32_t Begin,
                                   uint32_t End) {
  std::string Text;
  for (uint32_t I = Begin; I < End; ++I)
    (Text += File[I].Text) += '\n';
  return Text;
}

/// Words that may stand in front of a variable that they do not declare.
static bool isOperatorWord(const Token &T) {
  for (StringRef Word : {"return", "co_return", "co_yield", "co_await", "throw",
                         "goto", "new", "delete", "sizeof", "not", "and", "or",
                         "using", "namespace", "operator", "break", "continue"})
    if (T.is(Word))
      return true;
  return isControl(T);
}

static bool isTypeToken(const Token &T) {
  if (isWord(T))
    return !isOperatorWord(T);
  for (StringRef Sign : {"*", "&", "&&", "::", "<", ">"})
    if (T.is(Sign))
      return true;
  return false;
}

uint32_t callsites::typeOf(const SourceTokens &File, uint32_t I) {
  const uint32_t Begin = File.statement(File[I].Statement).First;
  if (I > Begin && File[I - 1].is("::"))
    return I;
  unsigned Depth = 0;
  uint32_t Type = I;
  while (Type > Begin) {
    const Token &T = File[Type - 1];
    if (T.is(">"))
      ++Depth;
    else if (T.is("<") && Depth-- == 0)
      return Type;
    // Arguments of templates.
    const bool IsInside = Depth && (T.is(",") || T.Is == Token::Kind::Number);
    if (!IsInside && !isTypeToken(T))
      break;
    --Type;
  }
  return Depth ? I : Type;
}

/// Whether a statement begins as `int a`, `T *a`, `std::list<T> a`.
static bool beginsDeclaration(const SourceTokens &File, uint32_t S) {
  const Statement &Is = File.statement(S);
  if (Is.First + 1 > Is.Last || !isWord(File[Is.First]) ||
      isOperatorWord(File[Is.First]))
    return false;
  const Token &Next = File[Is.First + 1];
  return isWord(Next) || Next.is("*") || Next.is("&") || Next.is("<") ||
         Next.is("::");
}

static bool isInBrackets(const SourceTokens &File, uint32_t I) {
  unsigned Depth = 0;
  for (uint32_t J = I; J-- > File.statement(File[I].Statement).First;) {
    const Token &T = File[J];
    if (closes(T))
      ++Depth;
    else if (opens(T) && Depth-- == 0)
      return true;
  }
  return false;
}

bool callsites::declares(const SourceTokens &File, uint32_t I) {
  if (I == 0 || I + 1 >= File.size())
    return false;
  if (!isTypeToken(File[I - 1]) && !File[I - 1].is(",") && !File[I - 1].is("["))
    return false;
  const Token &Next = File[I + 1];
  bool IsName = false;
  for (StringRef Sign : {"=", ";", ",", ")", "(", "{", "[", ":", "]"})
    IsName |= Next.is(Sign);
  if (!IsName)
    return false;
  const uint32_t Type = typeOf(File, I);
  const uint32_t S = File[I].Statement;
  const Statement &Is = File.statement(S);
  const bool IsFirst = Type == Is.First;
  const bool IsTyped =
      Type != I && isWord(File[Type]) && (Type + 1 != I || isWord(File[I - 1]));
  if (IsFirst)
    return IsTyped;
  const Token &Before = File[Type - 1];
  // `[[maybe_unused]] T a = b;`
  if (Before.is("]") && Type > 1 && File[Type - 2].is("]") &&
      File[Is.First].is("[") && !isInBrackets(File, Type))
    return IsTyped;
  // `auto [a, b] = f();`
  if (Before.is("[") || (Before.is(",") && Next.is("]")))
    for (uint32_t J = Type; J-- > File.statement(S).First;)
      if (File[J].is("["))
        return J &&
               (File[J - 1].is("auto") || (J > 1 && File[J - 2].is("auto")));
  const bool IsSet = Next.is("=") || Next.is(":");
  const bool IsOfFunction =
      Is.Opens != Statement::None && I < Is.Opens && !isControl(File[Is.First]);
  const bool IsParameter =
      IsOfFunction ||
      (Before.is("(") && Type > 1 &&
       (File[Type - 2].is("catch") || (IsSet && isControl(File[Type - 2]))));
  if (IsParameter)
    return IsTyped;
  if (Before.is(","))
    return beginsDeclaration(File, S) && !isInBrackets(File, I);
  return IsTyped && Before.is(":");
}

static bool isWordChar(char C) {
  return isAlnum(C) || C == '_' || C == '$' || static_cast<uint8_t>(C) >= 0x80;
}

//===-- Tokens ------------------------------------------------------------===//

/// The bytes of the string or character at the beginning of \p Text, with its
/// quotes. One that is not closed ends with its line.
static size_t quotedLength(StringRef Text) {
  const char Quote = Text.front();
  for (size_t I = 1; I < Text.size(); ++I) {
    if (Text[I] == '\\')
      ++I;
    else if (Text[I] == Quote)
      return I + 1;
    else if (Text[I] == '\n')
      return I;
  }
  return Text.size();
}

/// The bytes of the raw string at the beginning of \p Text, which begins with
/// its quote.
static size_t rawLength(StringRef Text) {
  const size_t Open = Text.find('(');
  if (Open == StringRef::npos || Open > 17)
    return quotedLength(Text);
  const std::string End = (")" + Text.slice(1, Open) + "\"").str();
  const size_t Pos = Text.find(End, Open);
  return Pos == StringRef::npos ? Text.size() : Pos + End.size();
}

static size_t numberLength(StringRef Text) {
  size_t I = 1;
  for (; I < Text.size(); ++I) {
    const char Before = static_cast<char>(Text[I - 1] | 0x20);
    if (!isWordChar(Text[I]) && Text[I] != '.' &&
        !(Text[I] == '\'' && I + 1 < Text.size() && isAlnum(Text[I + 1])) &&
        !((Text[I] == '+' || Text[I] == '-') &&
          (Before == 'p' || (Before == 'e' && !Text.starts_with("0x")))))
      break;
  }
  return I;
}

size_t callsites::directiveLength(StringRef Text) {
  size_t I = 0;
  for (; I < Text.size() && Text[I] != '\n'; ++I)
    if (Text[I] == '\\' && I + 1 < Text.size())
      I += Text.substr(I).starts_with("\\\r\n") ? 2 : 1;
  return std::min(I, Text.size());
}

static size_t signLength(StringRef Text) {
  for (StringRef Sign : {"->", "::", "==", "!=", "<=", ">=", "&&", "||", "+=",
                         "-=", "*=", "/=", "%=", "|=", "&=", "^=", "++", "--"})
    if (Text.starts_with(Sign))
      return Sign.size();
  return 1;
}

void SourceTokens::split(StringRef Text) {
  uint32_t Line = 1;
  bool IsLineStart = true;
  while (!Text.empty()) {
    size_t Length = 1;
    Token::Kind Is = Token::Kind::Sign;
    bool IsToken = true;
    if (Text.front() == '\n') {
      IsToken = false;
    } else if (isSpace(Text.front()) || Text.front() == '\\') {
      Text = Text.drop_front();
      continue;
    } else if (Text.starts_with("//")) {
      Length = directiveLength(Text);
      IsToken = false;
    } else if (Text.starts_with("/*")) {
      const size_t End = Text.find("*/", 2);
      Length = End == StringRef::npos ? Text.size() : End + 2;
      IsToken = false;
    } else if (Text.front() == '#' && IsLineStart) {
      Length = directiveLength(Text);
      IsToken = false;
    } else if (Text.front() == '"' || Text.front() == '\'') {
      Length = quotedLength(Text);
      Is = Token::Kind::String;
    } else if (isDigit(Text.front()) ||
               (Text.front() == '.' && Text.size() > 1 && isDigit(Text[1]))) {
      Length = numberLength(Text);
      Is = Token::Kind::Number;
    } else if (isWordChar(Text.front())) {
      Length = Text.take_while(isWordChar).size();
      Is = Token::Kind::Word;
      const StringRef Prefix = Text.take_front(Length);
      if (Length < Text.size() && Text[Length] == '"' && Length <= 3 &&
          StringRef("LuU8R").contains(Prefix.back())) {
        const StringRef Quoted = Text.drop_front(Length);
        Length +=
            Prefix.back() == 'R' ? rawLength(Quoted) : quotedLength(Quoted);
        Is = Token::Kind::String;
      }
    } else {
      Length = signLength(Text);
    }
    const StringRef Taken = Text.take_front(Length);
    if (IsToken)
      Tokens.push_back({Taken, Line, Is});
    const size_t NumLines = Taken.count('\n');
    Line += static_cast<uint32_t>(NumLines);
    IsLineStart = NumLines ? true : IsLineStart && !IsToken;
    Text = Text.drop_front(Length);
  }
}

//===-- Statements --------------------------------------------------------===//

class SourceTokens::Parser {
public:
  explicit Parser(SourceTokens &Parsed) : Parsed(Parsed) {}

  void run() {
    for (uint32_t I = 0; I != Parsed.Tokens.size(); ++I)
      take(I);
  }

private:
  struct Open {
    uint32_t Place;
    /// A brace that begins a block, of the statement Number. Otherwise the
    /// expression goes on in it.
    bool IsBlock;
    uint32_t Number;
  };

  void take(uint32_t I) {
    Token &T = Parsed.Tokens[I];
    if (Current == Statement::None && !T.is("}"))
      begin(I);
    T.Statement = Current;
    if (T.is("(") || T.is("[")) {
      Opened.push_back({I, false, Current});
    } else if (T.is(")") || T.is("]")) {
      if (!Opened.empty() && !Opened.back().IsBlock)
        Opened.pop_back();
    } else if (T.is("{")) {
      open(I);
    } else if (T.is("}")) {
      close(I);
    } else if (T.is(";") && !isInForHeader()) {
      end(I);
    }
    if (Current != Statement::None)
      Parsed.Statements[Current].Last = I;
  }

  void begin(uint32_t I) {
    Current = static_cast<uint32_t>(Parsed.Statements.size());
    Statement &S = Parsed.Statements.emplace_back();
    S.First = S.Last = I;
    if (auto Block =
            find_if(reverse(Opened), [](const Open &O) { return O.IsBlock; });
        Block != Opened.rend()) {
      S.Outer = Block->Number;
      S.Block = Block->Place;
    }
    S.Previous = Before;
    if (Before != Statement::None)
      Parsed.Statements[Before].Next = Current;
  }

  bool isInForHeader() const {
    return !Opened.empty() && !Opened.back().IsBlock && Opened.back().Place &&
           Parsed.Tokens[Opened.back().Place - 1].is("for");
  }

  void end(uint32_t I) {
    Parsed.Statements[Current].Last = I;
    // What is not closed is of a part that excludes another one; a brace that
    // has statements inside was a block.
    while (!Opened.empty() && !Opened.back().IsBlock) {
      if (Parsed.Tokens[Opened.back().Place].is("{")) {
        Opened.back().IsBlock = true;
        break;
      }
      Opened.pop_back();
    }
    Before = Current;
    Current = Statement::None;
  }

  void open(uint32_t I) {
    const bool IsBlock = beginsBlock(I);
    Opened.push_back({I, IsBlock, Current});
    if (!IsBlock)
      return;
    Statement &S = Parsed.Statements[Current];
    S.Last = I;
    if (S.Opens == Statement::None)
      S.Opens = I;
    Current = Before = Statement::None;
  }

  void close(uint32_t I) {
    while (!Opened.empty()) {
      const Open Last = Opened.pop_back_val();
      if (!Parsed.Tokens[Last.Place].is("{"))
        continue;
      if (!Last.IsBlock)
        return;
      Parsed.Tokens[Last.Place].End = I;
      Parsed.Tokens[I].Statement = Current = Last.Number;
      Parsed.Statements[Current].Last = I;
      if (!goesOn(I)) {
        Before = Current;
        Current = Statement::None;
      }
      return;
    }
    // More braces are closed than were opened.
    if (Current == Statement::None)
      begin(I);
    Parsed.Tokens[I].Statement = Current;
    end(I);
  }

  /// Whether the statement whose block the brace \p I closed has more tokens.
  bool goesOn(uint32_t I) const {
    if (!Opened.empty() && !Opened.back().IsBlock)
      return true;
    if (I + 1 == Parsed.Tokens.size())
      return false;
    const Token &Next = Parsed.Tokens[I + 1];
    for (StringRef Sign : {";", ",", ")", ".", "("})
      if (Next.is(Sign))
        return true;
    return Next.is("while") &&
           Parsed.Tokens[Parsed.Statements[Current].First].is("do");
  }

  bool beginsBlock(uint32_t I) const {
    if (I == Parsed.Statements[Current].First)
      return true;
    const Token &P = Parsed.Tokens[I - 1];
    const Token &First = Parsed.Tokens[Parsed.Statements[Current].First];
    const bool IsDeclared =
        StringSwitch<bool>(First.Text)
            .Cases({"namespace", "class", "struct", "union", "enum", "inline",
                    "template", "typedef", "extern", "export"},
                   true)
            .Default(false);
    switch (P.Is) {
    case Token::Kind::String:
      return true;
    case Token::Kind::Number:
      return false;
    case Token::Kind::Sign:
      if (P.is(">") || P.is("*") || P.is("&"))
        return (P.is(">") && IsDeclared) || hasTrailingType(I);
      return P.is(")") || P.is("]") || P.is(":") || P.is(";") || P.is("}") ||
             (P.is("{") && !Opened.empty() && Opened.back().IsBlock);
    case Token::Kind::Word:
      break;
    }
    if (P.is("return") || P.is("co_return") || P.is("co_yield"))
      return false;
    return IsDeclared || hasTrailingType(I) ||
           StringSwitch<bool>(P.Text)
               .Cases({"else", "do", "try", "const", "noexcept", "override",
                       "final", "mutable", "volatile"},
                      true)
               .Default(false);
  }

  /// Whether `-> T` stands before the brace \p I.
  bool hasTrailingType(uint32_t I) const {
    for (uint32_t J = I; J-- > Parsed.Statements[Current].First;) {
      if (Parsed.Tokens[J].is("->"))
        return J && Parsed.Tokens[J - 1].is(")");
      if (Parsed.Tokens[J].is(")") || Parsed.Tokens[J].is("="))
        return false;
    }
    return false;
  }

  SourceTokens &Parsed;
  SmallVector<Open, 32> Opened;
  /// The statement that goes on, and the last one in the block.
  uint32_t Current = Statement::None;
  uint32_t Before = Statement::None;
};

SourceTokens::SourceTokens(StringRef Text) : Base(Text.data()) {
  split(Text);
  Parser(*this).run();
  findNames();
}

SourceTokens::SourceTokens(const SourceTokens &File,
                           function_ref<std::string(uint32_t)> NameOf)
    : Base(File.Base), Names(std::make_shared<BumpPtrAllocator>()),
      Tokens(File.Tokens), Statements(File.Statements) {
  UniqueStringSaver Saver(*Names);
  for (uint32_t I = 0; I != size(); ++I)
    if (const std::string Name = NameOf(I); !Name.empty())
      Tokens[I].Text = Saver.save(Name);
  findNames();
}

void SourceTokens::findNames() {
  for (uint32_t I = 0; I != size(); ++I) {
    if (!isWord(Tokens[I]))
      continue;
    Places[Tokens[I].Text].push_back(I);
    const bool IsLabel = I + 1 != size() && Tokens[I + 1].is(":") &&
                         Statements[Tokens[I].Statement].First == I &&
                         !isControl(Tokens[I]);
    if (IsLabel || isJump(Tokens[I]))
      Jumps.push_back(I);
    if (declares(*this, I))
      Declarations[Tokens[I].Text].push_back(I);
  }
}

/// Whether the word \p I is not the name of a member of something, nor a scope.
bool SourceTokens::isVariable(uint32_t I) const {
  if (I && (Tokens[I - 1].is(".") || Tokens[I - 1].is("::")))
    return false;
  if (I && Tokens[I - 1].is("->"))
    return I > 1 && Tokens[I - 2].is("this");
  return I + 1 == size() || !Tokens[I + 1].is("::");
}

std::vector<VariablePlace> SourceTokens::findVariable(StringRef Name) const {
  const ArrayRef<uint32_t> All = placesOf(Name);
  const ArrayRef<uint32_t> Declared = declarationsOf(Name);
  std::vector<VariablePlace> Result;
  for (auto [Number, I] : enumerate(All)) {
    if (!isVariable(I))
      continue;
    VariablePlace &Place = Result.emplace_back();
    Place.Token = I;
    // `p = next(p)` goes on with what it was.
    const Statement &S = Statements[Tokens[I].Statement];
    const uint32_t Next = Number + 1 == All.size() ? size() : All[Number + 1];
    Place.IsSet = (S.First == I && S.Last != I && Tokens[I + 1].is("=") &&
                   Next > S.Last) ||
                  binary_search(Declared, I);
  }
  // Far pointers of a tree whose edges lead behind (Myers, Applicative
  // random-access stacks).
  std::vector<size_t> Depth(Result.size() + 1);
  auto FarOf = [&](size_t I) {
    return I < Result.size() && Result[I].IsSet ? Result[I].Far : I;
  };
  for (size_t I = Result.size(); I-- != 0;) {
    VariablePlace &Place = Result[I];
    if (!Place.IsSet)
      continue;
    const uint32_t S = Tokens[Place.Token].Statement;
    const size_t Behind =
        partition_point(Result,
                        [&, End = blockEnd(S)](const VariablePlace &P) {
                          return P.Token < End;
                        }) -
        Result.begin();
    const size_t Far = FarOf(Behind), Further = FarOf(Far);
    Place.Begin =
        Statements[S].Block == Statement::None ? 0 : Statements[S].Block;
    Place.Behind = static_cast<uint32_t>(Behind);
    Place.Far = Place.Behind;
    Place.FirstBegin = Place.Begin;
    Depth[I] = Depth[Behind] + 1;
    if (Far != Behind && Further != Far &&
        Depth[Behind] - Depth[Far] == Depth[Far] - Depth[Further]) {
      Place.Far = static_cast<uint32_t>(Further);
      Place.FirstBegin = std::min(
          {Place.Begin, Result[Behind].FirstBegin, Result[Far].FirstBegin});
    }
  }
  return Result;
}

ArrayRef<VariablePlace> SourceTokens::variablePlaces(StringRef Name) const {
  auto [Known, New] = Variables.try_emplace(Name);
  if (New)
    Known->second = findVariable(Name);
  return Known->second;
}

std::optional<uint32_t> SourceTokens::at(uint32_t Line, uint32_t Column) const {
  auto Found =
      partition_point(Tokens, [&](const Token &T) { return T.Line < Line; });
  if (Found == Tokens.end() || Found->Line != Line)
    return std::nullopt;
  // Columns count bytes from where the line begins.
  const char *Begin = Found->Text.data();
  while (Begin != Base && Begin[-1] != '\n')
    --Begin;
  for (; Found != Tokens.end() && Found->Line == Line; ++Found)
    if (Found->Text.end() - Begin >= static_cast<ptrdiff_t>(Column))
      return static_cast<uint32_t>(Found - Tokens.begin());
  return std::nullopt;
}

const std::vector<std::string> &
SourceTokens::conditions(uint32_t Place,
                         function_ref<std::vector<std::string>()> Find) const {
  auto [Known, New] = Conditions.try_emplace(Place);
  if (New)
    Known->second = Find();
  return Known->second;
}

void SourceTokens::forEachOwn(uint32_t S, uint32_t Begin, uint32_t End,
                              function_ref<void(uint32_t)> Visit) const {
  for (uint32_t I = Begin; I < End; ++I) {
    if (Tokens[I].Statement != S)
      continue;
    Visit(I);
    if (Tokens[I].End)
      I = Tokens[I].End - 1;
  }
}
