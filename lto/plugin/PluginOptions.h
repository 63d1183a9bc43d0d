//===- plugin/PluginOptions.h - What -plugin-opt= says -------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of the plugin, in the words of LLVM's own, so that this plugin
// can take its place. What begins with a dash is an option of LLVM.
// Thermocline's options, `thinlto-memprof-…`, may be written with dashes or
// without.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_PLUGINOPTIONS_H
#define THERMOCLINE_LTO_PLUGIN_PLUGINOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/LTO/LTO.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace thermocline::lto::plugin {

/// "old;new" of an option.
struct Replacement {
  std::string Old, New;
};

/// What becomes of the link.
enum class Product { Program, Bitcode, Assembly, Indexes, Nothing };

struct PluginOptions {
  Product Makes = Product::Program;
  bool Help = false;
  bool SaveTemps = false;
  bool DisableVerify = false;
  bool DebugPassManager = false;
  bool WholeProgramVisibility = false;
  unsigned OptLevel = 2;
  /// Threads of ThinLTO; all cores by default.
  llvm::ThreadPoolStrategy Jobs = llvm::heavyweight_hardware_concurrency();
  /// Parts that regular LTO generates code in.
  unsigned Partitions = 1;
  llvm::lto::LTO::LTOKind Mode = llvm::lto::LTO::LTOK_Default;
  std::string CPU, Triple;
  std::string ExtraLibraryPath;
  /// The path of the objects; empty for temporary files.
  std::string ObjectPath;
  std::string DwoDir;

  std::string CacheDir;
  llvm::CachePruningPolicy CachePolicy;

  /// For Product::Indexes, the file that lists the linked modules, or empty.
  std::string LinkedObjectsFile;
  bool EmitImports = false;
  /// Write indexes beside compiling here.
  bool EmitIndexes = false;
  Replacement Prefix, ObjectSuffix;
  /// The third part of thinlto-prefix-replace; empty for Prefix.New.
  std::string NativeObjectPrefix;

  std::string SampleProfile, ContextProfile;
  bool ContextInstrumentation = false;

  std::string RemarksFile, RemarksPasses, RemarksFormat;
  bool RemarksWithHotness = false;
  std::optional<uint64_t> RemarksHotnessThreshold = 0;
  std::string StatsFile;
  std::string TimeTraceFile;
  unsigned TimeTraceGranularity = 500;

  /// Options for LLVM's parser, with their dashes.
  std::vector<std::string> ForLLVM;
  /// The ones of these that code may depend on. They are part of the cache's
  /// key of a module.
  std::vector<std::string> ForCache;

  /// The error names the option.
  static llvm::Expected<PluginOptions>
  parse(llvm::ArrayRef<std::string> Arguments);
};

/// What parse takes.
void printHelp(llvm::raw_ostream &OS);

} // namespace thermocline::lto::plugin

#endif
