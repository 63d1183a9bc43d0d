//===- Annotate/AllocationFunctions.h - Calls that allocate -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of allocation functions that Thermocline knows: the name of
// each, its prototype, and its cold variant. Annotate attaches profiles to
// calls of them; hint lowering turns a call into one of its cold variant.
//
// A call counts only if it calls the function that the platform declares. So
// calls of a function that the module defines itself (a program's own malloc)
// or keeps internal do not count, nor those of a function of this name with
// another prototype. Calls in code compiled with -fno-builtin do: what serves
// them is what served them when they were profiled, and has cold memory as well
// or is called as ever. But LLVM must not learn from the cold variant what it
// was not to know of the plain function.
//
// A call through a pointer may be of any function of its type. If the profile
// says that it allocated, it is one of these.
//
// Front ends tell LLVM by attributes which functions allocate:
//
//   declare noalias ptr @__rust_alloc(i64, i64 allocalign)
//       allockind("alloc,uninitialized,aligned") allocsize(0)
//       "alloc-family"="__rust_alloc"
//
// So allocators of any language are known without the table. The memory of one
// function of a family may be given back to the others, and what is asked for
// cold memory in place of a function comes by the family, too. Of a family of
// which nothing else is known nothing is: its allocations are counted, and get
// no hint.
//
// The program can name further allocation functions (NamedAllocators.h). They
// are not in the table, and these conditions do not apply to them: the user
// says what they are.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_ALLOCATIONFUNCTIONS_H
#define THERMOCLINE_ANNOTATE_ALLOCATIONFUNCTIONS_H

#include "thermocline/Format/AllocationKinds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class DataLayout;
class Function;
class FunctionType;
class LLVMContext;
} // namespace llvm

namespace thermocline::annotate {

/// One enumerator for each allocation function, in the order of the table.
/// "Array" is operator new[]; "HotCold" has a trailing `__hot_cold_t` already.
enum class AllocationKind : uint8_t {
#define THERMOCLINE_KIND(Kind, ...) Kind,
#define THERMOCLINE_HOT_COLD_KIND(Kind, ...) Kind##HotCold,
  THERMOCLINE_OPERATORS_NEW(THERMOCLINE_KIND)
      THERMOCLINE_OPERATORS_NEW(THERMOCLINE_HOT_COLD_KIND)
          THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_KIND)
#undef THERMOCLINE_KIND
#undef THERMOCLINE_HOT_COLD_KIND
};

/// How a call of an allocation function is told that its memory is cold.
enum class HintForm : uint8_t {
  /// Call the cold variant with the same arguments and an `i8` hint after them.
  HintArgument,
  /// The program passes a hint of its own as last argument (`i8`). The cold
  /// variant is the function itself.
  OwnHint,
  /// Call the cold variant, whose prototype is the same.
  ColdVariant,
};

/// A row of the table.
struct AllocationFunction {
  AllocationKind Kind;
  HintForm Form;
  /// Linkage names (Itanium mangling, 64-bit size_t) of the function and its
  /// cold variant.
  llvm::StringLiteral Name;
  llvm::StringLiteral ColdName;
  /// Return type, then parameters: p pointer, z size_t, i int, h hint (i8),
  /// s the structure {pointer, size_t}.
  llvm::StringLiteral Prototype;

  bool isOperatorNew() const { return Form != HintForm::ColdVariant; }

  /// The type that calls of this function have.
  llvm::FunctionType *type(llvm::LLVMContext &Context,
                           const llvm::DataLayout &Layout) const;

  /// The type of the cold variant: `type()` with an `i8` after the parameters
  /// for HintForm::HintArgument, else `type()` itself.
  llvm::FunctionType *coldType(llvm::LLVMContext &Context,
                               const llvm::DataLayout &Layout) const;
};

