//===- fuzz/YamlProfileFuzzer.cpp - Any bytes as a YAML profile -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A YAML profile is refused with an error that names the file, or becomes an
// indexed profile that can be read, and that prints as YAML which says the
// same.
//
//===----------------------------------------------------------------------===//

#include "YamlProfile.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static Expected<std::unique_ptr<MemoryBuffer>> index(StringRef Text) {
  return indexYaml("input", Text, [](const Twine &) {});
}

/// The YAML of \p Indexed, after all of it was read.
static std::string readAll(const MemoryBuffer &Indexed) {
  ExitOnError Must("what was made of YAML cannot be read: ");
  auto Profile = Must(IndexedProfile::parse(
      "indexed", MemoryBuffer::getMemBufferCopy(Indexed.getBuffer())));
  Must(Profile->forEachContext([](const IndexedContext &) {}));
  for (GlobalValue::GUID Function : Must(Profile->functions()))
    Must(Profile->record(Function));
  Must(Profile->dataAccesses());
  return Must(toYaml(Indexed.getBuffer()));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<std::unique_ptr<MemoryBuffer>> Indexed =
      index(StringRef(reinterpret_cast<const char *>(Data), Size));
  if (!Indexed) {
    if (!StringRef(toString(Indexed.takeError())).starts_with("input: "))
      report_fatal_error("an error does not name the file");
    return 0;
  }
  const std::string Text = readAll(**Indexed);
  if (readAll(*cantFail(index(Text))) != Text)
    report_fatal_error("YAML changes when it is read and written again");
  return 0;
}
