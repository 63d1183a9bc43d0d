//===- Support/OutputFile.cpp - Files that appear whole -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/OutputFile.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace llvm;
using namespace thermocline;

/// The most links to follow, which is Linux's limit.
static constexpr unsigned MaxLinks = 40;
static constexpr StringLiteral TemporarySuffix = ".tmp-%%%%%%%%";

static SmallString<256> directoryOf(StringRef Path) {
  StringRef Parent = sys::path::parent_path(Path);
  return SmallString<256>(Parent.empty() ? "." : Parent);
}

Expected<OutputTarget> OutputTarget::of(StringRef Name) {
  OutputTarget Result;
  Result.Path = Name.str();
  if (Name == "-") {
    Result.Descriptor = STDOUT_FILENO;
    Result.IsOpenFile = true;
    return Result;
  }
  SmallString<128> OwnFiles;
  if (sys::fs::real_path("/proc/self/fd", OwnFiles))
    OwnFiles.clear();
  for (unsigned Links = 0; Links != MaxLinks; ++Links) {
    char Link[PATH_MAX];
    const ssize_t Length = readlink(Result.Path.c_str(), Link, sizeof(Link));
    if (Length < 0)
      return Result;
    SmallString<256> Directory;
    if (std::error_code EC =
            sys::fs::real_path(directoryOf(Result.Path), Directory))
      return fileError(Name, EC.message());
    // What such a link says is no path to what it leads to.
    if (Directory.starts_with("/proc/") && Directory.ends_with("/fd")) {
      Result.IsOpenFile = true;
      if (Directory == OwnFiles &&
          sys::path::filename(Result.Path).getAsInteger(10, Result.Descriptor))
        Result.Descriptor = -1;
      return Result;
    }
    SmallString<256> Next(StringRef(Link, Length));
    if (sys::path::is_relative(Next)) {
      Next = sys::path::parent_path(Result.Path);
      sys::path::append(Next, StringRef(Link, Length));
    }
    Result.Path = Next.str().str();
  }
  return fileError(Name, sys::StrError(ELOOP));
}

Error OutputFile::fail(std::error_code EC) const {
  return fileError(Name, EC.message());
}

Expected<OutputFile> OutputFile::create(StringRef Name) {
  OutputFile Result;
  Result.Name = Name.str();
  if (Name.empty())
    return fileError("output", "the name of the file is empty");
  auto Target = OutputTarget::of(Name);
  if (!Target)
    return Target.takeError();
  Result.Target = std::move(*Target);
  if (Result.Target.IsOpenFile)
    return std::move(Result);
  const std::string &Path = Result.Target.Path;
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status)) {
    if (sys::fs::is_directory(Status))
      return Result.fail(std::make_error_code(std::errc::is_a_directory));
    if (!sys::fs::is_regular_file(Status))
      return std::move(Result);
    // That the directory may be written says nothing of the file.
    if (std::error_code EC = sys::fs::access(Path, sys::fs::AccessMode::Write))
      return Result.fail(EC);
    Result.Before = Status;
  }
  // A name may be as long as names can be.
  SmallString<256> Model = directoryOf(Path);
  sys::path::append(Model, sys::path::filename(Path).take_front(
                               NAME_MAX - TemporarySuffix.size()) +
                               TemporarySuffix);
  auto Made = sys::fs::TempFile::create(Model);
  Result.IsBeside = static_cast<bool>(Made);
  if (!Made) {
    std::error_code EC = errorToErrorCode(Made.takeError());
    if (!Result.Before || (EC != std::errc::permission_denied &&
                           EC != std::errc::operation_not_permitted &&
                           EC != std::errc::read_only_file_system))
      return Result.fail(EC);
    SmallString<128> Elsewhere;
    sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Elsewhere);
    sys::path::append(Elsewhere, "thermocline-%%%%%%%%");
    Made = sys::fs::TempFile::create(Elsewhere, sys::fs::owner_read |
                                                    sys::fs::owner_write);
    if (!Made)
      return inFile(Elsewhere, Made.takeError());
  }
  Result.Temporary.emplace(std::move(*Made));
  return std::move(Result);
}

