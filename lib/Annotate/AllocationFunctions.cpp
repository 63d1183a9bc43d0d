//===- Annotate/AllocationFunctions.cpp - Calls that allocate -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline::annotate;

namespace {

using enum AllocationKind;
using enum HintForm;

constexpr AllocationFunction Table[] = {
#define THERMOCLINE_NEW(Kind, Name, Symbol, ColdSymbol, Prototype)             \
  {Kind, HintArgument, Symbol, ColdSymbol, Prototype},
#define THERMOCLINE_HOT_COLD_NEW(Kind, Name, Symbol, ColdSymbol, Prototype)    \
  {Kind##HotCold, OwnHint, ColdSymbol, ColdSymbol, Prototype "h"},
#define THERMOCLINE_C_FUNCTION(Kind, Name, Prototype)                          \
  {Kind, ColdVariant, Name, Name "_cold", Prototype},
    THERMOCLINE_OPERATORS_NEW(THERMOCLINE_NEW)
        THERMOCLINE_OPERATORS_NEW(THERMOCLINE_HOT_COLD_NEW)
            THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_C_FUNCTION)
#undef THERMOCLINE_NEW
#undef THERMOCLINE_HOT_COLD_NEW
#undef THERMOCLINE_C_FUNCTION
};

constexpr bool isOrderedByKind() {
  unsigned Index = 0;
  for (const AllocationFunction &Row : Table)
    if (static_cast<unsigned>(Row.Kind) != Index++)
      return false;
  return Index == static_cast<unsigned>(Strndup) + 1;
}
static_assert(isOrderedByKind(), "the table is indexed by AllocationKind");

Type *typeOf(char Letter, LLVMContext &Context, const DataLayout &Layout) {
  Type *Pointer = PointerType::getUnqual(Context);
  Type *Size = Type::getIntNTy(Context, Layout.getIndexSizeInBits(0));
  switch (Letter) {
  case 'p':
    return Pointer;
  case 'z':
    return Size;
  case 'i':
    return Type::getInt32Ty(Context);
  case 'h':
    return Type::getInt8Ty(Context);
  case 's':
    return StructType::get(Context, {Pointer, Size});
  }
  llvm_unreachable("the table has no other letters");
}

/// \p Prototype followed by \p Suffix as a function type.
FunctionType *functionType(StringRef Prototype, StringRef Suffix,
                           LLVMContext &Context, const DataLayout &Layout) {
  SmallVector<Type *, 5> Types;
  for (StringRef Part : {Prototype, Suffix})
    for (char Letter : Part)
      Types.push_back(typeOf(Letter, Context, Layout));
  return FunctionType::get(Types.front(), ArrayRef(Types).drop_front(),
                           /*isVarArg=*/false);
}

/// Whether \p Actual is what calls of a function of type \p Expected look like.
/// A named structure of the right elements is as good as a literal one.
bool isSamePrototype(const FunctionType *Actual, const FunctionType *Expected) {
  if (Actual->isVarArg() || Actual->params() != Expected->params())
    return false;
  Type *Is = Actual->getReturnType(), *Wanted = Expected->getReturnType();
  if (Is == Wanted)
    return true;
  auto *IsStruct = dyn_cast<StructType>(Is);
  auto *WantedStruct = dyn_cast<StructType>(Wanted);
  return IsStruct && WantedStruct &&
         IsStruct->elements() == WantedStruct->elements();
}

/// Whether pointers to allocation functions are likely to be to this one, of
/// those of its type, and every program has it.
bool isForPointers(AllocationKind Kind) {
  switch (Kind) {
  case Malloc:
  case Calloc:
  case Realloc:
  case Reallocarray:
  case PosixMemalign:
  case Strdup:
    return true;
  default:
    return false;
  }
}

/// Whether \p Call calls what a virtual table holds, which is a member
/// function. Not seen without type-based alias information, as at -O0.
bool isVirtualCall(const CallBase &Call) {
  const auto *Entry =
      dyn_cast<LoadInst>(Call.getCalledOperand()->stripPointerCasts());
  if (!Entry)
    return false;
  const auto *Table = dyn_cast<LoadInst>(
      Entry->getPointerOperand()->stripInBoundsConstantOffsets());
  const MDNode *Access =
      Table ? Table->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  return Access && Access->isTBAAVtableAccess();
}

/// Whether the indirect call \p Call may be of the function \p Row as far as
/// types tell, and of the platform's own.
bool mayBeBehind(const CallBase &Call, const AllocationFunction &Row) {
  const Module &M = *Call.getModule();
  const FunctionType *Expected = Row.type(M.getContext(), M.getDataLayout());
  if (!isSamePrototype(Call.getFunctionType(), Expected))
    return false;
  const GlobalValue *Known = M.getNamedValue(Row.Name);
  const auto *Declared = dyn_cast_or_null<Function>(Known);
  return !Known || (Declared && !Declared->hasLocalLinkage() &&
                    Declared->isDeclarationForLinker());
}

} // namespace

FunctionType *AllocationFunction::type(LLVMContext &Context,
                                       const DataLayout &Layout) const {
  return functionType(Prototype, "", Context, Layout);
}

FunctionType *AllocationFunction::coldType(LLVMContext &Context,
                                           const DataLayout &Layout) const {
  return functionType(Prototype, Form == HintArgument ? "h" : "", Context,
                      Layout);
}

