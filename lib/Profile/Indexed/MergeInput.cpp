//===- Profile/Indexed/MergeInput.cpp - A file to be merged ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Indexed/MergeInput.h"
#include "thermocline/Support/InputFile.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

char DamagedInput::ID;

Expected<MergeInput> MergeInput::open(StringRef Path) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = openInput(Path);
  if (!Buffer)
    return Buffer.takeError();
  if ((*Buffer)->getBufferSize() == 0)
    return make_error<DamagedInput>((Path + ": the file is empty").str());
  MergeInput Result;
  Result.Path = Path.str();
  Result.File = std::move(*Buffer);
  return std::move(Result);
}

Expected<MergeInput> MergeInput::openRaw(StringRef Path) {
  Expected<MergeInput> Result = open(Path);
  if (!Result)
    return Result;
  if (!RawProfile::hasMagic(Result->File->getBuffer()))
    return RawProfile::parse(*Result->File).takeError();
  if (Error E = Result->parse())
    return std::move(E);
  return Result;
}

Error MergeInput::parse() {
  if (Raw || !RawProfile::hasMagic(File->getBuffer()))
    return Error::success();
  Expected<RawProfile> Parsed = RawProfile::parse(*File);
  if (!Parsed)
    return make_error<DamagedInput>(toString(Parsed.takeError()));
  Raw = std::move(*Parsed);
  return Error::success();
}
