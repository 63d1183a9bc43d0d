//===- Callsites/Macros.h - What macros and constants stand for -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a statement that stays as it is may mean something else, because a
// macro in it was defined anew: `SLOT = make(n);`.
//
// So the definitions are read that a file has, and those of the files that it
// includes in quotes, where these are found: beside it, in a folder above, or
// in a folder `include` there. Conditional parts all count. Of a name that is
// defined several times, so does what they ask, and the order. Other headers
// are not looked for: they are of the system, or only the compiler knows where
// they are.
//
// What the command line defines counts in all files. And of a function that no
// other module has, so does what its module's source has, which may include the
// file of the function. One that several modules may have is not to differ
// between them.
//
// So it is with the constants and other definitions of these files, also of
// functions: what they do with what they get, or what they return if they are
// short (Constants.h). Where several namespaces define a name, those that are
// used as a whole count as well.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_MACROS_H
#define THERMOCLINE_LIB_CALLSITES_MACROS_H

#include "Constants.h"
#include "thermocline/Callsites/NameInSource.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thermocline::callsites {

class Macros {
public:
  /// How a name is used.
  struct Use {
    /// Any may be of a macro; of a member, of what its class says as well; and
    /// of a global one, of any constant.
    NameInSource::Kind Is;
    /// In a condition: sizes count, too.
    bool IsAsked;
  };

  /// A file, and what it includes.
  struct Scope {
    /// Their numbers.
    llvm::BitVector Files;
    /// By use and name, what addUsed() has found.
    mutable llvm::StringMap<std::vector<uint16_t>> Found[3][2];
    /// What addTaker() and addDecider() have found, likewise.
    mutable llvm::StringMap<std::vector<uint16_t>> Takers, Deciders[3];

    bool has(unsigned File) const { return File < Files.size() && Files[File]; }
  };

  /// \p Command are the words of the compiler's command line.
  explicit Macros(llvm::ArrayRef<llvm::StringRef> Command);

  /// The file \p Path, and \p Source if it is not empty. Each file is read
  /// once.
  const Scope &scopeOf(llvm::StringRef Path, llvm::StringRef Source = "");

  /// Whether \p Visible defines a function of the name \p Function.
  bool defines(llvm::StringRef Function, const Scope &Visible) const;

  /// Whether the parameter \p Index of a function \p Function may be a size:
  /// its name says so, or \p Visible does not define such a function.
  bool takesSize(llvm::StringRef Function, unsigned Index,
                 const Scope &Visible) const;

  /// Adds to \p To hashes of what \p Name stands for, by its role.
  void addMeaning(const NameInSource &Name, const Scope &Visible,
                  std::set<uint16_t> &To) const;

private:
  /// Adds to \p To hashes of what \p Word stands for, if it is defined in \p
  /// Visible, and for each name that its definitions use: of all tokens but
  /// sizes.
  void addUsed(llvm::StringRef Word, Use How, const Scope &Visible,
               std::set<uint16_t> &To) const;

  /// Adds what functions of the name \p Function do with what they get, and
  /// functions that they give it to: hashes of its sinks, by parameter. And
  /// which types of parameters the functions of a scope have that take as many:
  /// one more may be what is called.
  void addTaker(llvm::StringRef Function, const Scope &Visible,
                std::set<uint16_t> &To) const;

  /// The same for what is called by the name \p Callback: a function, or those
  /// that the values of a variable or a member name.
  void addCallback(llvm::StringRef Callback, const Scope &Visible,
                   std::set<uint16_t> &To) const;

  /// What is asked of a function.
  enum class Asks { Value, Place, Setting };
  /// Adds what functions of the name \p Function are, if they are short: those
  /// that return something, that return no number, or that only set variables.
  void addDecider(llvm::StringRef Function, Asks What, const Scope &Visible,
                  std::set<uint16_t> &To) const;

  /// Adds what the names in \p F of \p File stand for, and what the functions
  /// are that it calls, if they are short.
  void addNamedIn(const NamedFunction &F, const SourceTokens &File,
                  const Scope &Visible, std::set<uint16_t> &To) const;

  /// Adds what \p Operator does, if it is short: one that the class has,
  /// or that gets one of its objects.
  void addOperator(OperatorOfClass Operator, const Scope &Visible,
                   std::set<uint16_t> &To) const;

  /// Adds which of \p Scopes, all of which define \p Name, are used as a whole,
  /// or are bases of a class, and from which the name is taken.
  void addUsings(llvm::StringRef Name, const std::set<llvm::StringRef> &Scopes,
                 const Scope &Visible, std::set<uint16_t> &To) const;
  /// What \p F of the file \p Number is, if it is short: as it is written.
  std::optional<std::string> textOf(const NamedFunction &F,
                                    unsigned Number) const;
  /// Finds what one name stands for.
  class Finder;
  class TakerFinder;

  struct File {
    std::unique_ptr<llvm::MemoryBuffer> Text;
    /// The tokens of the text.
    std::unique_ptr<SourceTokens> Tokens;
    std::vector<unsigned> Includes;
  };
  struct Definition {
    unsigned File;
    /// The text of what it is; empty, and IsGone, where it ends.
    llvm::StringRef Body;
    bool IsGone;
    /// What `#if` and the like ask around it, but for the guard of a header.
    std::string Conditions;
  };
  /// A conditional part that is open.
  struct Conditional {
    std::string Asks;
    /// For `#ifndef`, what is to be defined next if it guards a header.
    llvm::StringRef Guard;
  };
  unsigned numberOf(llvm::StringRef Path);
  static void readConditional(llvm::StringRef Line,
                              std::vector<Conditional> &Open);
  void readDefinition(llvm::StringRef Line, unsigned Number, bool IsGone,
                      std::vector<Conditional> &Open);
  void read(unsigned Number);
  void readDirectives(unsigned Number, llvm::StringRef Text, File &Including);
  void readConstants(unsigned Number, const SourceTokens &Tokens);

  /// By number, the paths of files, and those that were read.
  std::vector<std::string> Paths;
  std::vector<std::optional<File>> Files;
  llvm::StringMap<unsigned> Numbers;
  /// By name, in the order of the files and in them.
  llvm::StringMap<std::vector<Definition>> Definitions;
  /// By name, with the files that they are in.
  llvm::StringMap<std::vector<std::pair<unsigned, NamedValue>>> Constants;
  llvm::StringMap<std::vector<std::pair<unsigned, NamedFunction>>> Functions;
  /// By name, the files that use a namespace.
  llvm::StringMap<std::vector<unsigned>> UsedNamespaces;
  /// By name, the files that take it from elsewhere, and from what.
  llvm::StringMap<std::vector<std::pair<unsigned, llvm::StringRef>>> UsedNames;
  /// By base, the classes that have it, with their files.
  llvm::StringMap<std::vector<std::pair<unsigned, llvm::StringRef>>> Derived;
  llvm::StringMap<Scope> Scopes;
};

} // namespace thermocline::callsites

#endif
