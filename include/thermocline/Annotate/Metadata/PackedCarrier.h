//===- Metadata/PackedCarrier.h - How packed contexts travel ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packed contexts (PackedContexts.h) are bytes, and LLVM's bitcode takes five
// bytes for each that metadata and module summary carry as numbers. Only a name
// of a symbol takes little more than one, is in summaries and in modules, and
// is read from the file in its place. So the packed contexts of a module are
// the name of a variable that nothing refers to. It is in the section
// llvm.metadata, which LLVM itself uses for what must not reach machine code,
// and which linkers and nm do not list.
//
// Tools that run between compile and link drop what is internal and not in use
// (globaldce), and the names of what is internal (strip). What is weak_odr has
// to stay for other modules. Two variables of one name say the same, since the
// name is all that they say, so either may stand for both (llvm-link).
//
//   name       "thermocline.contexts.", the id (16 hexadecimal digits), ".",
//              and the string that ContextPacker returns, 13 bits in two
//              letters, from the lowest bit of its first byte on, so that tools
//              that print names print text
//   id         the checksum in the string, or 1 if that is 0
//   variable   weak_odr, hidden, constant, a byte that is 0
//
// The allocation's first MIB says which ones are its own: its first two full
// contexts, of 0 bytes, have the id, and the number of the allocation plus 1.
// Its mark is ContextMark::Kind::Packed.
//
// Regular LTO merges modules, and drops variables that no linker lists.
// Modules that may be linked so have the name at each such allocation, too, as
// an operand of the metadata !thermocline.contexts.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_PACKEDCARRIER_H
#define THERMOCLINE_ANNOTATE_METADATA_PACKEDCARRIER_H

#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Instruction;
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// The packed contexts of an allocation.
struct PackedReference {
  uint64_t Id = 0;
  /// ContextPacker's.
  uint32_t Number = 0;

  std::array<llvm::ContextTotalSize, 2> encode() const {
    return {{{Id, 0}, {uint64_t(Number) + 1, 0}}};
  }
  /// Nothing if the contexts of a MIB that names \p Named are not packed, or
  /// were by a version of Thermocline that wrote them there.
  static std::optional<PackedReference> of(NamedContexts Named);
};

/// The name that holds \p Packed, which ContextPacker returned.
std::string nameOfPacked(llvm::StringRef Packed);

/// The id of the packed contexts in a name. Nothing if it holds none.
std::optional<uint64_t> packedIdOf(llvm::StringRef Name);

/// What nameOfPacked made a name of. Called for names that packedIdOf knows.
std::string packedIn(llvm::StringRef Name);

/// Adds the variable of this name to \p M, for its summary.
void addPackedVariable(llvm::Module &M, llvm::StringRef Name);

/// Leaves \p Name in \p M, as such a variable for its summary, and for regular
/// LTO as an operand of the named metadata \p Kind.
void addNote(llvm::Module &M, llvm::StringRef Kind, llvm::StringRef Name);

/// Calls \p Visit for the notes of \p Kind in \p M.
void forEachNote(const llvm::Module &M, llvm::StringRef Kind,
                 llvm::function_ref<void(llvm::StringRef)> Visit);

/// Calls \p Visit for the notes of all kinds in \p M.
void forEachNote(const llvm::Module &M,
                 llvm::function_ref<void(llvm::StringRef)> Visit);

/// Whether \p Name may be that of a note, or of packed contexts.
bool isCarrierName(llvm::StringRef Name);

/// Lets regular LTO find \p Name at \p Call.
void attachPackedName(llvm::CallBase &Call, llvm::StringRef Name);

/// Removes the name at \p I. Returns whether there was one.
bool removePackedName(llvm::Instruction &I);

/// The name at \p Call; empty if it has none.
llvm::StringRef packedNameAt(const llvm::CallBase &Call);

} // namespace thermocline::annotate

#endif
