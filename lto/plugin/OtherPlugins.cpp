//===- plugin/OtherPlugins.cpp - Who else would claim bitcode -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherPlugins.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include <link.h>

using namespace llvm;

std::string thermocline::lto::plugin::loadedLLVMPlugin() {
  std::string Found;
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Result) {
        StringRef Path = Info->dlpi_name;
        // From a folder of that name BFD loads plugins only to tell what kind
        // of file it has before it.
        if (sys::path::filename(Path).starts_with("LLVMgold") &&
            sys::path::filename(sys::path::parent_path(Path)) != "bfd-plugins")
          *static_cast<std::string *>(Result) = Path.str();
        return 0;
      },
      &Found);
  return Found;
}