/// What a call is, as far as allocation goes.
enum class AllocationVerdict : uint8_t {
  /// Calls something whose name is not in the table, or calls indirectly.
  NotByName,
  /// Calls an allocation function that may be hinted.
  Allocation,
  /// Operator new with a hint that the program passes itself.
  OwnHint,
  /// The callee has the name but is defined in this module: the program brings
  /// its own allocator, to which a foreign cold heap must not be mixed.
  DefinedHere,
  /// The callee has the name but another prototype.
  OtherPrototype,
  /// A musttail call of a function that would take a further argument.
  MustTail,
  /// The callee has no known name, but attributes that say it allocates, and
  /// nothing is known to call in its place (FamilyMember).
  UnknownFamily,
};

/// What classifyAllocationCall() finds: a verdict, and the row of the table
/// that it is about. \p Function is null for NotByName and UnknownFamily, and
/// for functions that the program names.
struct AllocationCall {
  const AllocationFunction *Function = nullptr;
  AllocationVerdict Verdict = AllocationVerdict::NotByName;
  /// The cold variant, if the program names the function; empty otherwise.
  llvm::StringRef ColdVariant = {};

  bool isNamed() const { return !ColdVariant.empty(); }
  /// Whether the callee is an allocation function by its name or attributes,
  /// whatever the verdict.
  bool isKnown() const { return Verdict != AllocationVerdict::NotByName; }
  bool isAllocation() const { return Verdict == AllocationVerdict::Allocation; }
};

/// The whole table, ordered by kind.
llvm::ArrayRef<AllocationFunction> allocationFunctions();

/// The row of \p Kind.
const AllocationFunction &allocationFunction(AllocationKind Kind);

/// The row whose Name is \p Name, or null. Constant time.
const AllocationFunction *findAllocationFunction(llvm::StringRef Name);

/// An allocation function that its attributes name, and not the table.
struct FamilyMember {
  /// The family's name; empty if the front end gives none.
  llvm::StringRef Family;
  /// The function to call for cold memory; empty if there is none.
  std::string ColdName;
};

/// What the attributes of \p F say; nothing if \p F does not allocate, is local
/// to its module, or is in the table, or the cold variant of what is.
std::optional<FamilyMember> familyMember(const llvm::Function &F);

/// The attribute of functions and calls that names the function to call for
/// cold memory.
inline constexpr llvm::StringLiteral ColdVariantAttribute =
    "alloc-variant-cold";

/// The cold variant that \p Call is marked with; empty if it is not.
llvm::StringRef coldVariant(const llvm::CallBase &Call);

/// The functions of the table that the indirect call \p Call may lead to, as
/// far as its type tells, and that take a hint: malloc, calloc, realloc,
/// reallocarray, posix_memalign and strdup, and others that its module
/// declares. (A program in C may have no operator new.)
llvm::SmallVector<const AllocationFunction *, 4>
allocationsOfType(const llvm::CallBase &Call);

/// The attribute of indirect calls with contexts that names these functions,
/// with commas between them. A copy of the call in another module, by import or
/// inlining, may be of the same.
inline constexpr llvm::StringLiteral BehindPointerAttribute =
    "alloc-behind-pointer";

/// Marks \p Call as a possible call of \p Functions.
void markBehindPointer(llvm::CallBase &Call,
                       llvm::ArrayRef<const AllocationFunction *> Functions);

/// The functions that the indirect call \p Call is marked with, without those
/// that its module defines itself or declares as something else.
llvm::SmallVector<const AllocationFunction *, 4>
allocationsBehind(const llvm::CallBase &Call);

/// Judges \p Call, a call or invoke.
AllocationCall classifyAllocationCall(const llvm::CallBase &Call);

/// Whether \p Call, of the function \p Row, is compiled with -fno-builtin or
/// -fno-builtin-NAME, or marked nobuiltin: LLVM is not to know what the
/// function does. A plain call of operator new always is.
bool isNoBuiltin(const llvm::CallBase &Call, const AllocationFunction &Row);

} // namespace thermocline::annotate

#endif
