//===- profile/unwind/UnwindRules.cpp - How to step out of a function -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnwindRules.h"
#include "arch/Frames.h"
#include "arch/UnwindTables.h"
#include "platform/Memory.h"
#include "platform/System.h"
#include <dlfcn.h>
#include <link.h>

using namespace thermocline::runtime;

namespace {

constexpr int64_t WordBytes = sizeof(uintptr_t);

/// Instructions that make a row of the table out of the one before it, as DWARF
/// names them. The first three have an operand in their lower six bits.
enum Instruction : uint8_t {
  DW_CFA_advance_loc = 0x40,
  DW_CFA_offset = 0x80,
  DW_CFA_restore = 0xc0,
  DW_CFA_nop = 0x00,
  DW_CFA_advance_loc1 = 0x02,
  DW_CFA_advance_loc2 = 0x03,
  DW_CFA_advance_loc4 = 0x04,
  DW_CFA_offset_extended = 0x05,
  DW_CFA_restore_extended = 0x06,
  DW_CFA_undefined = 0x07,
  DW_CFA_same_value = 0x08,
  DW_CFA_register = 0x09,
  DW_CFA_remember_state = 0x0a,
  DW_CFA_restore_state = 0x0b,
  DW_CFA_def_cfa = 0x0c,
  DW_CFA_def_cfa_register = 0x0d,
  DW_CFA_def_cfa_offset = 0x0e,
  DW_CFA_def_cfa_expression = 0x0f,
  DW_CFA_expression = 0x10,
  DW_CFA_offset_extended_sf = 0x11,
  DW_CFA_def_cfa_sf = 0x12,
  DW_CFA_def_cfa_offset_sf = 0x13,
  DW_CFA_val_offset = 0x14,
  DW_CFA_val_offset_sf = 0x15,
  DW_CFA_val_expression = 0x16,
  DW_CFA_GNU_args_size = 0x2e,
};

/// Encodings of addresses.
enum : uint8_t {
  Absolute = 0x00,
  Unsigned4 = 0x03,
  Signed4 = 0x0b,
  RelativeToField = 0x10,
  RelativeToHeader = 0x30,
};

/// Reads a part of the table. Reading beyond its end gives zeros.
class Reader {
public:
  Reader(uintptr_t Position, uintptr_t End) : Position(Position), End(End) {}

  template <typename T> T read() {
    T Value = {};
    if (End - Position < sizeof(T)) {
      Position = End;
      return Value;
    }
    copyBytes(&Value, reinterpret_cast<const void *>(Position), sizeof(T));
    Position += sizeof(T);
    return Value;
  }
  uint64_t readUnsigned() {
    bool IsNegative;
    unsigned Bits;
    return readVariable(IsNegative, Bits);
  }
  int64_t readSigned() {
    bool IsNegative;
    unsigned Bits;
    uint64_t Value = readVariable(IsNegative, Bits);
    if (IsNegative && Bits < 64)
      Value |= ~uint64_t(0) << Bits;
    return static_cast<int64_t>(Value);
  }
  void skip(uint64_t Bytes) {
    Position = Bytes > End - Position ? End : Position + Bytes;
  }
  uintptr_t position() const { return Position; }
  bool atEnd() const { return Position == End; }

private:
  uint64_t readVariable(bool &IsNegative, unsigned &Bits) {
    uint64_t Value = 0;
    uint8_t Byte;
    Bits = 0;
    do {
      Byte = read<uint8_t>();
      if (Bits < 64)
        Value |= uint64_t(Byte & 0x7f) << Bits;
      Bits += 7;
    } while (Byte & 0x80);
    IsNegative = Byte & 0x40;
    return Value;
  }

