//===- output/ProfileFile.h - A file whole or not at all --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_PROFILEFILE_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_PROFILEFILE_H

#include "platform/Base.h"
#include "platform/Text.h"
#include "thermocline/Format/RawChecksums.h"

namespace thermocline::runtime {

/// Collects output in a large buffer; remembers the first error.
class FileWriter {
public:
  explicit FileWriter(int Fd);
  ~FileWriter();
  FileWriter(const FileWriter &) = delete;
  FileWriter &operator=(const FileWriter &) = delete;

  void write(const void *Data, size_t Size);
  template <typename T> void writeValue(const T &Value) {
    write(&Value, sizeof(T));
  }
  /// \returns false if anything failed so far.
  bool flush();
  /// Continues at \p Offset of the file. \returns false if anything failed so
  /// far.
  bool seek(uint64_t Offset);
  uint64_t written() const { return Written; }
  /// What is written from now on is added to \p Digest, too; null to end that.
  /// It is complete when another follows, or null.
  void hashInto(format::RunningHash *Digest);
  /// The descriptor, for another writer to the same file. Nothing may be
  /// buffered here then. The other writer calls fail() if it fails.
  int descriptor() const { return Fd; }
  void fail(long Result) {
    if (!Error)
      Error = Result;
  }
  /// 0, or the first -errno.
  long error() const { return Error; }

private:
  void addToHash();

  static constexpr size_t BufferBytes = 256 * 1024;
  int Fd;
  char *Buffer;
  size_t Used = 0;
  uint64_t Written = 0;
  format::RunningHash *Hash = nullptr;
  /// How much of the buffer is in it, or was written before it was given.
  size_t Hashed = 0;
  long Error = 0;
};

/// The profile's file. It is written without a name, or under a hidden one in
/// the same directory, and gets its own name when it is complete. A file that
/// some earlier program left under that name is kept, and ".1", ".2" ... added
/// to the new one's.
class ProfileFile {
public:
  /// Sets the path of the next profile. A relative \p Path begins at the
  /// current working directory.
  void setPath(const char *Path);

  /// Forgets that this process wrote the file, so that the next profile gets a
  /// file of its own.
  void startNew() { Written.clear(); }

  /// Calls \p Write(FileWriter &) and puts the file in place. \returns false,
  /// with a message on standard error, if that failed.
  template <typename Writer> bool replace(Writer Write) {
    int Fd = create();
    if (Fd < 0)
      return false;
    long Error;
    {
      FileWriter Out(Fd);
      Write(Out);
      Out.flush();
      Error = Out.error();
    }
    return finish(Fd, Error);
  }

  /// The two halves of replace(), for a file that is written further after it
  /// is in place. create() \returns a descriptor, or -1 after a message;
  /// finish() puts the file in place, unless \p Error, and closes it.
  int create();
  bool finish(int Fd, long Error);

  /// Says on standard error that \p Path cannot be written. Once until
  /// something can be written: what fails continuously or again at the end
  /// fails for one reason.
  void complain(const FixedString &Path, long Error);

  /// The file that is written next, unless there is one by another.
  const FixedString &path() const { return Written.empty() ? Final : Written; }
  /// The file that was written last; empty before.
  const FixedString &writtenPath() const { return Written; }

private:
  /// Gives the new file the name \p To, which must be free.
  long giveName(int Fd, const FixedString &To);
  long replaceWritten(int Fd);
  void discard();

  FixedString Final;
  FixedString Directory;
  FixedString Temporary;
  FixedString Written;
  /// Whether the new file has the name Temporary.
  bool HasTemporaryName = false;
  /// Whether the last attempt failed, and a message said so.
  bool HasComplained = false;
};

} // namespace thermocline::runtime

#endif
