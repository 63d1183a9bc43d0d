//===- Report/CodeList.cpp - Versions and hints in finished code ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/CodeList.h"
#include "SymbolName.h"
#include "llvm/Support/JSON.h"
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::report;

VersionSymbol VersionSymbol::parse(StringRef Symbol) {
  constexpr StringLiteral Infix = ".memprof.";
  size_t At = Symbol.rfind(Infix);
  VersionSymbol Result;
  Result.Function = Symbol.str();
  if (At == StringRef::npos)
    return Result;
  StringRef Rest = Symbol.drop_front(At + Infix.size());
  uint32_t Version;
  if (Rest.consumeInteger(10, Version) || (!Rest.empty() && Rest[0] != '.'))
    return Result;
  Result.Function = Symbol.take_front(At).str();
  Result.Version = Version;
  return Result;
}

namespace {

/// The definitions of one function, in the order to print.
using Versions = std::map<std::tuple<uint32_t, std::string>,
                          std::vector<const CodeFunction *>>;

/// By function. Several local functions may have one name.
std::map<std::string, Versions> group(const CodeList &List) {
  std::map<std::string, Versions> Result;
  for (const CodeFunction &F : List.Functions) {
    VersionSymbol Symbol = VersionSymbol::parse(F.Name);
    Result[Symbol.Function][{Symbol.Version, F.Name}].push_back(&F);
  }
  std::erase_if(Result, [](const auto &Entry) {
    for (const auto &[Key, Definitions] : Entry.second) {
      if (std::get<uint32_t>(Key))
        return false;
      for (const CodeFunction *F : Definitions)
        if (!F->Calls.empty())
          return false;
    }
    return true;
  });
  return Result;
}

} // namespace

static void writeJson(const CodeList &List, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attribute("format", 1);
    J.attribute("file", json::fixUTF8(List.File));
    J.attributeArray("functions", [&] {
      for (const auto &[Name, Definitions] : group(List))
        J.object([&, &Name = Name, &Definitions = Definitions] {
          J.attribute("name", json::fixUTF8(Name));
          J.attributeArray("versions", [&] {
            for (const auto &[Key, Same] : Definitions)
              for (const CodeFunction *F : Same)
                J.object([&, &Key = Key] {
                  J.attribute("version", std::get<uint32_t>(Key));
                  J.attribute("symbol", json::fixUTF8(F->Name));
                  J.attributeArray("calls", [&] {
                    for (const auto &[Callee, Count] : F->Calls)
                      J.object([&, &Callee = Callee, &Count = Count] {
                        J.attribute("symbol", json::fixUTF8(Callee));
                        J.attribute("calls", Count);
                      });
                  });
                });
          });
        });
    });
  });
  OS << '\n';
}

void report::write(const CodeList &List, Format As, raw_ostream &OS) {
  if (As == Format::Json)
    return ::writeJson(List, OS);
  OS << "# Thermocline versions and hints in code, format 1, of " << List.File
     << '\n';
  for (const auto &[Name, Definitions] : group(List)) {
    OS << "\nfunction " << quotedSymbol(Name) << '\n';
    for (const auto &[Key, Same] : Definitions)
      for (const CodeFunction *F : Same) {
        OS << "  version " << std::get<uint32_t>(Key) << ' '
           << quotedSymbol(F->Name) << '\n';
        for (const auto &[Callee, Count] : F->Calls)
          OS << "    calls " << quotedSymbol(Callee) << ' ' << Count << '\n';
      }
  }
}
