//===- Callsites/SourceFiles.cpp - The files of a module's source ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// The lines that a file which is made of line markers may have.
static constexpr unsigned MaxLines = 1 << 22;

//===-- Paths -------------------------------------------------------------===//

static std::string withoutDots(StringRef Path) {
  SmallString<256> Result = Path;
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return std::string(Result);
}

static std::string append(StringRef Folder, StringRef Path) {
  SmallString<256> Result = Folder;
  sys::path::append(Result, Path);
  return std::string(Result);
}

/// The path of \p File as debug information has it.
static std::string pathOf(const DIFile &File) {
  return sys::path::is_absolute(File.getFilename())
             ? File.getFilename().str()
             : append(File.getDirectory(), File.getFilename());
}

/// How many components \p A and \p B have in common at the end.
static unsigned numShared(StringRef A, StringRef B) {
  unsigned Result = 0;
  for (auto I = sys::path::rbegin(A), J = sys::path::rbegin(B);
       I != sys::path::rend(A) && J != sys::path::rend(B) && *I == *J; ++I, ++J)
    ++Result;
  return Result;
}

SourceFiles::SourceFiles(const Module &M) {
  SmallString<256> Current;
  if (!sys::fs::current_path(Current))
    Folder = std::string(Current);
  SmallString<256> Path(M.getSourceFileName());
  sys::fs::make_absolute(Path);
  Source = withoutDots(Path);
  for (const DICompileUnit *Unit : M.debug_compile_units())
    if (const DIFile *File = Unit->getFile()) {
      addPrefix(pathOf(*File), Source);
      addPrefix(File->getDirectory(), Folder);
    }
}

void SourceFiles::addPrefix(StringRef Named, StringRef Is) {
  std::string From = withoutDots(Named), To = Is.str();
  if (From == ".")
    From.clear();
  while (!From.empty() &&
         sys::path::filename(From) == sys::path::filename(To) &&
         sys::path::has_parent_path(To)) {
    From = sys::path::parent_path(From).str();
    To = sys::path::parent_path(To).str();
  }
  if (From != To)
    Prefixes.emplace_back(From, To);
}

/// The part of \p Path below \p Folder, if it is there.
static std::optional<StringRef> below(StringRef Path, StringRef Folder) {
  if (Folder.empty())
    return sys::path::is_relative(Path) ? std::optional(Path) : std::nullopt;
  if (!Path.consume_front(Folder) ||
      (!Path.empty() && Path.front() != '/' && !Folder.ends_with("/")))
    return std::nullopt;
  return Path.ltrim('/');
}

//===-- Files -------------------------------------------------------------===//

/// The text of the file at \p Path; null if it cannot be read.
static std::unique_ptr<MemoryBuffer> textAt(const Twine &Path) {
  // What is no regular file may give each reader something else.
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status) || !sys::fs::is_regular_file(Status))
    return nullptr;
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  return Buffer ? std::move(*Buffer) : nullptr;
}

SourceFiles::Text SourceFiles::open(const Twine &Path, const DIFile &File) {
  Text Found = textAt(Path);
  const auto Checksum = File.getChecksum();
  if (Found && Checksum && Checksum->Kind == DIFile::CSK_MD5 &&
      MD5::hash(arrayRefFromStringRef(Found->getBuffer())).digest() !=
          Checksum->Value)
    return nullptr;
  return Found;
}

std::pair<SourceFiles::Text, std::string>
SourceFiles::find(const DIFile &File) {
  const std::string Named = pathOf(File);
  if (Text Found = open(Named, File))
    return {std::move(Found), Named};
  const std::string Path = withoutDots(Named);
  for (const auto &[From, To] : Prefixes)
    if (const std::optional<StringRef> Rest = below(Path, From)) {
      std::string Moved = append(To, *Rest);
      if (Text Found = open(Moved, File))
        return {std::move(Found), std::move(Moved)};
    }
  // Without a checksum, any file of the name would do.
  if (!File.getChecksum())
    return {};
  // Whatever else the machine has is not looked at, so not below the root.
  for (StringRef End = sys::path::relative_path(Path); !End.empty();
       End = End.contains('/') ? End.split('/').second : "") {
    std::string Moved = append(Folder, End);
    if (Text Found = open(Moved, File))
      return {std::move(Found), std::move(Moved)};
    for (StringRef Parent = sys::path::parent_path(Source);
         sys::path::has_relative_path(Parent);
         Parent = sys::path::parent_path(Parent)) {
      Moved = append(Parent, End);
      if (Text Found = open(Moved, File))
        return {std::move(Found), std::move(Moved)};
    }
  }
  return {};
}

