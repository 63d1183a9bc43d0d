//===- Program/ImportedCalls.h - Calls into other objects -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a function of a shared library that ends in a jump to an allocation
// function (std::string's _M_create, to operator new) is not on the stack. The
// innermost call of the context is then the program's, as if the program called
// operator new itself.
//
// So the call instruction is read. It calls a stub in the program that jumps to
// an address which the loader sets for a symbol, or it jumps there itself. The
// symbol says what is called. Code of all architectures in arch is understood.
//
// The instruction also says whether the program called by name. What is called
// through a pointer need not be what the innermost frame behind it suggests:
// code without frames of its own may have jumped there.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_PROGRAM_IMPORTEDCALLS_H
#define THERMOCLINE_PROFILE_PROGRAM_IMPORTEDCALLS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELFObjectFile.h"
#include <optional>
#include <string>
#include <unordered_map>

namespace thermocline::profile {

struct CallInstructions;
struct CallTarget;

class ImportedCalls {
public:
  /// \p Object must outlive this object.
  explicit ImportedCalls(const llvm::object::ELFObjectFileBase &Object);

  /// The symbol of another object that is called by the call instruction in
  /// front of \p ReturnAddress, an address of the file; empty if it is none, or
  /// that is not known.
  llvm::StringRef calledBefore(uint64_t ReturnAddress) const;

  /// Whether the call instruction in front of \p ReturnAddress names what it
  /// calls. Where code is not understood, it is taken not to.
  bool isByName(uint64_t ReturnAddress) const;

private:
  /// The bytes of code from \p Address on; empty if there is no code.
  llvm::StringRef codeAt(uint64_t Address) const;
  llvm::StringRef symbolOfSlot(uint64_t Address) const;
  llvm::StringRef symbolOfStub(uint64_t Address) const;
  std::optional<CallTarget> targetBefore(uint64_t ReturnAddress) const;

  const llvm::object::ELFObjectFileBase &Object;
  /// The call instructions of the object's architecture; null if it is not
  /// understood.
  const CallInstructions *Calls;
  /// Symbols, by the address of the slot in which the loader enters them.
  std::unordered_map<uint64_t, std::string> Slots;
};

} // namespace thermocline::profile

#endif
