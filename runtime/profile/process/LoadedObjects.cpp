//===- profile/process/LoadedObjects.cpp - What the loader has loaded -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedObjects.h"
#include "platform/Memory.h"
#include "platform/System.h"
#include "platform/Text.h"
#include <dlfcn.h>
#include <elf.h>
#include <sys/auxv.h>

using namespace thermocline::runtime;

/// Copies memory that may be gone. \returns false if it is.
template <typename T>
static bool readAt(uintptr_t Address, T &Result, size_t Count = 1) {
  return sys::readMemory(&Result, Address, Count * sizeof(T));
}

/// Asks the loader about \p Address. \returns false if it knows nothing.
static bool findObject(uintptr_t Address, dl_find_object &Result) {
  return _dl_find_object(reinterpret_cast<void *>(Address), &Result) == 0;
}

bool LoadedObjects::isLoaded(uintptr_t Address) {
  dl_find_object Found;
  return findObject(Address, Found);
}

//===-- One object --------------------------------------------------------===//

void LoadedObject::clear() {
  Whole = {};
  NumSegments = NumHeaders = 0;
  BuildIdBytes = 0;
}

void LoadedObject::addCode(uintptr_t Base, const ElfW(Phdr) & Header) {
  uintptr_t Begin = Base + Header.p_vaddr;
  SegmentEntry Entry(Begin, Begin + Header.p_memsz, Base);
  auto *Entries = reinterpret_cast<SegmentEntry *>(Segments);
  if (NumSegments == MaxSegments)
    Entries[MaxSegments - 1].End = Entry.End;
  else
    copyBytes(&Entries[NumSegments++], &Entry, sizeof(Entry));
}

void LoadedObject::takeAllAsCode(uintptr_t Base, uintptr_t Begin,
                                 uintptr_t End) {
  clear();
  Whole = {Begin, roundUp(End - Begin, pageBytes())};
  ElfW(Phdr) All = {};
  All.p_vaddr = Begin - Base;
  All.p_memsz = End - Begin;
  addCode(Base, All);
}

/// Calls \p Visit with the type, the owner, and the address and size of the
/// content of each note, until it returns true. \returns whether it did.
template <typename Visitor>
static bool visitNotes(uintptr_t Notes, size_t Size, Visitor Visit) {
  // All that is looked at, as each reading is a system call.
  struct {
    ElfW(Nhdr) Head;
    char Owner[12];
  } Note;
  uintptr_t End = Notes + Size;
  while (Notes + sizeof(Note.Head) <= End) {
    size_t Bytes = End - Notes < sizeof(Note) ? End - Notes : sizeof(Note);
    if (!sys::readMemory(&Note, Notes, Bytes))
      return false;
    uintptr_t Content =
        Notes + sizeof(Note.Head) + roundUp(Note.Head.n_namesz, 4);
    uintptr_t Next = Content + roundUp(Note.Head.n_descsz, 4);
    if (Next > End || Next <= Notes)
      return false;
    if (Note.Head.n_namesz && Note.Head.n_namesz <= sizeof(Note.Owner) &&
        Visit(Note.Head.n_type, Note.Owner, Note.Head.n_namesz - 1, Content,
              Note.Head.n_descsz))
      return true;
    Notes = Next;
  }
  return false;
}

/// Keeps the GNU build id, if \p Notes has one.
void LoadedObject::readBuildId(uintptr_t Notes, size_t Size) {
  visitNotes(Notes, Size,
             [&](uint32_t Type, const char *Owner, size_t OwnerSize,
                 uintptr_t Content, size_t Bytes) {
               if (Type != NT_GNU_BUILD_ID ||
                   !textEquals(Owner, OwnerSize, "GNU") ||
                   Bytes > sizeof(BuildId))
                 return false;
               if (sys::readMemory(BuildId, Content, Bytes))
                 BuildIdBytes = Bytes;
               return true;
             });
}

/// Calls \p Visit with each of \p Count headers at \p Address. \p First are the
/// first ones, if they are known. \returns false if they are gone.
template <typename Visitor>
bool LoadedObject::visitHeaders(uintptr_t Address, size_t Count,
                                const HeaderBlock *First, Visitor Visit) {
  HeaderBlock Block;
  for (size_t Done = 0; Done != Count;) {
    const size_t Number =
        Count - Done < HeaderBlock::Size ? Count - Done : HeaderBlock::Size;
    const ElfW(Phdr) *Some = Block.Headers;
    if (First && !Done)
      Some = First->Headers;
    else if (!readAt(Address + Done * sizeof(Some[0]), Block.Headers[0],
                     Number))
      return false;
    Done += Number;
    for (size_t I = 0; I != Number; ++I)
      Visit(Some[I]);
  }
  return true;
}

uintptr_t LoadedObject::findNote(const char *Owner, uint32_t Type) const {
  uintptr_t Result = 0;
  visitHeaders(Headers, NumHeaders, nullptr, [&](const ElfW(Phdr) & Header) {
    if (Header.p_type == PT_NOTE && !Result)
      visitNotes(Base + Header.p_vaddr, Header.p_memsz,
                 [&](uint32_t Found, const char *FoundOwner, size_t OwnerSize,
                     uintptr_t Content, size_t) {
                   if (Found != Type ||
                       !textEquals(FoundOwner, OwnerSize, Owner))
                     return false;
                   Result = Content;
                   return true;
                 });
  });
  return Result;
}

