//===- Annotate/MetadataBuilder.h - !memprof and !callsite ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes matched contexts into the IR in LLVM's format:
//
//   !callsite   !{i64 id...}, one id for each inlined frame, innermost first
//   !memprof    !{MIB...}, a MIB being
//               !{!{i64 id...}, !"cold" or !"notcold", !{i64 context, i64
//               bytes}}
//
// The stack of each MIB starts with the call's own !callsite: the module
// summary cuts that prefix off. Many contexts of one allocation are packed:
// Metadata/PackedContexts.h.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATABUILDER_H
#define THERMOCLINE_ANNOTATE_METADATABUILDER_H

#include "thermocline/Annotate/FunctionProfile.h"
#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "thermocline/Annotate/Metadata/PackedContexts.h"

namespace llvm {
class CallBase;
class Instruction;
class LLVMContext;
class MDNode;
class Module;
class OptimizationRemarkEmitter;
} // namespace llvm

namespace thermocline::annotate {

struct Basis;

/// What was written at an allocation.
struct AttachedContexts {
  /// MIBs in its !memprof.
  unsigned MIBs = 0;
  /// Stack ids in them.
  size_t StackIds = 0;
  /// Contexts in no MIB of their own.
  size_t PackedContexts = 0;
  /// Instead of metadata, a "memprof" attribute says that all are alike.
  bool AsAttribute = false;
  /// The metadata says that it lists all contexts (ContextMark.h).
  bool IsMarked = false;
};

class MetadataBuilder {
public:
  explicit MetadataBuilder(llvm::LLVMContext &Context) : Context(Context) {}

  /// Attaches all of \p Contexts as they are, each with a mark, which tells if
  /// the allocation has others that the profile lacks (not \p AreAll). The mark
  /// also has \p Calls, what \p Call is of.
  AttachedContexts attachWhole(llvm::CallBase &Call,
                               llvm::ArrayRef<uint64_t> Callsite,
                               llvm::ArrayRef<ProfiledContext> Contexts,
                               CalledAllocator Calls = {}, bool AreAll = true);

  /// Attaches all of \p Contexts, which are sorted by stack, packed: together
  /// with those of other allocations, by finishPacked. One MIB stands for them
  /// until then, and for stock linkers. It is cold if all contexts are, and has
  /// the frames that all of them share.
  AttachedContexts attachPacked(llvm::CallBase &Call,
                                llvm::ArrayRef<uint64_t> Callsite,
                                llvm::ArrayRef<ProfiledContext> Contexts,
                                CalledAllocator Calls = {});

  /// Attaches \p Contexts cut where all that share a prefix are alike, and not
  /// those without which the others can still be told apart: LLVM's own
  /// trimming. If all are alike, an attribute takes the place of metadata.
  /// Contexts of more than 4096 frames are attached whole instead.
  AttachedContexts attachTrimmed(llvm::CallBase &Call,
                                 llvm::ArrayRef<uint64_t> Callsite,
                                 llvm::ArrayRef<ProfiledContext> Contexts,
                                 llvm::OptimizationRemarkEmitter *Remarks);

  /// Tells in the contexts of \p Call, which are whole or packed, by what they
  /// were classified.
  void attachBasis(llvm::CallBase &Call, const Basis &ClassifiedBy);

  /// Writes the contexts of all attachPacked, and returns how many bytes they
  /// take. Called after all of them, with the module of the calls.
  /// \p RegularLTO tells whether that may link the module.
  Bytes finishPacked(llvm::Module &M, bool RegularLTO);

  void attachCallsite(llvm::CallBase &Call, llvm::ArrayRef<uint64_t> Ids);

private:
  llvm::MDNode *fullContext(const llvm::ContextTotalSize &Full);

  llvm::LLVMContext &Context;
  ContextPacker Packer;
  /// The allocations with packed contexts, by number.
  std::vector<llvm::CallBase *> Packed;
};

/// Whether \p I carries heap profile annotation of any kind.
bool hasAnnotation(const llvm::Instruction &I);

/// Removes it. Returns whether there was any.
bool stripAnnotation(llvm::Instruction &I);

} // namespace thermocline::annotate

#endif