  uintptr_t Position, End;
};

/// The bytes of an entry of .eh_frame, a CIE or FDE, after its length.
struct EntryBytes {
  uintptr_t Begin, End;
};

bool entryAt(uintptr_t Address, EntryBytes &Result) {
  uint32_t Length;
  copyBytes(&Length, reinterpret_cast<const void *>(Address), sizeof(Length));
  // All ones announces a length of eight bytes, which nobody writes.
  if (Length == 0 || Length == UINT32_MAX)
    return false;
  Result = {Address + sizeof(Length), Address + sizeof(Length) + Length};
  return true;
}

/// A common information entry: what the FDEs that point to it have in common.
struct CIE {
  uint64_t CodeAlignment = 1;
  int64_t DataAlignment = 1;
  /// How addresses of code are encoded.
  uint8_t Encoding = Absolute;
  bool HasAugmentation = false;
  /// Whether the function is not called, but set up by the kernel for a signal.
  bool IsSignalFrame = false;
  EntryBytes Instructions = {};
};

bool readCIE(uintptr_t Address, CIE &Result) {
  EntryBytes Whole;
  if (!entryAt(Address, Whole))
    return false;
  Reader Input(Whole.Begin, Whole.End);
  if (Input.read<uint32_t>() != 0)
    return false;
  auto Version = Input.read<uint8_t>();
  if (Version != 1 && Version != 3)
    return false;
  auto *Augmentation = reinterpret_cast<const char *>(Input.position());
  while (Input.read<char>() != 0) {
  }
  Result.CodeAlignment = Input.readUnsigned();
  Result.DataAlignment = Input.readSigned();
  if ((Version == 1 ? Input.read<uint8_t>() : Input.readUnsigned()) !=
      arch::ReturnColumn)
    return false;
  if (*Augmentation == 'z') {
    Result.HasAugmentation = true;
    uint64_t Size = Input.readUnsigned();
    uintptr_t Data = Input.position();
    Input.skip(Size);
    Reader More(Data, Input.position());
    while (*++Augmentation)
      switch (*Augmentation) {
      case 'R':
        Result.Encoding = More.read<uint8_t>();
        break;
      case 'L':
        More.skip(1);
        break;
      case 'P': {
        // The address of the personality function.
        auto Form = More.read<uint8_t>() & 0x0f;
        if (Form == Unsigned4 || Form == Signed4)
          More.skip(4);
        else if (Form == Absolute)
          More.skip(WordBytes);
        else
          return false;
        break;
      }
      case 'S':
        Result.IsSignalFrame = true;
        break;
      default:
        if (!arch::isKnownAugmentation(*Augmentation))
          return false;
      }
  } else if (*Augmentation) {
    return false;
  }
  Result.Instructions = {Input.position(), Whole.End};
  return true;
}

/// The place of the caller's value of a register.
struct RegisterRule {
  enum { Same, AtOffset, Undefined, Unknown } How = Same;
  /// Offset from the CFA.
  int64_t Offset = 0;
};

/// The table's row for an address.
struct Row {
  uint64_t CfaRegister = arch::StackRegister;
  int64_t CfaOffset = 0;
  bool CfaIsKnown = true;
  RegisterRule Base, Return;

  RegisterRule *ruleOf(uint64_t Register) {
    return Register == arch::BaseRegister   ? &Base
           : Register == arch::ReturnColumn ? &Return
                                            : nullptr;
  }
  void set(uint64_t Register, RegisterRule New) {
    if (RegisterRule *Rule = ruleOf(Register))
      *Rule = New;
  }
};

/// Runs the instructions of a CIE and an FDE.
class RowBuilder {
public:
  RowBuilder(const CIE &C) : Common(C) {}

  /// Runs \p Instructions, which begin at \p Location, up to the row of \p
  /// Address. \returns false if there is an instruction that is not known.
  bool run(EntryBytes Instructions, uintptr_t Location, uintptr_t Address);
  /// Remembers the row that restore instructions go back to.
  void rememberInitial() { Initial = Now; }
  const Row &row() const { return Now; }

private:
  bool runExtended(uint8_t Code, Reader &Input, uint64_t &Advance);
  bool runOnCfa(uint8_t Code, Reader &Input);
  void setCfaByExpression(Reader &Input);

