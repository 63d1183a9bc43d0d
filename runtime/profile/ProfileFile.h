//===- profile/ProfileFile.h - A file whole or not at all ----- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PROFILEFILE_H
#define THERMOCLINE_RUNTIME_PROFILE_PROFILEFILE_H

#include "Base.h"
#include "Text.h"

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
  uint64_t written() const { return Written; }
  /// For a writer of another kind to the same file; nothing may be buffered
  /// here. It tells fail() if it does.
  int descriptor() const { return Fd; }
  void fail() { Failed = true; }

private:
  static constexpr size_t BufferBytes = 256 * 1024;
  int Fd;
  char *Buffer;
  size_t Used = 0;
  uint64_t Written = 0;
  bool Failed = false;
};

/// The profile's file: written under another name in the same directory, which
/// it gives up for its own when complete. A file that some earlier program left
/// under that name is kept, and ".1", ".2" ... added.
class ProfileFile {
public:
  /// Where the next profile goes: \p Path and ".PID".
  void setPath(const char *Path, int ProcessId);

  /// Forgets that this process wrote the file, so that the next profile gets a
  /// file of its own.
  void startNew();

  /// Calls \p Write(FileWriter &) and puts the file in place. \returns false,
  /// with a message on standard error, if that failed.
  template <typename Writer> bool replace(Writer Write) {
    int Fd = open();
    if (Fd < 0)
      return false;
    bool Complete;
    {
      FileWriter Out(Fd);
      Write(Out);
      Complete = Out.flush();
    }
    return close(Fd, Complete);
  }

  /// The file that was written last; empty before.
  const FixedString &writtenPath() const { return Written; }

private:
  int open();
  bool close(int Fd, bool Complete);

  FixedString Final;
  FixedString Temporary;
  FixedString Written;
};

} // namespace thermocline::runtime

#endif
