//===- thermo-profdata/export/LinkOutcomes.cpp - What links made ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report has a context by its id. Where annotation trimmed contexts, one
// stands for all that begin like it, and has the id of the first: the others
// are found by the stack ids of their frames. The report lists what is in no
// allocation of the link, but not more than so many. If there are more, all
// that is not found is lost, unless another binary of the process allocates it.
//
//===----------------------------------------------------------------------===//

#include "LinkOutcomes.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/InputFile.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

namespace {

enum class Outcome : uint8_t { Hinted, Lost, Elsewhere };

/// What became of a context, and the report's word for it; empty if it has
/// none.
struct Fate {
  Outcome Is = Outcome::Lost;
  StringRef Why = "";
};

/// What a report says of a context.
struct Told {
  bool Hinted = false;
  std::string Outcome;

  Fate fate() const {
    return {Hinted ? ::Outcome::Hinted : ::Outcome::Lost, Outcome};
  }
};

/// What one link made of the contexts.
class LinkReport {
public:
  static Expected<LinkReport> read(StringRef Path, const ContextList &List);

  Fate of(const ListedContext &C, const BinaryMap &Binaries) const;

private:
  explicit LinkReport(StringRef Path) : Path(Path) {}

  Error failure(const Twine &Message) const { return fileError(Path, Message); }
  Error addContext(const json::Object *Context);
  Error addProfile(const json::Object &Profile, const ContextList &List);

  StringRef Path;
  /// By id, and by a hash of stack ids.
  std::unordered_map<uint64_t, Told> ById, ByFrames;
  /// Contexts that are in no allocation of the link, with the reason, and
  /// whether these are all.
  std::map<uint64_t, std::string> NotInLink;
  bool KnowsAll = false;
  /// Binaries whose contexts are for links of their own.
  std::set<std::string> Elsewhere;
};

} // namespace

/// The number of a field like "0x1f"; nothing if there is none.
static std::optional<uint64_t> hexOf(const json::Object &Object,
                                     StringRef Key) {
  std::optional<StringRef> Text = Object.getString(Key);
  uint64_t Result;
  if (!Text || !Text->consume_front("0x") || Text->getAsInteger(16, Result))
    return std::nullopt;
  return Result;
}

Error LinkReport::addContext(const json::Object *Context) {
  const std::optional<bool> Hinted =
      Context ? Context->getBoolean("hintedCold") : std::nullopt;
  if (!Hinted)
    return failure("a context does not say whether it is hinted: this is no "
                   "report of a link");
  const std::optional<uint64_t> Id = hexOf(*Context, "id");
  if (!Id)
    return failure("contexts have no ids: their modules were not compiled with "
                   "Thermocline");
  const std::string Why = Context->getString("outcome").value_or("").str();
  auto Add = [&](auto &Map, uint64_t Key) {
    // What is hinted in one part of a link only is not safe to count.
    auto [Known, New] = Map.try_emplace(Key, Told{*Hinted, Why});
    if (Known->second.Hinted && !*Hinted)
      Known->second = {false, Why};
  };
  Add(ById, *Id);
  SequenceHash Hash;
  bool HasPlace = false;
  for (StringRef Part : {"place", "frames"})
    if (const json::Array *Frames = Context->getArray(Part))
      for (const json::Value &F : *Frames) {
        const json::Object *Frame = F.getAsObject();
        std::optional<uint64_t> StackId;
        if (Frame)
          StackId = hexOf(*Frame, "stackId");
        if (!StackId)
          return failure("a frame has no stackId: this is no report of a link");
        Hash.add(*StackId);
        HasPlace |= Part == "place";
      }
  if (HasPlace)
    Add(ByFrames, Hash.value());
  return Error::success();
}

