//===- HintLowering.h - Cold allocations call cold functions ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %p = call ptr @malloc(i64 %n) "memprof"="cold"
//          %q = invoke ptr @_Znwm(i64 8) "memprof"="cold" to ...
// After:   %p = call ptr @malloc_cold(i64 %n) "memprof"="cold"
//          %q = invoke ptr @_Znwm12__hot_cold_t(i64 8, i8 1) ... to ...
//
// The same for the program's own allocation functions
// (Annotate/NamedAllocators.h):
//
// Before:  %r = call ptr @pool_alloc(i64 8) "memprof"="cold"
//                   "alloc-variant-cold"="pool_alloc_cold"
// After:   %r = call ptr @pool_alloc_cold(i64 8) "memprof"="cold"
//
// Before:  %r = call ptr %p(i64 8) "memprof"="cold"
// After:   %is = icmp eq ptr %p, @malloc
//          br i1 %is, label %direct, label %indirect
//        direct:
//          %r1 = call ptr @malloc_cold(i64 8)
//        indirect:
//          %r2 = call ptr %p(i64 8)
//
// If objects that are not cold are to lie in order of allocation, a module with
// hinted calls also defines what the allocator's archive looks for
// (Format/Symbols.h):
//
// After:   @thermocline_alloc_options_of_link = weak hidden constant [8 x i8]
//              c"order=1\00", comdat
//
// The declarations of the cold functions carry what LLVM knows of the plain
// ones, so that later passes still see allocations.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_HINTLOWERING_H
#define THERMOCLINE_APPLY_HINTLOWERING_H

#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "thermocline/Apply/Statistics.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace thermocline::apply {

/// What becomes of hints that the program passes to operator new itself, where
/// the profile has the call.
enum class OwnHints : uint8_t {
  /// They stay.
  Keep,
  /// A cold decision replaces them.
  LetCold,
  /// Every decision replaces them.
  LetAll,
};

struct HintOptions {
  /// Passed as `__hot_cold_t` by cold calls of operator new.
  uint8_t ColdHint = 1;
  /// Passed in place of the program's own hint by calls that are not cold.
  uint8_t NotColdHint = 128;
  OwnHints Own = OwnHints::Keep;
  /// Whether modules with hinted calls ask the allocator to lay small objects
  /// in order of allocation.
  bool InOrder = false;
  /// Functions whose calls the linker sends elsewhere (--wrap, --defsym,
  /// scripts), sorted. A call of the cold variant would bypass what the program
  /// put in their place.
  std::vector<std::string> Redefined;
  /// Cold variants of the program's own allocation functions that the link does
  /// not have, sorted. Calls of them would be undefined.
  std::vector<std::string> MissingVariants;
  /// Whether the program has an operator new or delete of its own, without or
  /// with an alignment. Hinted calls of these forms land cold only if its
  /// operators lead to the allocator's malloc, which is seen at run time.
  bool HasOwnOperators = false, HasOwnAlignedOperators = false;
};

/// Why a link with \p Options does not hint the calls that \p Calls stands for,
/// whatever is decided; nothing if it does. In a thin link, where the calls
/// themselves are not at hand.
std::optional<NotLowered> whyKept(annotate::CalledAllocator Calls,
                                  const HintOptions &Options);

/// Why a link with \p Options does not hint \p Call, which is not decided on
/// yet; nothing if it does.
std::optional<NotLowered> whyKept(const llvm::CallBase &Call,
                                  const HintOptions &Options);

/// Whether such calls, if they are marked cold, make the hinted call whenever
/// they run, and get cold memory by it. Else that depends on where a pointer
/// leads, or an operator new of the program's own.
bool isSureToBeHinted(annotate::CalledAllocator Calls,
                      const HintOptions &Options);

/// Whether that is so for \p Call, whose mark, if it has one, says that it
/// \p Calls.
bool isSureToBeHinted(const llvm::CallBase &Call,
                      annotate::CalledAllocator Calls,
                      const HintOptions &Options);

/// Lowers the marks of one module. Run by the backend after the decisions were
/// applied, and by regular LTO.
class HintLowering {
public:
  HintLowering(llvm::Module &M, const HintOptions &Options,
               ApplyStatistics &Statistics);

  /// Lowers every call marked `"memprof"="cold"`, and replaces the program's
  /// own hints as the options say. Returns whether the module changed.
  bool run();

  /// Makes \p Call call the cold function. Replaces the instruction if its
  /// arguments change. Returns the call as it is now. If it cannot be lowered,
  /// counts the reason and returns null.
  llvm::CallBase *lower(llvm::CallBase &Call);

private:
  /// Lowers a call that names its cold variant; otherwise like lower().
  llvm::CallBase *lowerNamed(llvm::CallBase &Call);
  /// Lowers an indirect call: makes it a direct one of each allocation function
  /// that it may be of, if the pointer is to that function, and lowers these.
  /// The indirect call remains for all others.
  llvm::CallBase *lowerPointer(llvm::CallBase &Call);
  /// Asks the allocator for order.
  void askForOrder();
  /// Counts why \p Call stays as it is, and emits a remark. Returns null.
  llvm::CallBase *keep(llvm::CallBase &Call, NotLowered Reason);
  /// The declaration of the cold variant of \p Plain; null if the name is taken
  /// by something else.
  llvm::Function *coldFunction(const annotate::AllocationFunction &Row,
                               const llvm::Function &Plain);

  llvm::Module &M;
  HintOptions Options;
  ApplyStatistics &Statistics;
  /// Whether some marked call is of a function that LLVM is to know nothing of.
  /// What it may know of the cold variant then stands at the other calls.
  bool HasNoBuiltin = false;
};

} // namespace thermocline::apply

#endif