  const CIE &Common;
  uintptr_t Wanted = 0;
  Row Now, Initial;
  static constexpr unsigned MaxSaved = 8;
  Row Saved[MaxSaved];
  unsigned NumSaved = 0;
};

bool RowBuilder::run(EntryBytes Instructions, uintptr_t Location,
                     uintptr_t Address) {
  Wanted = Address;
  Reader Input(Instructions.Begin, Instructions.End);
  while (!Input.atEnd()) {
    auto Code = Input.read<uint8_t>();
    uint8_t Low = Code & 0x3f;
    uint64_t Advance = 0;
    switch (Code & 0xc0) {
    case DW_CFA_advance_loc:
      Advance = Low;
      break;
    case DW_CFA_offset:
      Now.set(Low, {RegisterRule::AtOffset,
                    static_cast<int64_t>(Input.readUnsigned()) *
                        Common.DataAlignment});
      break;
    case DW_CFA_restore:
      if (RegisterRule *Rule = Initial.ruleOf(Low))
        Now.set(Low, *Rule);
      break;
    default:
      if (!runExtended(Code, Input, Advance))
        return false;
    }
    Location += Advance * Common.CodeAlignment;
    if (Location > Address)
      return true;
  }
  return true;
}

bool RowBuilder::runExtended(uint8_t Code, Reader &Input, uint64_t &Advance) {
  auto SetFactored = [&](uint64_t Register, int64_t Factored) {
    Now.set(Register,
            {RegisterRule::AtOffset, Factored * Common.DataAlignment});
  };
  uint64_t Register;
  switch (Code) {
  case DW_CFA_nop:
    return true;
  case DW_CFA_advance_loc1:
    Advance = Input.read<uint8_t>();
    return true;
  case DW_CFA_advance_loc2:
    Advance = Input.read<uint16_t>();
    return true;
  case DW_CFA_advance_loc4:
    Advance = Input.read<uint32_t>();
    return true;
  case DW_CFA_offset_extended:
    Register = Input.readUnsigned();
    SetFactored(Register, static_cast<int64_t>(Input.readUnsigned()));
    return true;
  case DW_CFA_offset_extended_sf:
    Register = Input.readUnsigned();
    SetFactored(Register, Input.readSigned());
    return true;
  case DW_CFA_restore_extended:
    Register = Input.readUnsigned();
    if (RegisterRule *Rule = Initial.ruleOf(Register))
      Now.set(Register, *Rule);
    return true;
  case DW_CFA_undefined:
    Now.set(Input.readUnsigned(), {RegisterRule::Undefined});
    return true;
  case DW_CFA_same_value:
    Now.set(Input.readUnsigned(), {RegisterRule::Same});
    return true;
  case DW_CFA_register:
  case DW_CFA_val_offset:
    Now.set(Input.readUnsigned(), {RegisterRule::Unknown});
    Input.readUnsigned();
    return true;
  case DW_CFA_val_offset_sf:
    Now.set(Input.readUnsigned(), {RegisterRule::Unknown});
    Input.readSigned();
    return true;
  case DW_CFA_remember_state:
    if (NumSaved == MaxSaved)
      return false;
    Saved[NumSaved++] = Now;
    return true;
  case DW_CFA_restore_state:
    if (NumSaved == 0)
      return false;
    Now = Saved[--NumSaved];
    return true;
  case DW_CFA_expression:
  case DW_CFA_val_expression:
    Now.set(Input.readUnsigned(), {RegisterRule::Unknown});
    Input.skip(Input.readUnsigned());
    return true;
  case DW_CFA_GNU_args_size:
    Input.readUnsigned();
    return true;
  default:
    return runOnCfa(Code, Input);
  }
}

/// Runs an instruction that sets the canonical frame address.
bool RowBuilder::runOnCfa(uint8_t Code, Reader &Input) {
  switch (Code) {
  case DW_CFA_def_cfa:
    Now.CfaRegister = Input.readUnsigned();
    Now.CfaOffset = static_cast<int64_t>(Input.readUnsigned());
    Now.CfaIsKnown = true;
    return true;
  case DW_CFA_def_cfa_sf:
    Now.CfaRegister = Input.readUnsigned();
    Now.CfaOffset = Input.readSigned() * Common.DataAlignment;
    Now.CfaIsKnown = true;
    return true;
  case DW_CFA_def_cfa_register:
    Now.CfaRegister = Input.readUnsigned();
    return true;
  case DW_CFA_def_cfa_offset:
    Now.CfaOffset = static_cast<int64_t>(Input.readUnsigned());
    return true;
  case DW_CFA_def_cfa_offset_sf:
    Now.CfaOffset = Input.readSigned() * Common.DataAlignment;
    return true;
  case DW_CFA_def_cfa_expression:
    setCfaByExpression(Input);
    return true;
  default:
    return arch::isKnownInstruction(Code);
  }
}

/// Understands only what linkers write for their stubs.
void RowBuilder::setCfaByExpression(Reader &Input) {
  uint64_t Size = Input.readUnsigned();
  uintptr_t Begin = Input.position();
  Input.skip(Size);
  Now.CfaRegister = arch::StackRegister;
  Now.CfaIsKnown =
      arch::readStubExpression(reinterpret_cast<const uint8_t *>(Begin),
                               Input.position() - Begin, Wanted, Now.CfaOffset);
}

/// Says in \p Rule where the return address is. \returns false if it cannot.
bool expressReturn(const Row &R, UnwindRule &Rule) {
  if constexpr (arch::CallPushesReturn)
    return R.Return.How == RegisterRule::AtOffset &&
           R.Return.Offset == -WordBytes && R.CfaOffset >= WordBytes;
  if (R.Return.How == RegisterRule::Same)
    return R.CfaOffset >= 0;
  if (R.Return.How != RegisterRule::AtOffset || R.Return.Offset % WordBytes ||
      R.Return.Offset >= 0 || R.Return.Offset < INT16_MIN * WordBytes)
    return false;
  const int64_t Anchor = Rule.SavesBase ? R.Base.Offset : R.Return.Offset;
  const int64_t Distance = (R.Return.Offset - Anchor) / WordBytes;
  Rule.SavesReturn = true;
  Rule.SavedOffset = static_cast<int16_t>(Anchor / WordBytes);
  Rule.ReturnDistance = static_cast<int8_t>(Distance);
  return Rule.ReturnDistance == Distance;
}

/// Whether the base register points to a frame record, as \p Rule says of \p R.
bool hasFrameRecord(const Row &R, const UnwindRule &Rule) {
  if constexpr (arch::CallPushesReturn)
    return R.CfaOffset == 2 * WordBytes && R.Base.Offset == -2 * WordBytes;
  return Rule.SavesBase && R.Base.Offset + R.CfaOffset == arch::RecordOffset &&
         Rule.SavesReturn && Rule.ReturnDistance == 1;
}

/// \returns false if no rule can express \p R.
bool expressAsRule(const Row &R, UnwindRule &Rule) {
  if (R.Return.How == RegisterRule::Undefined) {
    Rule = {UnwindRule::Kind::Outermost};
    return true;
  }
  if (!R.CfaIsKnown || R.CfaOffset > INT32_MAX)
    return false;
  if (R.CfaRegister != arch::StackRegister &&
      R.CfaRegister != arch::BaseRegister)
    return false;
  Rule = {};
  // A caller's register of which nothing is known: it is not used from here
  // on, or the walk ends there as it would have.
  if (R.Base.How == RegisterRule::AtOffset) {
    if (R.Base.Offset % WordBytes || R.Base.Offset < INT16_MIN * WordBytes ||
        R.Base.Offset >= 0)
      return false;
    Rule.SavesBase = true;
    Rule.SavedOffset = static_cast<int16_t>(R.Base.Offset / WordBytes);
  } else if (R.Base.How == RegisterRule::Unknown) {
    return false;
  }
  if (!expressReturn(R, Rule))
    return false;
  Rule.CfaOffset = static_cast<int32_t>(R.CfaOffset);
  if (R.CfaRegister == arch::StackRegister)
    Rule.How = UnwindRule::Kind::StackPointer;
  else if (!hasFrameRecord(R, Rule))
    Rule.How = UnwindRule::Kind::Base;
  else if (arch::CallPushesReturn)
    Rule = {};
  else
    Rule.CfaOffset -= static_cast<int32_t>(arch::RecordOffset);
  return true;
}

/// Whether \p Code makes the system call that returns from a signal handler,
/// rt_sigreturn. That finds the registers where the kernel put them, so this
/// says more than the expressions in the table, which compute their addresses.
bool isSignalReturn(const uint8_t *Code, size_t CodeBytes) {
  if (CodeBytes < sizeof(arch::SignalReturnBytes))
    return false;
  for (size_t I = 0; I != sizeof(arch::SignalReturnBytes); ++I)
    if (Code[I] != arch::SignalReturnBytes[I])
      return false;
  return true;
}

/// Where the kernel's code has no entry: whether a handler that returns to
/// behind \p Address returns to this system call.
bool returnsFromSignal(uintptr_t Address) {
  uint8_t Code[sizeof(arch::SignalReturnBytes)];
  return !arch::SignalReturnHasEntry &&
         sys::readMemory(Code, Address + 1, sizeof(Code)) &&
         isSignalReturn(Code, sizeof(Code));
}

/// The FDE of the function that \p Address lies in, or perhaps lies in: that of
/// the last one that begins at or before it. 0 if there is none.
uintptr_t findFDE(uintptr_t Header, uintptr_t Address) {
  struct {
    uint8_t Version, PointerEncoding, CountEncoding, TableEncoding;
    int32_t Pointer;
    uint32_t Count;
  } Head;
  copyBytes(&Head, reinterpret_cast<const void *>(Header), sizeof(Head));
  if (Head.Version != 1 || Head.CountEncoding != Unsigned4 ||
      Head.TableEncoding != (RelativeToHeader | Signed4) ||
      ((Head.PointerEncoding & 0x0f) != Signed4 &&
       (Head.PointerEncoding & 0x0f) != Unsigned4))
    return 0;
  struct Entry {
    int32_t Code, FDE;
  };
  const auto *Table = reinterpret_cast<const Entry *>(Header + sizeof(Head));
  auto Wanted = static_cast<int64_t>(Address - Header);
  size_t Low = 0, High = Head.Count;
  while (Low != High) {
    size_t Middle = Low + (High - Low) / 2;
    if (Table[Middle].Code <= Wanted)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low ? Header + static_cast<uintptr_t>(
                            static_cast<intptr_t>(Table[Low - 1].FDE))
             : 0;
}

} // namespace

bool thermocline::runtime::readUnwindRule(uintptr_t EhFrameHeader,
                                          uintptr_t Address, UnwindRule &Rule) {
  uintptr_t FDE = findFDE(EhFrameHeader, Address);
  EntryBytes Whole;
  if (!FDE || !entryAt(FDE, Whole))
    return false;
  Reader Input(Whole.Begin, Whole.End);
  // This is the distance back from this very field.
  auto ToCIE = Input.read<uint32_t>();
  CIE Common;
  if (!ToCIE || !readCIE(Whole.Begin - ToCIE, Common))
    return false;
  uintptr_t Field = Input.position();
  uint64_t Begin, Size;
  if (Common.Encoding == (RelativeToField | Signed4)) {
    Begin = Field + static_cast<uint64_t>(int64_t(Input.read<int32_t>()));
    Size = Input.read<uint32_t>();
  } else if (Common.Encoding == Absolute) {
    Begin = Input.read<uint64_t>();
    Size = Input.read<uint64_t>();
  } else {
    return false;
  }
  if (Address - Begin >= Size)
    return false;
  if (Common.IsSignalFrame) {
    // A handler returns to the first instruction, so that its "call" lies
    // before it; the table begins there for this reason.
    if (Size == 0 ||
        !isSignalReturn(reinterpret_cast<const uint8_t *>(Begin + 1), Size - 1))
      return false;
    Rule = {UnwindRule::Kind::Signal};
    return true;
  }
  if (Common.HasAugmentation)
    Input.skip(Input.readUnsigned());
  RowBuilder Rows(Common);
  if (!Rows.run(Common.Instructions, Begin, Begin))
    return false;
  Rows.rememberInitial();
  return Rows.run({Input.position(), Whole.End}, Begin, Address) &&
         expressAsRule(Rows.row(), Rule);
}

__attribute__((noinline)) UnwindRule UnwindRules::find(uintptr_t Address,
                                                       Entry &E) {
  UnwindRule Rule;
  if (!Enabled.load())
    return Rule;
  // Takes no lock and may be called in signal handlers.
  struct dl_find_object Object;
  bool HasEntry = false;
  if (_dl_find_object(reinterpret_cast<void *>(Address), &Object) == 0) {
    HasEntry = Object.dlfo_eh_frame &&
               readUnwindRule(reinterpret_cast<uintptr_t>(Object.dlfo_eh_frame),
                              Address, Rule);
    if (!HasEntry)
      Rule = {};
    // The loader gives the program no name.
    const link_map *Map = Object.dlfo_link_map;
    Rule.InProgram = Map && Map->l_name && !*Map->l_name;
  }
  if (!HasEntry && returnsFromSignal(Address))
    Rule.How = UnwindRule::Kind::Signal;
  auto Bits = __builtin_bit_cast(uint64_t, Rule);
  E.HashAndRule.storeRelaxed(hash(Address) ^ Bits);
  E.Rule.storeRelaxed(Bits);
  return Rule;
}

void UnwindRules::clear() {
  for (Entry &E : Entries) {
    E.HashAndRule.storeRelaxed(0);
    E.Rule.storeRelaxed(0);
  }
}
