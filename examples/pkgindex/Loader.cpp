//===- pkgindex/Loader.cpp - From paragraphs to packages ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each field goes where its readers will look for it: the few that queries use
// into the Package, the others into its Details.
//
//===----------------------------------------------------------------------===//

#include "Loader.h"
#include "Node.h"
#include "Relations.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>

using namespace pkgindex;

static char *duplicate(std::string_view Text) {
  char *Copy = pool_strndup(Text.data(), Text.size());
  return Copy;
}

static std::string_view nextLine(std::string_view &Text) {
  size_t Size = Text.find('\n');
  std::string_view Line = Text.substr(0, Size);
  Text.remove_prefix(Size == std::string_view::npos ? Text.size() : Size + 1);
  return Line;
}

/// The name in lower case.
static const char *foldedKey(std::string_view Name) {
  char *Key = static_cast<char *>(pool_buffer(Name.size() + 1));
  for (size_t I = 0; I != Name.size(); ++I)
    Key[I] = Name[I] >= 'A' && Name[I] <= 'Z' ? Name[I] - 'A' + 'a' : Name[I];
  Key[Name.size()] = '\0';
  return Key;
}

Relation *Loader::relations(std::string_view Value, NameTable &Names) {
  Relation *First = parseRelations(Value, Names, Suffix);
  return First;
}

void Loader::readDescription(Details &Info, std::string_view Value) {
  Info.Summary = Texts.keep(nextLine(Value));
  Info.Description = Texts.keep(Value);
}

void Loader::readConffiles(Details &Info, std::string_view Value) {
  std::string_view Rest = Value;
  uint32_t Count = 0;
  while (!Rest.empty())
    Count += !nextLine(Rest).empty();
  Info.Conffiles = static_cast<Conffile *>(pool_table(Count, sizeof(Conffile)));
  Rest = Value;
  while (!Rest.empty()) {
    std::string_view Line = nextLine(Rest);
    if (Line.empty())
      continue;
    Line.remove_prefix(1);
    size_t Space = Line.find(' ');
    if (Space == std::string_view::npos)
      throw ParseError("a conffile without a checksum");
    Conffile &Entry = Info.Conffiles[Info.ConffileCount++];
    Entry.Path = Texts.keep(Line.substr(0, Space));
    Entry.Checksum = duplicate(Line.substr(Space + 1));
  }
}

void Loader::keepOther(Details &Info, const Field &F) {
  OtherField *Other = make_node<OtherField>();
  Other->Next = Info.Others;
  Other->Name = Texts.keep(F.Name);
  Other->Value = Texts.keep(F.Value);
  Info.Others = Other;
}

void Loader::addHistory(Details &Info, const char *Event, uint32_t Line) {
  HistoryEntry *Entry = make_node<HistoryEntry>();
  Entry->Event = Event;
  Entry->Line = Line;
  pool_list_push(&Info.History, Entry);
}

Relation *Loader::provides(Package &P, std::string_view Value) {
  Relation *First = relations(Value, DB.names());
  for (Relation *R = First; R; R = R->NextClause)
    DB.addProvider(R->Target, &P);
  return First;
}

bool Loader::readIndexedField(Package &P, const Field &F) {
  if (F.Name == "Version") {
    P.Version = duplicate(F.Value);
  } else if (F.Name == "Depends" || F.Name == "Pre-Depends") {
    Relation **Link = &P.Depends;
    while (*Link)
      Link = &(*Link)->NextClause;
    *Link = relations(F.Value, DB.names());
  } else if (F.Name == "Provides") {
    P.Info->Provides = provides(P, F.Value);
  } else {
    return false;
  }
  return true;
}

bool Loader::readDetail(Details &Info, const Field &F) {
  std::string_view Value = F.Value;
  if (F.Name == "Maintainer")
    Info.Maintainer = duplicate(Value);
  else if (F.Name == "Section")
    Info.Section = duplicate(Value);
  else if (F.Name == "Priority")
    Info.Priority = duplicate(Value);
  else if (F.Name == "Homepage")
    Info.Homepage = duplicate(Value);
  else if (F.Name == "Installed-Size")
    std::from_chars(Value.data(), Value.data() + Value.size(),
                    Info.InstalledKiB);
  else if (F.Name == "Description")
    readDescription(Info, Value);
  else if (F.Name == "Conffiles")
    readConffiles(Info, Value);
  else if (F.Name == "Recommends")
    Info.Recommends = relations(Value, DB.detailNames());
  else if (F.Name == "Suggests")
    Info.Suggests = relations(Value, DB.detailNames());
  else if (F.Name == "Breaks")
    Info.Breaks = relations(Value, DB.detailNames());
  else if (F.Name == "Replaces")
    Info.Replaces = relations(Value, DB.detailNames());
  else if (F.Name == "Conflicts")
    Info.Conflicts = relations(Value, DB.detailNames());
  else
    return false;
  return true;
}

void Loader::readPackage(const Paragraph &Stanza) {
  Package *P = make_node<Package>();
  P->Info = make_node<Details>();
  bool HasName = false;
  for (const Field &F : Stanza.Fields) {
    if (F.Name == "Package") {
      P->Name = DB.names().intern(F.Value, Suffix);
      std::string_view Name = DB.names().text(P->Name);
      P->Key = foldedKey(Name);
      P->KeySize = static_cast<uint32_t>(Name.size());
      HasName = true;
    } else if (F.Name == "Status") {
      addHistory(*P->Info, duplicate(F.Value), Stanza.Line);
    } else if (!readIndexedField(*P, F) && !readDetail(*P->Info, F)) {
      keepOther(*P->Info, F);
    }
  }
  if (!HasName || P->Version == nullptr)
    throw ParseError("a package without a name or a version");
  char Read[64];
  std::snprintf(Read, sizeof(Read), "read from line %u", Stanza.Line);
  addHistory(*P->Info, pool_strdup(Read), Stanza.Line);
  DB.add(P);
}

void Loader::load(std::string_view Text, unsigned Copy) {
  std::string CopySuffix;
  if (Copy != 0)
    CopySuffix = "~" + std::to_string(Copy);
  Suffix = CopySuffix;
  StatusReader Reader(Text);
  Paragraph Next;
  while (Reader.next(Next)) {
    try {
      readPackage(Next);
    } catch (const ParseError &Error) {
      throw ParseError("paragraph at line " + std::to_string(Next.Line) + ": " +
                       Error.what());
    }
  }
}
