//===- unit/LTO/RandomModule.cpp - Small random modules -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomModule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <array>
#include <random>
#include <vector>

using namespace llvm;
using namespace thermocline;

namespace {

/// A call of another function, or an allocation.
struct Item {
  enum { Direct, Alias, WeakAlias, Unknown, Profiled, Tail, Allocation } Kind;
  unsigned Callee = 0;
  std::vector<uint64_t> Ids;
};

class Generator {
public:
  explicit Generator(uint64_t Seed) : Engine(Seed) {
    Items.resize(2 + below(6));
    Linkages.push_back("external");
    while (Linkages.size() != Items.size())
      Linkages.push_back(
          pick({"external", "external", "internal", "linkonce_odr", "weak"}));
    for (unsigned F = 0; F != Items.size(); ++F)
      plan(F);
  }

  std::string run() {
    std::string Text = "declare ptr @malloc(i64)\n"
                       "@pointer = global ptr @f0\n";
    for (unsigned F = 0; F != Items.size(); ++F) {
      std::string N = utostr(F);
      Text += "@a" + N + " = alias ptr (i64), ptr @f" + N + "\n@b" + N +
              " = weak alias ptr (i64), ptr @f" + N + "\n";
    }
    // Number 99 is in no module.
    Text += "declare ptr @f99(i64)\n";
    for (unsigned F = 0; F != Items.size(); ++F)
      Text += function(F);
    return Text + Metadata;
  }

private:
  uint64_t below(uint64_t N) { return Engine() % N; }
  bool chance(uint64_t Percent) { return below(100) < Percent; }
  const char *pick(std::initializer_list<const char *> Choices) {
    return Choices.begin()[below(Choices.size())];
  }
  std::vector<uint64_t> newIds() {
    std::vector<uint64_t> Result = {++LastId};
    while (chance(25))
      Result.push_back(++LastId);
    return Result;
  }

  void plan(unsigned F) {
    uint64_t Count = 1 + below(4);
    for (uint64_t I = 0; I != Count; ++I) {
      if (F + 1 == Items.size() || chance(20)) {
        Items[F].push_back({Item::Allocation, 0, newIds()});
        continue;
      }
      if (!Items[F].empty() && Items[F].back().Kind == Item::Direct &&
          chance(20)) {
        Items[F].push_back(Items[F].back());
        continue;
      }
      // Callees have higher numbers, but for some recursion.
      unsigned Callee = chance(10) ? below(Items.size())
                                   : F + 1 + below(Items.size() - F - 1);
      Item New = {Item::Direct, Callee, newIds()};
      if (chance(50))
        New.Kind = std::array{Item::Alias, Item::WeakAlias, Item::Unknown,
                              Item::Profiled}[below(4)];
      // Of others, value profiles have another name.
      if (New.Kind == Item::Profiled && Linkages[Callee] != "external")
        New.Kind = Item::Direct;
      if (chance(5))
        New.Callee = 99;
      if (New.Callee == 99)
        New.Kind = Item::Direct;
      if (I + 1 == Count && chance(30))
        New = {Item::Tail, Callee,
               chance(30) ? newIds() : std::vector<uint64_t>()};
      Items[F].push_back(New);
    }
  }

  std::string node(const std::string &Operands) {
    Metadata += "!" + utostr(NumNodes) + " = !{" + Operands + "}\n";
    return "!" + utostr(NumNodes++);
  }
  std::string node(const std::vector<uint64_t> &Ids) {
    std::string Operands;
    for (uint64_t Id : Ids)
      Operands += (Operands.empty() ? "i64 " : ", i64 ") + utostr(Id);
    return node(Operands);
  }

