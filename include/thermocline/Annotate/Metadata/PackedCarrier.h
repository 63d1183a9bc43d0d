//===- Metadata/PackedCarrier.h - How packed contexts travel ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a module tells the link is bytes, and LLVM's bitcode takes five bytes
// for each that metadata and module summary carry as numbers. Only a name of a
// symbol takes little more than one, is in summaries and in modules, and is
// read from the file in its place. So a note is the name of a variable that
// nothing refers to. It is in the section llvm.metadata, which LLVM itself uses
// for what must not reach machine code, and which linkers and nm do not list.
//
// Tools that run between compile and link drop what is internal and not in use
// (globaldce), and the names of what is internal (strip). What is weak_odr has
// to stay for other modules. Two variables of one name say the same, since the
// name is all that they say, so either may stand for both (llvm-link).
//
//   name       "thermocline.", the kind, ".", and a part (Format/Part.h) of
//              that kind, 13 bits in two letters, from the lowest bit of its
//              first byte on, so that tools that print names print text
//   variable   weak_odr, hidden, constant, a byte that is 0
//
// The part's checksum and version show what tools or other versions made of a
// name. The link fails then: what is wrong in a note may make hot memory cold.
//
// Regular LTO merges modules, and drops variables that no linker lists. It
// finds the name as an operand of named metadata, "thermocline." and the kind.
//
// Packed contexts (PackedContexts.h) have an id (16 hexadecimal digits) and "."
// between kind and part: the checksum in the part, or 1 if that is 0. The
// allocation's first MIB says which ones are its own: its first two full
// contexts, of 0 bytes, have the id, and the number of the allocation plus 1.
// Its mark is ContextMark::Kind::Packed. For regular LTO the name is at each
// such allocation, as an operand of the metadata !thermocline.contexts.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_PACKEDCARRIER_H
#define THERMOCLINE_ANNOTATE_METADATA_PACKEDCARRIER_H

#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>
#include <set>
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
  /// Nothing if the contexts of a MIB that names \p Named are not packed.
  static std::optional<PackedReference> of(NamedContexts Named);
};

/// The name that holds \p Packed, which ContextPacker returned.
std::string nameOfPacked(llvm::StringRef Packed);

/// The id of the packed contexts in a name. Nothing if it holds none.
std::optional<uint64_t> packedIdOf(llvm::StringRef Name);

/// What nameOfPacked made a name of. Called for names that packedIdOf knows.
/// Returns an error if the name is damaged or of another version.
llvm::Expected<std::string> packedIn(llvm::StringRef Name);

/// Adds the variable of this name to \p M, for its summary.
void addPackedVariable(llvm::Module &M, llvm::StringRef Name);

/// A kind of note, as one writer and one reader know it.
struct NoteForm {
  llvm::StringLiteral Kind;
  uint64_t Version;
};

/// The name that tells \p Payload.
std::string nameOfNote(const NoteForm &Form, llvm::StringRef Payload);

/// Calls \p Read for what nameOfNote made a name of; not if \p Name is none of
/// this kind. Returns an error if it is damaged or of another version, or if
/// \p Read returns false: then it is not as its writer makes it.
llvm::Error readNote(llvm::StringRef Name, const NoteForm &Form,
                     llvm::function_ref<bool(llvm::StringRef Payload)> Read);

/// Leaves a note in \p M, as such a variable for its summary, and for regular
/// LTO as an operand of named metadata.
void addNote(llvm::Module &M, const NoteForm &Form, llvm::StringRef Payload);

/// Leaves a note of \p Numbers in \p M, if there are any.
void noteNumbers(llvm::Module &M, const NoteForm &Form,
                 const std::set<uint64_t> &Numbers);

/// Adds the numbers of such a note, if \p Name is one. Returns an error if it
/// is damaged.
llvm::Error addNumbersIn(llvm::StringRef Name, const NoteForm &Form,
                         std::set<uint64_t> &Numbers);

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