Error LinkReport::addProfile(const json::Object &Profile,
                             const ContextList &List) {
  if (const json::Array *Others = Profile.getArray("elsewhere"))
    for (const json::Value &Value : *Others)
      if (const json::Object *Other = Value.getAsObject())
        if (std::optional<StringRef> Name = Other->getString("binary"))
          Elsewhere.insert(Name->str());
  const json::Object *Missing = Profile.getObject("coldLost");
  const std::optional<int64_t> NumMissing =
      Missing ? Missing->getInteger("contexts") : std::nullopt;
  const json::Array *Listed = Profile.getArray("lost");
  if (!NumMissing || !Listed)
    return failure("does not say what is lost: this is no report of a link");
  KnowsAll = static_cast<uint64_t>(*NumMissing) == Listed->size();
  for (const json::Value &Value : *Listed)
    if (const json::Object *Context = Value.getAsObject())
      if (std::optional<uint64_t> Id = hexOf(*Context, "id"))
        NotInLink[*Id] = Context->getString("reason").value_or("").str();
  // A link of one binary of several has a part of it.
  if (List.Binaries.hasSeveral())
    return Error::success();
  uint64_t Contexts = 0, Bytes = 0;
  for (const ListedContext &C : List.Contexts)
    if (C.Cold) {
      ++Contexts;
      Bytes += C.Info.TotalSize;
    }
  const json::Object *Cold = Profile.getObject("cold");
  const std::optional<int64_t> OtherContexts =
      Cold ? Cold->getInteger("contexts") : std::nullopt;
  const std::optional<int64_t> OtherBytes =
      Cold ? Cold->getInteger("bytes") : std::nullopt;
  if (!OtherContexts || !OtherBytes)
    return failure("does not say what is cold: this is no report of a link");
  if (static_cast<uint64_t>(*OtherContexts) != Contexts ||
      static_cast<uint64_t>(*OtherBytes) != Bytes)
    return failure(
        "is of another profile, or of other thresholds: has " +
        formatCount(static_cast<uint64_t>(*OtherContexts), "cold context") +
        " of " + Twine(*OtherBytes) + " bytes, and " + List.Profile->path() +
        " " + Twine(Contexts) + " of " + Twine(Bytes));
  return Error::success();
}

Expected<LinkReport> LinkReport::read(StringRef Path, const ContextList &List) {
  LinkReport Result(Path);
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = openInput(Path);
  if (!Buffer)
    return Buffer.takeError();
  Expected<json::Value> Parsed = json::parse((*Buffer)->getBuffer());
  if (!Parsed)
    return inFile(Path, Parsed.takeError());
  const json::Object *Report = Parsed->getAsObject();
  const json::Array *Contexts = Report ? Report->getArray("contexts") : nullptr;
  if (!Contexts || !Report->getString("decidedBy"))
    return Result.failure("is no report of a link in JSON");
  const json::Object *Profile = Report->getObject("profile");
  if (!Profile)
    return Result.failure(
        "was made without the profile: give it to the link "
        "(--thinlto-memprof-profile=) or to thermo-lto audit (--profile=)");
  if (Error E = Result.addProfile(*Profile, List))
    return std::move(E);
  for (const json::Value &Value : *Contexts)
    if (Error E = Result.addContext(Value.getAsObject()))
      return std::move(E);
  return std::move(Result);
}

Fate LinkReport::of(const ListedContext &C, const BinaryMap &Binaries) const {
  if (auto Known = ById.find(C.Id); Known != ById.end())
    return Known->second.fate();
  const Told *Trimmed = nullptr;
  SequenceHash Hash;
  for (const memprof::Frame &F : C.Frames) {
    Hash.add(raw(computeStackId(F)));
    if (auto Known = ByFrames.find(Hash.value()); Known != ByFrames.end())
      Trimmed = &Known->second;
  }
  if (Trimmed)
    return Trimmed->fate();
  if (auto Missing = NotInLink.find(C.Id); Missing != NotInLink.end())
    return {Outcome::Lost, Missing->second};
  // What is hinted whoever calls need not be a context of the link.
  if (KnowsAll && Elsewhere.empty())
    return {Outcome::Hinted};
  bool IsElsewhere = false, IsHere = false;
  for (const auto &[Id, Has] : Binaries.binaries())
    if (Has.Contexts.count(C.Id))
      (Elsewhere.count(Has.Name) ? IsElsewhere : IsHere) = true;
  return {IsElsewhere && !IsHere ? Outcome::Elsewhere : Outcome::Lost};
}

Expected<LinkOutcomes> LinkOutcomes::read(ArrayRef<std::string> Reports,
                                          const ContextList &List) {
  LinkOutcomes Result;
  std::vector<LinkReport> Links;
  for (const std::string &Path : Reports) {
    Expected<LinkReport> Link = LinkReport::read(Path, List);
    if (!Link)
      return Link.takeError();
    Links.push_back(std::move(*Link));
  }
  for (const ListedContext &C : List.Contexts) {
    if (!C.Cold)
      continue;
    bool Hinted = false;
    std::optional<StringRef> Lost;
    for (const LinkReport &Link : Links) {
      const Fate F = Link.of(C, List.Binaries);
      Hinted |= F.Is == Outcome::Hinted;
      if (F.Is == Outcome::Lost && (!Lost || Lost->empty()))
        Lost = F.Why;
    }
    if (Lost && !Hinted)
      Result.Lost[C.Id] = Lost->str();
  }
  return std::move(Result);
}