OutputFile::OutputFile(OutputFile &&Other)
    : Name(std::move(Other.Name)), Target(std::move(Other.Target)),
      Temporary(std::exchange(Other.Temporary, std::nullopt)),
      IsBeside(Other.IsBeside), Before(Other.Before),
      InPlace(std::exchange(Other.InPlace, -1)) {}

OutputFile::~OutputFile() {
  if (Temporary)
    consumeError(Temporary->discard());
  if (InPlace > STDERR_FILENO)
    close(InPlace);
}

std::string OutputFile::path() const {
  if (Temporary)
    return Temporary->TmpName;
  return Target.Descriptor == STDOUT_FILENO ? "-" : Name;
}

Expected<int> OutputFile::descriptor() {
  if (Temporary)
    return Temporary->FD;
  if (InPlace != -1)
    return InPlace;
  InPlace = Target.Descriptor == -1
                ? open(Target.Path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)
                : fcntl(Target.Descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (InPlace == -1)
    return fail(errnoAsErrorCode());
  return InPlace;
}

/// Gives what was written the owner and the permissions of what was there;
/// false if it cannot have them. By its path: who was told that may have put
/// another file there.
bool OutputFile::takesOwner() const {
  const char *Path = Temporary->TmpName.c_str();
  struct stat Now;
  if (stat(Path, &Now))
    return false;
  if ((Now.st_uid != Before->getUser() || Now.st_gid != Before->getGroup()) &&
      chown(Path, Before->getUser(), Before->getGroup()))
    return false;
  return !chmod(Path, Before->permissions());
}

/// Copies \p Source into the target, which exists. Its space is reserved before
/// anything is changed.
Error OutputFile::copyInto(StringRef Source) const {
  auto Contents = MemoryBuffer::getFile(Source, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
  if (!Contents)
    return fail(Contents.getError());
  int FD = open(Target.Path.c_str(), O_WRONLY | O_CLOEXEC);
  if (FD == -1)
    return fail(errnoAsErrorCode());
  const uint64_t Size = (*Contents)->getBufferSize(), Old = Before->getSize();
  if (Size > Old) {
    int Failed = posix_fallocate(FD, Old, Size - Old);
    if (Failed && Failed != EOPNOTSUPP && Failed != EINVAL) {
      (void)ftruncate(FD, Old);
      close(FD);
      return fail(std::error_code(Failed, std::generic_category()));
    }
  }
  raw_fd_ostream OS(FD, /*shouldClose=*/true, /*unbuffered=*/true);
  OS << (*Contents)->getBuffer();
  if (!OS.has_error() && ftruncate(FD, Size))
    return fail(errnoAsErrorCode());
  return flushed(OS, Name);
}

Error OutputFile::keep() {
  if (!Temporary)
    return Error::success();
  Error Failed = Error::success();
  if (IsBeside && (!Before || takesOwner()))
    Failed = inFile(Name, Temporary->keep(Target.Path));
  else
    Failed = joinErrors(copyInto(Temporary->TmpName),
                        inFile(Name, Temporary->discard()));
  Temporary.reset();
  return Failed;
}

Error thermocline::writeFileAtomically(
    StringRef FileName, function_ref<Error(raw_ostream &)> Write) {
  if (FileName == "-") {
    if (Error E = Write(outs()))
      return E;
    return flushed(outs(), "standard output");
  }
  auto File = OutputFile::create(FileName);
  if (!File)
    return File.takeError();
  auto FD = File->descriptor();
  if (!FD)
    return FD.takeError();
  {
    raw_fd_ostream OS(*FD, /*shouldClose=*/false);
    Error Failed = Write(OS);
    Error Unwritten = flushed(OS, FileName);
    if (Failed) {
      consumeError(std::move(Unwritten));
      return Failed;
    }
    if (Unwritten)
      return Unwritten;
  }
  return File->keep();
}
