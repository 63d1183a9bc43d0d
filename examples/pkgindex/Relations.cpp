//===- pkgindex/Relations.cpp - Parser of dependency expressions ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A clause is parsed by recursive descent: an alternative, then what follows
// `|`.
//
//===----------------------------------------------------------------------===//

#include "Relations.h"
#include "Node.h"
#include "StatusReader.h"

using namespace pkgindex;

namespace {

class RelationParser {
public:
  RelationParser(std::string_view Text, NameTable &Names,
                 std::string_view Suffix)
      : Rest(Text), Names(Names), Suffix(Suffix) {}

  Relation *clauses();

private:
  Relation *alternatives();
  void versionLimit(Relation &Target);
  std::string_view word(std::string_view Stops);
  void skipSpace();
  bool take(char C);

  std::string_view Rest;
  NameTable &Names;
  std::string_view Suffix;
};

} // namespace

void RelationParser::skipSpace() {
  while (!Rest.empty() &&
         (Rest[0] == ' ' || Rest[0] == '\n' || Rest[0] == '\t'))
    Rest.remove_prefix(1);
}

bool RelationParser::take(char C) {
  skipSpace();
  if (Rest.empty() || Rest[0] != C)
    return false;
  Rest.remove_prefix(1);
  return true;
}

/// The text up to a space or one of Stops.
std::string_view RelationParser::word(std::string_view Stops) {
  skipSpace();
  size_t Size = 0;
  while (Size < Rest.size() && Rest[Size] != ' ' && Rest[Size] != '\n' &&
         Stops.find(Rest[Size]) == std::string_view::npos)
    ++Size;
  std::string_view Word = Rest.substr(0, Size);
  Rest.remove_prefix(Size);
  return Word;
}

void RelationParser::versionLimit(Relation &Target) {
  std::string_view Operator = word("0123456789)");
  if (Operator == "<<")
    Target.Test = VersionTest::Less;
  else if (Operator == "<=" || Operator == "<")
    Target.Test = VersionTest::LessOrEqual;
  else if (Operator == "=")
    Target.Test = VersionTest::Equal;
  else if (Operator == ">=" || Operator == ">")
    Target.Test = VersionTest::GreaterOrEqual;
  else if (Operator == ">>")
    Target.Test = VersionTest::Greater;
  else
    throw ParseError("unknown version test in a dependency");
  std::string_view Version = word(")");
  Target.Version = pool_strndup(Version.data(), Version.size());
  if (!take(')'))
    throw ParseError("no ) after a version in a dependency");
}

Relation *RelationParser::alternatives() {
  std::string_view Name = word("(,|:[");
  if (Name.empty())
    throw ParseError("no name in a dependency");
  Relation *First = make_node<Relation>();
  First->Target = Names.intern(Name, Suffix);
  if (take(':'))
    word("(,|[");
  if (take('('))
    versionLimit(*First);
  if (take('|'))
    First->Alternative = alternatives();
  return First;
}

Relation *RelationParser::clauses() {
  Relation *First = nullptr;
  Relation **Link = &First;
  do {
    *Link = alternatives();
    Link = &(*Link)->NextClause;
  } while (take(','));
  skipSpace();
  if (!Rest.empty())
    throw ParseError("text after a dependency");
  return First;
}

Relation *pkgindex::parseRelations(std::string_view Text, NameTable &Names,
                                   std::string_view Suffix) {
  RelationParser Parser(Text, Names, Suffix);
  Relation *First = Parser.clauses();
  return First;
}
