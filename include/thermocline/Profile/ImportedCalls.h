//===- Profile/ImportedCalls.h - Calls into other objects ----- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a function of a shared library that ends in a jump to an allocation
// function (std::string's _M_create, to operator new) is not on the stack: the
// innermost call of the context is the program's, as if that called operator
// new itself.
//
// So the call instruction is read: it calls a stub of the program's, which
// jumps to an address that the loader enters for a symbol, or jumps there
// itself. The symbol says what is called. Known of AMD64 alone.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_IMPORTEDCALLS_H
#define THERMOCLINE_PROFILE_IMPORTEDCALLS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELFObjectFile.h"
#include <string>
#include <unordered_map>

namespace thermocline::profile {

class ImportedCalls {
public:
  /// \p Object has to outlive this.
  explicit ImportedCalls(const llvm::object::ELFObjectFileBase &Object);

  /// The symbol of another object that is called by the call instruction in
  /// front of \p ReturnAddress, an address of the file; empty if it is none, or
  /// that is not known.
  llvm::StringRef calledBefore(uint64_t ReturnAddress) const;

private:
  /// The bytes of code from \p Address on; none if there is none.
  llvm::StringRef codeAt(uint64_t Address) const;
  llvm::StringRef symbolOfSlot(uint64_t Address) const;
  llvm::StringRef symbolOfStub(uint64_t Address) const;

  const llvm::object::ELFObjectFileBase &Object;
  /// By the address at which the loader enters the symbol's.
  std::unordered_map<uint64_t, std::string> Slots;
};

} // namespace thermocline::profile

#endif
