//===- export/Sarif.cpp - What links lost, for code hosts -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sarif.h"
#include "../Askers.h"
#include "ExportFields.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;
using llvm::memprof::Frame;

namespace {

/// Code hosts take no more of one run.
constexpr size_t MaxResults = 5000;

/// Where a call is.
struct SourcePlace {
  std::string File;
  uint32_t Line = 0;
  uint32_t Column = 0;

  auto operator<=>(const SourcePlace &) const = default;
};

/// Cold memory of one place that was lost for one reason.
struct Loss {
  SourcePlace Place;
  std::string Reason;
  ContextCount Count;
  /// The context with most bytes, and what asks for it.
  const ListedContext *Largest = nullptr;
  Askers::Asker Requester;
};

class Writer {
public:
  Writer(const FunctionNames &Names, const Askers &Who, raw_ostream &OS)
      : Names(Names), Who(Who), J(OS, /*IndentSize=*/1) {
    SmallString<128> Directory;
    if (!sys::fs::current_path(Directory))
      Root = (Directory + "/").str();
  }

  void write(ArrayRef<Loss> Losses);

private:
  void writeRules(ArrayRef<std::string> Reasons);
  void writeResult(const Loss &L, size_t Rule);
  void writeLocation(const Frame &F);

  const FunctionNames &Names;
  const Askers &Who;
  json::OStream J;
  /// The current directory, which is taken for that of the source.
  std::string Root;
};

} // namespace

static std::optional<SourcePlace> placeOf(const Frame &F,
                                          const FunctionNames &Names) {
  const FunctionPlace *Place = Names.place(F.Function);
  const uint32_t Line = Place ? lineOf(Place->Line, F.LineOffset, F.Column) : 0;
  if (!Line || Place->File.empty())
    return std::nullopt;
  return SourcePlace{Place->File, Line, F.Column};
}

/// A path as part of a URI.
static std::string asURI(StringRef Path) {
  std::string Result;
  for (char C : Path)
    if (isAlnum(C) || StringRef("/-._~+").contains(C))
      Result += C;
    else
      Result += "%" + toHex(StringRef(&C, 1));
  return Result;
}

/// "collides-with-a-not-cold-context".
static std::string ruleId(StringRef Reason) {
  std::string Result = Reason.empty() ? "no-reason-known" : Reason.str();
  for (char &C : Result)
    C = isAlnum(C) ? toLower(C) : '-';
  return Result;
}

void Writer::writeLocation(const Frame &F) {
  if (const std::optional<SourcePlace> Place = placeOf(F, Names))
    J.attributeObject("physicalLocation", [&] {
      J.attributeObject("artifactLocation", [&] {
        StringRef File = Place->File;
        const bool IsBelow = !Root.empty() && File.consume_front(Root);
        if (IsBelow || sys::path::is_relative(File)) {
          J.attribute("uri", asURI(File));
          J.attribute("uriBaseId", "SRCROOT");
        } else {
          J.attribute("uri", "file://" + asURI(File));
        }
      });
      J.attributeObject("region", [&] {
        J.attribute("startLine", Place->Line);
        if (Place->Column)
          J.attribute("startColumn", Place->Column);
      });
    });
  J.attributeArray("logicalLocations", [&] {
    J.object([&] {
      J.attribute("fullyQualifiedName",
                  json::fixUTF8(Names.display(F.Function)));
      J.attribute("kind", "function");
    });
  });
}

void Writer::writeRules(ArrayRef<std::string> Reasons) {
  J.attributeArray("rules", [&] {
    for (const std::string &Reason : Reasons)
      J.object([&] {
        J.attribute("id", ruleId(Reason));
        J.attributeObject("shortDescription", [&] {
          J.attribute("text", "Cold memory without a hint: " +
                                  (Reason.empty() ? "no reason is known"
                                                  : json::fixUTF8(Reason)));
        });
        J.attributeObject("defaultConfiguration",
                          [&] { J.attribute("level", "note"); });
      });
  });
}