const SourceFiles::SourceFile *SourceFiles::read(const DIFile &File) {
  auto [Known, New] = Files.try_emplace(&File);
  if (!New)
    return Known->second.get();
  auto [Found, Path] = find(File);
  if (!Found && !File.getChecksum()) {
    Found = belowLineMarkers(File);
    Path = Source;
  }
  if (!Found)
    return nullptr;
  SourceTokens Tokens(Found->getBuffer());
  SourceTokens Nameless = withoutLocalNames(Tokens);
  Known->second = std::make_unique<SourceFile>(
      SourceFile{std::move(Tokens), std::move(Nameless), std::move(Path)});
  Buffers.push_back(std::move(Found));
  return Known->second.get();
}

//===-- Line markers ------------------------------------------------------===//

namespace {

struct LineMarker {
  /// The number of the next line.
  unsigned Line = 0;
  /// The file of that line; empty if it stays what it is.
  std::string File;
};

} // namespace

/// What \p Text says of the line behind it, as `#line 200 "gen.y"` or
/// `# 1 "gen.c" 2`.
static std::optional<LineMarker> lineMarkerIn(StringRef Text) {
  Text = Text.ltrim();
  if (!Text.consume_front("#"))
    return std::nullopt;
  Text = Text.ltrim();
  Text.consume_front("line");
  LineMarker Result;
  Text = Text.ltrim();
  if (Text.consumeInteger(10, Result.Line))
    return std::nullopt;
  Text = Text.trim();
  if (Text.consume_front("\""))
    for (; !Text.empty() && Text.front() != '"'; Text = Text.drop_front()) {
      if (Text.front() == '\\' && Text.size() > 1)
        Text = Text.drop_front();
      Result.File += Text.front();
    }
  return Result;
}

void SourceFiles::readLineMarkers() {
  Marked.emplace();
  const Text Buffer = textAt(Source);
  if (!Buffer)
    return;
  std::map<unsigned, std::string> *Texts = nullptr;
  unsigned Line = 0;
  for (StringRef Rest = Buffer->getBuffer(); !Rest.empty();) {
    StringRef Row;
    std::tie(Row, Rest) = Rest.split('\n');
    if (const std::optional<LineMarker> Is = lineMarkerIn(Row)) {
      Line = Is->Line;
      if (!Is->File.empty())
        Texts = &(*Marked)[withoutDots(Is->File)];
      continue;
    }
    // A preprocessor may break a line, and then columns are those of a part.
    if (Texts && Line < MaxLines) {
      std::string &Text = (*Texts)[Line];
      if (!Text.empty() && !Row.trim().empty())
        Text += ' ';
      if (!Row.trim().empty())
        Text += Row;
    }
    ++Line;
  }
}

SourceFiles::Text SourceFiles::belowLineMarkers(const DIFile &File) {
  if (!Marked)
    readLineMarkers();
  const std::string Path = withoutDots(pathOf(File));
  // The names may be relative, and those of debug information mapped.
  const std::map<unsigned, std::string> *Best = nullptr;
  unsigned Most = 0;
  for (const auto &[Name, Rows] : *Marked) {
    const unsigned Shared = numShared(Name, Path);
    if (Shared >= Most)
      Best = Shared > Most ? &Rows : nullptr;
    Most = std::max(Most, Shared);
  }
  if (!Best)
    return nullptr;
  std::string Lines;
  unsigned Current = 1;
  for (const auto &[Line, Row] : *Best) {
    for (; Current < Line; ++Current)
      Lines += '\n';
    Lines += Row;
  }
  return MemoryBuffer::getMemBufferCopy(Lines);
}
