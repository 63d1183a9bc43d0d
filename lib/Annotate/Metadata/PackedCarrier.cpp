//===- Annotate/Metadata/PackedCarrier.cpp - How packed contexts travel ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

using namespace llvm;
using namespace thermocline;

/// Metadata of an allocation: the name that holds its packed contexts.
static constexpr StringLiteral PackedMetadata = "thermocline.contexts";

static constexpr StringLiteral Prefix = "thermocline.";
static constexpr annotate::NoteForm PackedForm = {"contexts", 3};
static constexpr size_t IdDigits = 16;

/// What the bytes are written with: all that ASCII prints, but for what would
/// end a name in the text of LLVM's summaries. Two of them are one of 8,281.
static constexpr char Letters[] =
    "!#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_"
    "`abcdefghijklmnopqrstuvwxyz{|}";
static constexpr unsigned NumLetters = std::size(Letters) - 1;
static_assert(NumLetters == 91);
/// Bits in one letter, and in two.
static constexpr unsigned BitsInOne = 6, BitsInTwo = 13;

std::optional<annotate::PackedReference>
annotate::PackedReference::of(NamedContexts Named) {
  std::optional<ContextMark> Mark = ContextMark::of(Named);
  if (!Mark || Mark->Is != ContextMark::Kind::Packed)
    return std::nullopt;
  Named = Named.drop_back(1 + Mark->NumBasisWords);
  if (Named.size() != 2 || !Named[1].FullStackId ||
      Named[1].FullStackId > std::numeric_limits<uint32_t>::max())
    return std::nullopt;
  return PackedReference{Named[0].FullStackId,
                         static_cast<uint32_t>(Named[1].FullStackId - 1)};
}

/// \p Bytes in letters.
static std::string lettersOf(StringRef Bytes) {
  std::string Result;
  Result.reserve(Bytes.size() * 16 / BitsInTwo + 2);
  uint64_t Bits = 0;
  unsigned NumBits = 0;
  auto WriteTwo = [&] {
    const unsigned Value = Bits & ((1u << BitsInTwo) - 1);
    Result += Letters[Value % NumLetters];
    Result += Letters[Value / NumLetters];
  };
  for (char Byte : Bytes) {
    Bits |= uint64_t(static_cast<uint8_t>(Byte)) << NumBits;
    NumBits += 8;
    if (NumBits < BitsInTwo)
      continue;
    WriteTwo();
    Bits >>= BitsInTwo;
    NumBits -= BitsInTwo;
  }
  if (NumBits > BitsInOne)
    WriteTwo();
  else if (NumBits)
    Result += Letters[Bits];
  return Result;
}

/// What lettersOf() made \p Left of, or other bytes.
static std::string bytesOf(StringRef Left) {
  static constexpr auto Values = [] {
    std::array<uint8_t, 256> Result{};
    for (unsigned I = 0; I != NumLetters; ++I)
      Result[static_cast<uint8_t>(Letters[I])] = I;
    return Result;
  }();
  auto ValueOf = [](char Letter) -> uint64_t {
    return Values[static_cast<uint8_t>(Letter)];
  };
  std::string Result;
  Result.reserve(Left.size() * BitsInTwo / 16 + 1);
  uint64_t Bits = 0;
  unsigned NumBits = 0;
  while (!Left.empty()) {
    const bool IsLast = Left.size() == 1;
    Bits |= (ValueOf(Left[0]) + (IsLast ? 0 : ValueOf(Left[1]) * NumLetters))
            << NumBits;
    NumBits += IsLast ? BitsInOne : BitsInTwo;
    Left = Left.drop_front(IsLast ? 1 : 2);
    for (; NumBits >= 8; NumBits -= 8) {
      Result += static_cast<char>(Bits & 0xff);
      Bits >>= 8;
    }
  }
  return Result;
}

/// \p Name is what errors call it.
static PartForm partOf(const annotate::NoteForm &Form, StringRef Name) {
  return {format::partKind(Form.Kind.data()), Form.Version, Name, Compress::No};
}

static std::string partWith(const annotate::NoteForm &Form, StringRef Payload) {
  std::string Result;
  writePart(Result, partOf(Form, ""), Payload);
  return Result;
}

static Expected<std::string> payloadIn(StringRef Letters,
                                       const annotate::NoteForm &Form,
                                       const Twine &What) {
  const std::string Bytes = bytesOf(Letters), Name = What.str();
  Expected<PartPayload> Payload = parsePart(Bytes, partOf(Form, Name));
  if (!Payload)
    return Payload.takeError();
  return Payload->bytes().str();
}

/// Takes "thermocline.", the kind and a point from the front of \p Name.
static bool consumeKind(StringRef &Name, const annotate::NoteForm &Form) {
  return Name.consume_front(Prefix) && Name.consume_front(Form.Kind) &&
         Name.consume_front(".");
}