bool LoadedObject::readHeaders(uintptr_t Base, uintptr_t Headers,
                               size_t NumHeaders, HeaderBlock *First) {
  uintptr_t Begin = UINTPTR_MAX, End = 0;
  const bool AreThere =
      visitHeaders(Headers, NumHeaders, First, [&](const ElfW(Phdr) & Header) {
        uintptr_t Address = Base + Header.p_vaddr;
        if (Header.p_type == PT_NOTE && !BuildIdBytes)
          readBuildId(Address, Header.p_memsz);
        if (Header.p_type != PT_LOAD)
          return;
        Begin = Address < Begin ? Address : Begin;
        End = Address + Header.p_memsz > End ? Address + Header.p_memsz : End;
        if (Header.p_flags & PF_X)
          addCode(Base, Header);
      });
  if (!AreThere || Begin >= End)
    return false;
  Whole.Begin = roundDown(Begin, pageBytes());
  Whole.Size = roundUp(End, pageBytes()) - Whole.Begin;
  this->Base = Base;
  this->Headers = Headers;
  this->NumHeaders = NumHeaders;
  for (size_t I = 0; I != NumSegments; ++I) {
    auto &Entry = reinterpret_cast<SegmentEntry *>(Segments)[I];
    Entry.BuildIdSize = BuildIdBytes;
    copyBytes(Entry.BuildId, BuildId, BuildIdBytes);
  }
  return true;
}

//===-- All ---------------------------------------------------------------===//

LoadedObjects::LoadedObjects() {
  // The program's headers, which the kernel and the loader name.
  dl_find_object Found;
  if (findObject(getauxval(AT_PHDR), Found))
    Next = Found.dlfo_link_map;
  AtProgram = true;
}

LoadedObjects::LoadedObjects(uintptr_t Address) {
  const link_map *Program = LoadedObjects().Next;
  dl_find_object Found;
  if (!findObject(Address, Found))
    return;
  Next = Found.dlfo_link_map;
  link_map Link;
  for (size_t I = 0; I != MaxSteps && Next; ++I) {
    if (!readAt(reinterpret_cast<uintptr_t>(Next), Link)) {
      Next = nullptr;
      Whole = false;
      return;
    }
    if (!Link.l_prev)
      break;
    Next = Link.l_prev;
  }
  AtProgram = Next == Program;
}

/// Goes on to the next link.
bool LoadedObjects::readLink(link_map &Link) {
  if (!Next || ++Steps == MaxSteps)
    return false;
  if (!readAt(reinterpret_cast<uintptr_t>(Next), Link)) {
    Whole = false;
    return false;
  }
  return true;
}

bool LoadedObjects::next(LoadedObject &Object) {
  link_map Link;
  while (readLink(Link)) {
    const link_map *This = Next;
    bool IsAfterLast = Link.l_prev == Last;
    Last = This;
    Next = Link.l_next;
    Object.clear();
    if (AtProgram) {
      AtProgram = false;
      if (Object.readHeaders(Link.l_addr, getauxval(AT_PHDR),
                             getauxval(AT_PHNUM)))
        return true;
      continue;
    }
    if (readLibrary(This, Link, Object))
      return true;
    // The library is being loaded or unloaded, or this is no link any more.
    Whole = false;
    if (!IsAfterLast)
      return false;
  }
  return false;
}

/// Finds what is at \p Address according to the loader, if \p Link stands for
/// that.
static bool findLibrary(const link_map *Link, uintptr_t Address,
                        dl_find_object &Result) {
  return findObject(Address, Result) && Result.dlfo_link_map == Link;
}

/// \p Link is a copy of what was at \p Address.
bool LoadedObjects::readLibrary(const link_map *Address, const link_map &Link,
                                LoadedObject &Object) {
  auto Dynamic = reinterpret_cast<uintptr_t>(Link.l_ld);
  dl_find_object Found;
  struct {
    ElfW(Ehdr) Head;
    LoadedObject::HeaderBlock Headers;
  } First;
  static_assert(sizeof(First) <= LeastPageBytes);
  if (!findLibrary(Address, Dynamic, Found))
    return false;
  auto Begin = reinterpret_cast<uintptr_t>(Found.dlfo_map_start);
  auto End = reinterpret_cast<uintptr_t>(Found.dlfo_map_end);
  // Is the memory gone?
  if (!readAt(Begin, First))
    return false;
  const ElfW(Ehdr) &Head = First.Head;
  bool IsRead = __builtin_memcmp(Head.e_ident, ELFMAG, SELFMAG) == 0 &&
                Head.e_phentsize == sizeof(ElfW(Phdr)) &&
                Object.readHeaders(
                    Link.l_addr, Begin + Head.e_phoff, Head.e_phnum,
                    Head.e_phoff == sizeof(Head) ? &First.Headers : nullptr) &&
                Object.Whole.Begin == Begin;
  if (!IsRead)
    Object.takeAllAsCode(Link.l_addr, Begin, End);
  return findLibrary(Address, Dynamic, Found) &&
         reinterpret_cast<uintptr_t>(Found.dlfo_map_start) == Begin &&
         (IsRead || readAt(Begin, First));
}
