//===- CallAlignmentTest.cpp - Which call became which --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/CallAlignment.h"
#include <gtest/gtest.h>
#include <string>

using namespace thermocline;
using namespace thermocline::annotate;
using profile::SourceCall;

namespace {

/// A call for each word of \p Text: a letter for the callee, and behind it, if
/// it is known, one for the text of its line.
std::vector<SourceCall> calls(llvm::StringRef Text) {
  std::vector<SourceCall> Result;
  llvm::SmallVector<llvm::StringRef> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Word : Words)
    Result.push_back({static_cast<int32_t>(Result.size()), 3,
                      static_cast<uint64_t>(Word[0]),
                      Word.size() > 1 ? static_cast<uint32_t>(Word[1]) : 0});
  return Result;
}

/// The numbers of then for each call of now; "-" for none.
std::string was(llvm::StringRef Then, llvm::StringRef Now) {
  const std::vector<SourceCall> Before = calls(Then), After = calls(Now);
  std::string Result;
  for (std::optional<size_t> Old : alignCalls(Before, After).Was)
    Result += Old ? std::to_string(*Old) : "-";
  return Result;
}

TEST(CallAlignment, PairsLinesOfTheSameText) {
  EXPECT_EQ(was("a1 a2 a3", "a1 a2 a3"), "012");
  EXPECT_EQ(was("a1 a2 a3", "n9 a1 a2 a3"), "-012");
  EXPECT_EQ(was("a1 a2 a3", "a3 a1 a2"), "201");
  EXPECT_EQ(was("a1 a2 a3", "a1 a3"), "02");
  EXPECT_EQ(was("a1 a1 b1", "b1 a1 a1"), "201");
}

TEST(CallAlignment, PairsWhatWasEditedBetweenOthers) {
  EXPECT_EQ(was("a1 b2 a3", "a1 b9 a3"), "012");
  EXPECT_EQ(was("a1 b2 c2 a3", "a1 b9 c9 a3"), "0123");
  EXPECT_EQ(was("a1 b2 a3", "a1 n8 b9 a3"), "0-12");
  // One may have gone and the other come.
  EXPECT_EQ(was("a1 b2 b4 a3", "a1 b9 a3"), "0-3");
  EXPECT_EQ(was("a1 b2 a3", "a1 b8 b9 a3"), "0--2");
}

TEST(CallAlignment, LeavesOutWhatIsAmbiguous) {
  EXPECT_EQ(was("a1 a1", "a1"), "-");
  EXPECT_EQ(was("a1", "a1 a1"), "--");
  EXPECT_EQ(was("a1 a1 b2", "a1 a1 a1 b2"), "---2");
}

TEST(CallAlignment, PairsByCalleesIfThereIsNoText) {
  EXPECT_EQ(was("a b a", "a b a"), "012");
  EXPECT_EQ(was("a b a", "n a b a"), "-012");
  EXPECT_EQ(was("a b", "a n b"), "0-1");
  // Which of the two is it?
  EXPECT_EQ(was("a a b", "a b"), "-2");
  EXPECT_EQ(was("a b", "a a b"), "--1");
  // Each longest common subsequence has one of a and b.
  EXPECT_EQ(was("a b", "b a"), "--");
}

/// The same with what the text says: \p Target, and a hash of the conditions.
SourceCall with(SourceCall Call, uint32_t Target, uint16_t Guard = 0) {
  Call.Target = Target;
  Call.Guard = Guard;
  return Call;
}

std::vector<std::optional<size_t>> was(std::vector<SourceCall> Then,
                                       std::vector<SourceCall> Now) {
  return alignCalls(Then, Now).Was;
}
using Pairs = std::vector<std::optional<size_t>>;

TEST(CallAlignment, PairsWhatIsForTheSame) {
  const SourceCall A1{1, 3, 'a', 1}, A2{2, 3, 'a', 2}, A8{1, 3, 'a', 8},
      A9{2, 3, 'a', 9};
  // Both lines were edited, and changed places.
  EXPECT_EQ(was({with(A1, 5), with(A2, 6)}, {with(A8, 6), with(A9, 5)}),
            (Pairs{1, 0}));
  // One was replaced.
  EXPECT_EQ(was({with(A1, 5)}, {with(A8, 6)}), Pairs{std::nullopt});
  EXPECT_EQ(was({with(A1, 5), with(A2, 6)}, {with(A8, 5), with(A9, 7)}),
            (Pairs{0, std::nullopt}));
  // One was copied, and its copy edited.
  EXPECT_EQ(was({with(A1, 5)}, {with(A8, 5), with(A9, 5)}),
            (Pairs{std::nullopt, std::nullopt}));
}

