//===- Profile/DataTypes.h - The types that calls allocate ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What type a context allocates. The compiler knows it at the call: the type of
// a `new` expression, or the one that the use of malloc's result or its size
// names. The build that is profiled writes it down for each place of the
// source, and a context is looked up by its frames.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_DATATYPES_H
#define THERMOCLINE_PROFILE_DATATYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>
#include <string>

namespace thermocline::profile {

/// A call of the source to a function that allocates.
struct TypedCall {
  /// As frames have them.
  uint32_t Line = 0;
  uint32_t Column = 0;
  /// The GUID of what it calls.
  llvm::GlobalValue::GUID Callee = 0;
  /// As the source's language writes it. Empty if the call names no type.
  std::string Type;

  auto operator<=>(const TypedCall &) const = default;
};

/// Whether it is known what a context allocates, and why not.
enum class TypeKnowledge : uint8_t {
  Known,
  /// The call names none, as `void *p = malloc(n)`.
  NotNamed,
  /// The code of the call does not tell types.
  NotTold,
  /// No code of the profile does.
  NoTypes,
};

struct DataType {
  /// Empty unless it is known.
  std::string Name;
  TypeKnowledge Why = TypeKnowledge::NoTypes;

  /// The name, or in parentheses why there is none.
  std::string describe() const;
  /// What it means that there is none, and what helps; else empty.
  llvm::StringRef advice() const;
};

/// By function, the calls that allocate.
class DataTypes {
public:
  bool empty() const { return Calls.empty(); }

  void add(llvm::GlobalValue::GUID Function, const TypedCall &Added) {
    Calls[Function].insert(Added);
  }
  void add(const DataTypes &Other);
  /// Adds the functions of a program's section. Returns an error if it is
  /// damaged.
  llvm::Error addSection(llvm::StringRef Contents);

  /// What the context \p Frames, leaf first, allocates. Several calls may stand
  /// at one place, in a macro, or in profiles of different versions of the
  /// source; then the names of all their types are joined by "or". A call that
  /// names no type takes that of the call of its function, if that function
  /// says that it returns new memory (__attribute__((malloc)), alloc_size), and
  /// so on.
  DataType of(llvm::ArrayRef<llvm::memprof::Frame> Frames) const;

  /// Appends it to \p File, an indexed profile, with those functions that are
  /// \p Wanted. Appends nothing if there are none.
  void appendTo(std::string &File,
                llvm::function_ref<bool(llvm::GlobalValue::GUID)> Wanted) const;
  /// What appendTo() put into \p Contents; empty if there is nothing.
  /// Errors do not name the file.
  static llvm::Expected<DataTypes> readFrom(llvm::StringRef Contents);

private:
  std::string
  encode(llvm::function_ref<bool(llvm::GlobalValue::GUID)> Wanted) const;
  static llvm::Expected<DataTypes> decode(llvm::StringRef Bytes);

  std::map<llvm::GlobalValue::GUID, std::set<TypedCall>> Calls;
};

} // namespace thermocline::profile

#endif