std::string annotate::nameOfPacked(StringRef Packed) {
  const std::string Part = partWith(PackedForm, Packed);
  const uint64_t Id = std::max<uint64_t>(
      wordAt(Part, offsetof(format::PartHeader, Checksum)), 1);
  return (Prefix + PackedForm.Kind + ".").str() +
         utohexstr(Id, /*LowerCase=*/true, IdDigits) + "." + lettersOf(Part);
}

std::optional<uint64_t> annotate::packedIdOf(StringRef Name) {
  uint64_t Id;
  if (!consumeKind(Name, PackedForm) || Name.size() <= IdDigits ||
      Name[IdDigits] != '.' || Name.take_front(IdDigits).getAsInteger(16, Id))
    return std::nullopt;
  return Id;
}

Expected<std::string> annotate::packedIn(StringRef Name) {
  consumeKind(Name, PackedForm);
  return payloadIn(Name.drop_front(IdDigits + 1), PackedForm,
                   "packed contexts");
}

static std::string nameInErrors(const annotate::NoteForm &Form) {
  return ("note of the compiler (" + Form.Kind + ")").str();
}

std::string annotate::nameOfNote(const NoteForm &Form, StringRef Payload) {
  return (Prefix + Form.Kind + ".").str() + lettersOf(partWith(Form, Payload));
}

Error annotate::readNote(StringRef Name, const NoteForm &Form,
                         function_ref<bool(StringRef)> Read) {
  if (!consumeKind(Name, Form))
    return Error::success();
  Expected<std::string> Payload = payloadIn(Name, Form, nameInErrors(Form));
  if (!Payload)
    return Payload.takeError();
  return Read(*Payload)
             ? Error::success()
             : createStringError(nameInErrors(Form) + ": it is damaged");
}

void annotate::addPackedVariable(Module &M, StringRef Name) {
  Type *Byte = Type::getInt8Ty(M.getContext());
  auto *Variable = new GlobalVariable(M, Byte, /*isConstant=*/true,
                                      GlobalValue::WeakODRLinkage,
                                      ConstantInt::get(Byte, 0), Name);
  Variable->setVisibility(GlobalValue::HiddenVisibility);
  Variable->setSection("llvm.metadata");
}

/// The kind of metadata that holds the name. Nothing if it is not in use: a
/// kind that was asked for by its name is in all bitcode that is written then.
static std::optional<unsigned> packedKind(const LLVMContext &Context) {
  SmallVector<StringRef, 64> Kinds;
  Context.getMDKindNames(Kinds);
  auto Found = llvm::find(Kinds, PackedMetadata);
  if (Found == Kinds.end())
    return std::nullopt;
  return Found - Kinds.begin();
}

void annotate::addNote(Module &M, const NoteForm &Form, StringRef Payload) {
  const std::string Name = nameOfNote(Form, Payload);
  addPackedVariable(M, Name);
  LLVMContext &Context = M.getContext();
  M.getOrInsertNamedMetadata((Prefix + Form.Kind).str())
      ->addOperand(MDNode::get(Context, {MDString::get(Context, Name)}));
}

void annotate::noteNumbers(Module &M, const NoteForm &Form,
                           const std::set<uint64_t> &Numbers) {
  if (Numbers.empty())
    return;
  std::string Payload;
  putCounted(Payload, Numbers);
  addNote(M, Form, Payload);
}

Error annotate::addNumbersIn(StringRef Name, const NoteForm &Form,
                             std::set<uint64_t> &Numbers) {
  return readNote(Name, Form, [&](StringRef Payload) {
    WordReader Words(Payload);
    return Words.countedNumbers(Numbers) && Words.empty();
  });
}

static void forEachNoteOf(const NamedMDNode &Node,
                          function_ref<void(StringRef)> Visit) {
  for (const MDNode *Note : Node.operands())
    if (Note->getNumOperands() == 1)
      if (auto *Name = dyn_cast_or_null<MDString>(Note->getOperand(0).get()))
        Visit(Name->getString());
}

void annotate::forEachNote(const Module &M,
                           function_ref<void(StringRef)> Visit) {
  for (const NamedMDNode &Node : M.named_metadata())
    if (isCarrierName(Node.getName()))
      forEachNoteOf(Node, Visit);
}

bool annotate::isCarrierName(StringRef Name) {
  return Name.starts_with(Prefix);
}

void annotate::attachPackedName(CallBase &Call, StringRef Name) {
  LLVMContext &Context = Call.getContext();
  Call.setMetadata(PackedMetadata,
                   MDNode::get(Context, {MDString::get(Context, Name)}));
}

bool annotate::removePackedName(Instruction &I) {
  std::optional<unsigned> Kind = packedKind(I.getContext());
  if (!Kind || !I.hasMetadata(*Kind))
    return false;
  I.setMetadata(*Kind, nullptr);
  return true;
}

StringRef annotate::packedNameAt(const CallBase &Call) {
  std::optional<unsigned> Kind = packedKind(Call.getContext());
  const MDNode *Node = Kind ? Call.getMetadata(*Kind) : nullptr;
  if (!Node || Node->getNumOperands() != 1)
    return "";
  auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(0).get());
  return Name ? Name->getString() : "";
}