TEST(CallAlignment, TellsEqualLinesApartByWhatTheyAreIn) {
  const SourceCall A{1, 3, 'a', 1}, B{2, 3, 'a', 1};
  EXPECT_EQ(was({with(A, 5, 1), with(B, 5, 2)}, {with(A, 5, 2), with(B, 5, 1)}),
            (Pairs{1, 0}));
  // Both conditions are others now.
  EXPECT_EQ(was({with(A, 5, 1), with(B, 5, 2)}, {with(A, 5, 3), with(B, 5, 4)}),
            (Pairs{std::nullopt, std::nullopt}));
  EXPECT_FALSE(areSameCalls({with(A, 5, 1)}, {with(A, 5, 3)}));
}

/// The same under \p Conditions.
SourceCall under(SourceCall Call, std::vector<uint16_t> Conditions) {
  for (uint16_t Condition : Conditions)
    Call.Guard = Call.Guard * 10 + Condition;
  Call.Conditions = std::move(Conditions);
  return Call;
}

TEST(CallAlignment, PairsOnlyWhatHasToHoldStill) {
  const SourceCall A{1, 3, 'a', 1}, B{2, 3, 'a', 1};
  const Pairs None = {std::nullopt}, Neither = {std::nullopt, std::nullopt};
  EXPECT_EQ(was({under(A, {1})}, {under(A, {1, 2})}), Pairs{0});
  EXPECT_EQ(was({under(A, {})}, {under(A, {2})}), Pairs{0});
  EXPECT_EQ(was({under(A, {1})}, {under(A, {2})}), None);
  EXPECT_EQ(was({under(A, {1, 2})}, {under(A, {1})}), None);
  // Each of several.
  EXPECT_EQ(
      was({under(A, {1}), under(B, {2})}, {under(A, {0, 2}), under(B, {0, 1})}),
      (Pairs{1, 0}));
  // `if (1) { a; return; } a;` with another condition, or without it.
  EXPECT_EQ(was({under(A, {1}), under(B, {})}, {under(A, {2}), under(B, {})}),
            Neither);
  EXPECT_EQ(was({under(A, {5, 6}), under(B, {5})}, {under(B, {5})}), None);
  EXPECT_EQ(was({under(B, {5})}, {under(A, {5, 6}), under(B, {5})}), Neither);
}

TEST(CallAlignment, PairsStepsByWhatTheyAreGiven) {
  auto Given = [](SourceCall Call, std::vector<uint16_t> Arguments,
                  std::vector<uint16_t> Words = {}) {
    Call.Arguments = std::move(Arguments);
    Call.Words = std::move(Words);
    return Call;
  };
  const SourceCall A{1, 3, 'a', 1}, B{2, 3, 'a', 2}, C{3, 3, 'a', 3};
  auto Was = [](std::vector<SourceCall> Then, std::vector<SourceCall> Now,
                CallTraffic Traffic = CallTraffic::Common) {
    return alignCalls(Then, Now, nullptr,
                      [&](const SourceCall &) { return Traffic; })
        .Was;
  };
  const Pairs None = {std::nullopt}, Neither = {std::nullopt, std::nullopt};
  // Another condition.
  EXPECT_EQ(Was({under(A, {1})}, {under(A, {2})}), Pairs{0});
  EXPECT_EQ(Was({under(A, {1})}, {under(A, {2})}, CallTraffic::Contexts), None);
  EXPECT_EQ(Was({under(A, {1})}, {under(A, {2})}, CallTraffic::None), None);
  // Another statement and condition, of one and of several.
  EXPECT_EQ(Was({under(Given(A, {7}), {1})}, {under(Given(B, {7}), {2})}),
            Pairs{0});
  EXPECT_EQ(Was({under(Given(A, {7}), {1}), under(Given(B, {7}), {2})},
                {under(Given(C, {7}), {3}), under(Given(B, {7}), {4})}),
            (Pairs{0, 1}));
  // Which of two has gone?
  EXPECT_EQ(Was({under(Given(A, {7}), {1}), under(Given(B, {7}), {2})},
                {under(Given(C, {7}), {3})}),
            None);
  // Another place, and other arguments.
  EXPECT_EQ(Was({with(Given(A, {7}, {7}), 5)}, {with(Given(B, {7}, {7}), 6)}),
            None);
  EXPECT_EQ(Was({Given(A, {7}, {7})}, {Given(B, {8}, {8})}), None);
  EXPECT_EQ(Was({Given(A, {7, 8}, {7, 8})}, {Given(B, {8, 7}, {7, 8})}), None);
  // What was given is within something else.
  EXPECT_EQ(Was({under(Given(A, {7}, {7}), {1})}, {Given(B, {8, 9}, {7, 8})}),
            Pairs{0});
  EXPECT_EQ(Was({under(Given(A, {7}, {7}), {1})},
                {Given(B, {8, 9}, {7, 8}), Given(C, {9, 9}, {7, 9})}),
            Neither);
  // There may be more that is not known.
  const std::vector<uint16_t> Many(SourceCall::MaxPieces, 7);
  EXPECT_EQ(Was({under(Given(A, Many, {7}), {1})}, {Given(B, Many, {8})}),
            None);
}