ArrayRef<AllocationFunction> thermocline::annotate::allocationFunctions() {
  return Table;
}

const AllocationFunction &
thermocline::annotate::allocationFunction(AllocationKind Kind) {
  return Table[static_cast<unsigned>(Kind)];
}

const AllocationFunction *
thermocline::annotate::findAllocationFunction(StringRef Name) {
  static const StringMap<const AllocationFunction *> ByName = [] {
    StringMap<const AllocationFunction *> Map;
    for (const AllocationFunction &Row : Table)
      Map[Row.Name] = &Row;
    return Map;
  }();
  return ByName.lookup(Name);
}

static bool isInTable(StringRef Name) {
  Name.consume_back("_cold");
  return findAllocationFunction(Name);
}

std::optional<FamilyMember>
thermocline::annotate::familyMember(const Function &F) {
  const Attribute Kind = F.getFnAttribute(Attribute::AllocKind);
  constexpr AllocFnKind Allocates = AllocFnKind::Alloc | AllocFnKind::Realloc;
  if (!Kind.isValid() ||
      (Kind.getAllocKind() & Allocates) == AllocFnKind::Unknown ||
      F.hasLocalLinkage() || F.isIntrinsic() || isInTable(F.getName()) ||
      isRustColdVariant(F.getName()))
    return std::nullopt;
  const StringRef Family = F.getFnAttribute("alloc-family").getValueAsString();
  const bool IsRusts = Family == RustFamily && isRustAllocator(F.getName());
  return FamilyMember{Family,
                      IsRusts ? (rustcName(F.getName()) + "_cold").str() : ""};
}

StringRef thermocline::annotate::coldVariant(const CallBase &Call) {
  Attribute Mark = Call.getAttributes().getFnAttr(ColdVariantAttribute);
  return Mark.isValid() ? Mark.getValueAsString() : StringRef();
}

SmallVector<const AllocationFunction *, 4>
thermocline::annotate::allocationsOfType(const CallBase &Call) {
  SmallVector<const AllocationFunction *, 4> Result;
  if (!Call.isIndirectCall() || isVirtualCall(Call))
    return Result;
  for (const AllocationFunction &Row : Table)
    if (Row.Form != HintForm::OwnHint &&
        (isForPointers(Row.Kind) || Call.getModule()->getFunction(Row.Name)) &&
        mayBeBehind(Call, Row))
      Result.push_back(&Row);
  return Result;
}

void thermocline::annotate::markBehindPointer(
    CallBase &Call, ArrayRef<const AllocationFunction *> Functions) {
  std::string Names;
  for (const AllocationFunction *Row : Functions)
    Names += (Names.empty() ? "" : ",") + Row->Name.str();
  Call.addFnAttr(
      Attribute::get(Call.getContext(), BehindPointerAttribute, Names));
}

SmallVector<const AllocationFunction *, 4>
thermocline::annotate::allocationsBehind(const CallBase &Call) {
  SmallVector<const AllocationFunction *, 4> Result;
  Attribute Mark = Call.getAttributes().getFnAttr(BehindPointerAttribute);
  if (!Mark.isValid() || !Call.isIndirectCall())
    return Result;
  for (StringRef Name : split(Mark.getValueAsString(), ','))
    if (const AllocationFunction *Row = findAllocationFunction(Name);
        Row && mayBeBehind(Call, *Row))
      Result.push_back(Row);
  return Result;
}

bool thermocline::annotate::isNoBuiltin(const CallBase &Call,
                                        const AllocationFunction &Row) {
  const llvm::Function &Caller = *Call.getFunction();
  return Caller.hasFnAttribute("no-builtins") ||
         Caller.hasFnAttribute(("no-builtin-" + Row.Name).str()) ||
         Call.isNoBuiltin();
}

AllocationCall
thermocline::annotate::classifyAllocationCall(const CallBase &Call) {
  // A call through a type that is not the function's own has no called
  // function; it is judged by what it would call.
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!Callee || Callee->isIntrinsic())
    return {};
  if (StringRef Variant = coldVariant(Call); !Variant.empty())
    return {nullptr, AllocationVerdict::Allocation, Variant};
  const AllocationFunction *Row = findAllocationFunction(Callee->getName());
  if (!Row) {
    // What is defined here calls something that is known, or maps memory.
    auto Member =
        Callee->isDeclarationForLinker() ? familyMember(*Callee) : std::nullopt;
    if (Member && Member->ColdName.empty())
      return {nullptr, AllocationVerdict::UnknownFamily};
    return {};
  }
  if (Callee->hasLocalLinkage() || !Callee->isDeclarationForLinker())
    return {Row, AllocationVerdict::DefinedHere};
  const FunctionType *Expected =
      Row->type(Callee->getContext(), Callee->getDataLayout());
  // A declaration may be another module's, of C without prototypes, when calls
  // were imported or modules merged.
  if (!isSamePrototype(Call.getFunctionType(), Expected))
    return {Row, AllocationVerdict::OtherPrototype};
  if (Row->Form == HintForm::OwnHint)
    return {Row, AllocationVerdict::OwnHint};
  if (Row->Form == HintForm::HintArgument && Call.isMustTailCall())
    return {Row, AllocationVerdict::MustTail};
  return {Row, AllocationVerdict::Allocation};
}