  std::string function(unsigned F) {
    std::string Text = "define " +
                       (Linkages[F] == "external" ? "" : Linkages[F] + " ") +
                       "ptr @f" + utostr(F) + "(i64 %n) {\n";
    // Everything is used, so that nothing is dead.
    if (F == 0)
      for (unsigned Used = 1; Used != Items.size(); ++Used)
        Text += "  call ptr @f" + utostr(Used) + "(i64 1)\n";
    for (unsigned I = 0; I != Items[F].size(); ++I)
      Text += instruction(F, I);
    return Text + "  ret ptr %r" + utostr(Items[F].size() - 1) + "\n}\n";
  }

  std::string instruction(unsigned F, unsigned I) {
    const Item &Made = Items[F][I];
    std::string N = utostr(Made.Callee), Pointer = "%p" + utostr(I);
    std::string Begin = "  %r" + utostr(I) + " = call ptr ";
    std::string End = "(i64 %n)";
    if (!Made.Ids.empty())
      End += ", !callsite " + node(Made.Ids);
    std::string Load = "  " + Pointer + " = load ptr, ptr @pointer\n";
    switch (Made.Kind) {
    case Item::Direct:
      return Begin + "@f" + N + End + "\n";
    case Item::Alias:
      return Begin + "@a" + N + End + "\n";
    case Item::WeakAlias:
      return Begin + "@b" + N + End + "\n";
    case Item::Unknown:
      return Load + Begin + Pointer + End + "\n";
    case Item::Profiled:
      return Load + Begin + Pointer + End + ", !prof " +
             node("!\"VP\", i32 0, i64 100, i64 " +
                  utostr(GlobalValue::getGUIDAssumingExternalLinkage("f" + N)) +
                  ", i64 90") +
             "\n";
    case Item::Tail:
      return "  %r" + utostr(I) + " = " + pick({"tail", "musttail"}) +
             " call ptr @f" + N + End + "\n";
    case Item::Allocation:
      return Begin + "@malloc" + End + ", !memprof " + contexts(F, Made) + "\n";
    }
    llvm_unreachable("all kinds are covered");
  }

  /// Random ways from the allocation up to some caller, some of them broken.
  /// Direct recursion is folded in summaries, and left out here.
  std::string contexts(unsigned Owner, const Item &Made) {
    std::string Result;
    bool Sized = chance(50);
    for (uint64_t N = 1 + below(6); N; --N) {
      std::vector<uint64_t> Stack = Made.Ids;
      unsigned Callee = Owner;
      for (uint64_t Depth = below(6); Depth; --Depth) {
        std::vector<std::pair<unsigned, const Item *>> Callers;
        for (unsigned F = 0; F != Items.size(); ++F)
          for (const Item &I : Items[F])
            if (I.Kind != Item::Allocation && I.Callee == Callee && F != Callee)
              Callers.push_back({F, &I});
        if (Callers.empty())
          break;
        const auto &[Caller, I] = Callers[below(Callers.size())];
        Stack.insert(Stack.end(), I->Ids.begin(), I->Ids.end());
        Callee = Caller;
      }
      if (chance(5))
        Stack.push_back(++LastId);
      if (chance(10))
        Stack.pop_back();
      if (Stack.empty() ||
          std::adjacent_find(Stack.begin(), Stack.end()) != Stack.end())
        Stack = Made.Ids;
      std::string MIB = node(Stack) + ", !\"" +
                        pick({"cold", "cold", "notcold", "hot"}) + "\"";
      if (Sized && chance(80))
        MIB += ", " + node("i64 " + utostr(++LastId) + ", i64 " +
                           utostr(1 + below(1000)));
      Result += (Result.empty() ? "" : ", ") + node(MIB);
    }
    return node(Result);
  }

  std::mt19937_64 Engine;
  std::vector<std::string> Linkages;
  /// By function.
  std::vector<std::vector<Item>> Items;
  std::string Metadata;
  unsigned NumNodes = 0;
  uint64_t LastId = 0;
};

} // namespace

std::string thermocline::test::randomModule(uint64_t Seed) {
  return Generator(Seed).run();
}