void Writer::writeResult(const Loss &L, size_t Rule) {
  J.object([&] {
    J.attribute("ruleId", ruleId(L.Reason));
    J.attribute("ruleIndex", static_cast<int64_t>(Rule));
    J.attribute("level", "note");
    J.attributeObject("message", [&] {
      std::string Text = formatBytes(L.Count.Size) + " of cold memory, from " +
                         formatCount(L.Count.Contexts, "context") +
                         ", is asked for here and gets no hint";
      if (L.Requester.For)
        Text += ", through " + Who.describe(*L.Requester.First);
      if (!L.Reason.empty())
        Text += ": " + L.Reason;
      J.attribute("text", json::fixUTF8(Text));
    });
    J.attributeArray("locations", [&] {
      J.object([&] {
        writeLocation(L.Requester.For ? *L.Requester.For : *L.Requester.First);
      });
    });
    J.attributeArray("stacks", [&] {
      J.object([&] {
        J.attributeArray("frames", [&] {
          for (const Frame &F : L.Largest->Frames)
            J.object([&] {
              J.attributeObject("location", [&] { writeLocation(F); });
            });
        });
      });
    });
    J.attributeObject("partialFingerprints", [&] {
      J.attribute("largestContext/v1", hexText(L.Largest->Id));
    });
    J.attributeObject("properties", [&] {
      J.attribute("lostBytes", L.Count.Size.count());
      J.attribute("contexts", L.Count.Contexts);
    });
  });
}

void Writer::write(ArrayRef<Loss> Losses) {
  std::vector<std::string> Reasons;
  for (const Loss &Each : Losses)
    Reasons.push_back(Each.Reason);
  llvm::sort(Reasons);
  Reasons.erase(llvm::unique(Reasons), Reasons.end());
  J.object([&] {
    J.attribute("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/"
                           "errata01/os/schemas/sarif-schema-2.1.0.json");
    J.attribute("version", "2.1.0");
    J.attributeArray("runs", [&] {
      J.object([&] {
        J.attributeObject("tool", [&] {
          J.attributeObject("driver", [&] {
            J.attribute("name", "thermocline");
            J.attribute("version", version());
            writeRules(Reasons);
          });
        });
        J.attributeObject("originalUriBaseIds", [&] {
          J.attributeObject("SRCROOT", [&] {
            J.attribute("uri", "file://" + asURI(Root.empty() ? "/" : Root));
          });
        });
        J.attributeArray("results", [&] {
          for (const Loss &Each : Losses)
            writeResult(Each,
                        static_cast<size_t>(lower_bound(Reasons, Each.Reason) -
                                            Reasons.begin()));
        });
      });
    });
  });
}

Error profdata::writeSarif(const ContextList &List, const FunctionNames &Names,
                           const LinkOutcomes &Links, raw_ostream &OS) {
  Expected<Askers> Who = Askers::of(List, Names);
  if (!Who)
    return Who.takeError();
  std::map<std::pair<SourcePlace, std::string>, Loss> ByPlace;
  bool AnyLost = false;
  for (const ListedContext &C : List.Contexts) {
    const uint64_t Bytes = Links.lostBytes(C);
    if (!Bytes)
      continue;
    AnyLost = true;
    const Askers::Asker Requester = Who->of(C);
    const auto Place =
        placeOf(Requester.For ? *Requester.For : *Requester.First, Names);
    // Nothing can be shown without a line.
    if (!Place)
      continue;
    Loss &L = ByPlace[{*Place, Links.reason(C).str()}];
    L.Count.add(thermocline::Bytes(Bytes));
    // They are sorted by bytes.
    if (!L.Largest) {
      L.Place = *Place;
      L.Reason = Links.reason(C).str();
      L.Largest = &C;
      L.Requester = Requester;
    }
  }
  if (AnyLost && ByPlace.empty())
    return fileError(List.Profile->path(),
                     "no line of what was lost is known: --binary has no debug "
                     "information of it");
  std::vector<Loss> Losses;
  for (const auto &[Key, L] : ByPlace)
    Losses.push_back(L);
  llvm::sort(Losses, [](const Loss &A, const Loss &B) {
    return std::tie(B.Count.Size, A.Place, A.Reason) <
           std::tie(A.Count.Size, B.Place, B.Reason);
  });
  if (Losses.size() > MaxResults)
    Losses.resize(MaxResults);
  Writer(Names, *Who, OS).write(Losses);
  OS << '\n';
  return Error::success();
}