TEST(CallAlignment, AsksWhatBecameOfAGap) {
  const std::vector<SourceCall> Before = calls("a1 b2 b3 a4"),
                                After = calls("a1 h9 a4");
  unsigned Asked = 0;
  const CallAlignment Aligned =
      alignCalls(Before, After, [&](const CallGap &Gap) {
        ++Asked;
        EXPECT_EQ(Gap.Then, (std::vector<size_t>{1, 2}));
        EXPECT_EQ(Gap.Now, std::vector<size_t>{1});
      });
  EXPECT_EQ(Asked, 1u);
  EXPECT_EQ(Aligned.numPairs(), 2u);
}

TEST(CallAlignment, KnowsWhatIsUnchanged) {
  EXPECT_TRUE(areSameCalls(calls("a1 b2"), calls("a1 b2")));
  EXPECT_TRUE(areSameCalls(calls("a1 b2"), calls("a b")));
  EXPECT_FALSE(areSameCalls(calls("a1 b2"), calls("a1 b3")));
  EXPECT_FALSE(areSameCalls(calls("a1 b2"), calls("a1")));
}

TEST(CallAlignment, CallsRenamedVariablesAsTheyWere) {
  auto Function = [](llvm::StringRef Calls, std::vector<uint16_t> Locals) {
    profile::SourceFunction Result;
    Result.Calls = calls(Calls);
    // The same but for the names: a1 and a3, b2 and b4.
    for (SourceCall &Call : Result.Calls)
      Call.Nameless = Call.Text % 2 + 1;
    Result.Locals = std::move(Locals);
    return Result;
  };
  const profile::SourceFunction Was = Function("a1 b2", {10, 20});
  auto IsNamed = [&](const profile::SourceFunction &Now) {
    const std::vector<SourceCall> Named = withLocalsNamed(Was, Now, Now.Calls);
    EXPECT_TRUE(Named == Now.Calls || areSameCalls(Named, Was.Calls));
    return Named != Now.Calls;
  };
  EXPECT_TRUE(IsNamed(Function("a3 b4", {10, 21})));
  EXPECT_TRUE(IsNamed(Function("a3 b4", {11, 21})));
  // Nothing was renamed, two exchanged their names, one got that of the other,
  // there is one more.
  EXPECT_FALSE(IsNamed(Function("a3 b4", {10, 20})));
  EXPECT_FALSE(IsNamed(Function("a3 b4", {20, 10})));
  EXPECT_FALSE(IsNamed(Function("a3 b4", {20, 30})));
  EXPECT_FALSE(IsNamed(Function("a3 b4", {10, 21, 30})));
  // Another callee, other than but for the names.
  EXPECT_FALSE(IsNamed(Function("c3 d4", {10, 21})));
  EXPECT_FALSE(IsNamed(Function("a4 b3", {10, 21})));
}

} // namespace
