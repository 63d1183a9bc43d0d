//===- thermo-lto/Options.cpp - The tool's command line -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RunOptions.h"
#include "options/LinkOptions.h"
#include "thermocline/Report/SourceLinks.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Tools/CommandLine.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstdlib>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

static constexpr ToolCommand Commands[] = {
    {"run", "[options] -o OUT MODULE...",
     "Link bitcode modules as llvm-lto2 run does, with Thermocline's "
     "decisions"},
    {"audit", "[options] FILE...",
     "Say where every profiled context ends: cold, or not"},
    {"report", "[options] -o PAGE.html FILE...",
     "Write a page for a browser: what was gained, what not, and why"},
    {"decisions", "[options] FILE...",
     "List the versions, calls and hints that were decided on"},
    {"explain", "[options] WHAT FILE...",
     "Say in words what was decided of a function, call or context, and why"},
    {"dot", "[options] FILE...",
     "Draw versions and the calls between them, for Graphviz"},
};
static constexpr ToolFact ExitStatus[] = {
    {"0", "All went well"},
    {"1", "There was an error, which is printed; of audit, a context that was "
          "profiled not cold is hinted cold"},
};
static constexpr ToolFact Files[] = {
    {"@FILE", "Stands for arguments that are in a file"},
    {"*.thinlto.bc", "The indexes of a link, with its decisions"},
};
static constexpr Tool LTO = {
    "thermo-lto",
    "Looks at what Thermocline decides in a ThinLTO link, and links without a "
    "linker.",
    Commands,
    ExitStatus,
    {},
    Files};

namespace {

/// The options, which register themselves with cl. They are members, as other
/// tools in the same program have options of the same names.
class CommandLine {
public:
  Command parse(ArrayRef<const char *> Whole);

private:
  // Subcommands of cl would hide LLVM's own options, which `run` must take; the
  // two sets are told apart by the first argument instead.
  cl::OptionCategory AuditCategory{"Options of thermo-lto audit"};
  cl::OptionCategory ReportCategory{"Options of thermo-lto report"};
  cl::OptionCategory DecisionsCategory{"Options of thermo-lto decisions"};
  cl::OptionCategory ExplainCategory{"Options of thermo-lto explain"};
  cl::OptionCategory DotCategory{"Options of thermo-lto dot"};

  // Several subcommands have these, but help lists an option under each of its
  // categories: they get the one of the subcommand that was given.
  cl::list<std::string> Inputs{cl::Positional, cl::desc("<files>")};
  cl::opt<std::string> Output{"o", cl::desc("Output file"),
                              cl::value_desc("filename")};

  cl::opt<std::string> Profile{"profile",
                               cl::desc("Indexed profile, for names of frames"),
                               cl::value_desc("file")};
  cl::opt<std::string> Format{
      "format", cl::desc("text or json (audit: or html or csv); by "
                         "default what the output's extension "
                         "says")};
  cl::opt<unsigned> MaxContexts{"max-contexts", cl::init(20),
                                cl::desc("Contexts listed in text (20)"),
                                cl::cat(AuditCategory)};
  cl::opt<std::string> Around{
      "around",
      cl::desc("Draw what the contexts through this run through: FUNCTION, "
               "FUNCTION:LINE[:COLUMN], FUNCTION#N, N or 0xID, as "
               "thermo-lto explain takes them"),
      cl::value_desc("what"), cl::cat(DotCategory)};
  cl::opt<unsigned> MaxNodes{
      "max-nodes", cl::init(500),
      cl::desc("Draw at most so many versions, those with most bytes "
               "(500)"),
      cl::cat(DotCategory)};
  cl::opt<bool> ListAll{
      "all", cl::desc("Also list contexts that are as they should be"),
      cl::cat(AuditCategory)};

  cl::list<std::string> Measured{
      "measured",
      cl::desc(
          "What a run of the program wrote for THERMOCLINE_ALLOC_STATS; may "
          "be given several times"),
      cl::value_desc("file"), cl::cat(ReportCategory)};
  cl::list<std::string> SourceUrls{
      report::SourceUrlOption, cl::value_desc("address"),
      cl::cat(ReportCategory), cl::desc(report::SourceUrlHelp)};
  cl::opt<std::string> MeasuredPages{
      "measured-pages",
      cl::desc(
          "The pages that the program touched without hints and with them, "
          "as 19.0MiB,8.3MiB"),
      cl::value_desc("size,size"), cl::cat(ReportCategory)};

  /// The command line of main.
  std::vector<const char *> Arguments;

  struct Subcommand {
    StringRef Name;
    /// Makes the command from the options, when they are parsed.
    Command (CommandLine::*Make)() const;
    cl::OptionCategory *Category;
    /// Above the options in its own help.
    StringRef Overview;
  };

  Error checkOptions(const Subcommand &Given) const;
  Command runCommand() const;
  ViewOptions viewOptions() const;
  Command auditCommand() const {
    return AuditCommand{
        .View = viewOptions(), .MaxContexts = MaxContexts, .ListAll = ListAll};
  }
  Command reportCommand() const {
    return ReportCommand{.View = viewOptions(),
                         .Measured = {Measured.begin(), Measured.end()},
                         .Pages = MeasuredPages,
                         .SourceUrls = {SourceUrls.begin(), SourceUrls.end()}};
  }
  Command decisionsCommand() const { return DecisionsCommand{viewOptions()}; }
  Command explainCommand() const { return ExplainCommand{viewOptions()}; }
  Command dotCommand() const {
    return DotCommand{
        .View = viewOptions(), .Around = Around, .MaxNodes = MaxNodes};
  }

/// What the options of all subcommands but run are read into.
#define THERMO_LTO_FILES                                                       \
  "Files are bitcode modules with profiled contexts, for which the engine "    \
  "decides again;\nor the indexes (*.thinlto.bc) with the decisions of a "     \
  "link, by Thermocline or stock LLVM,\nthat was made with "                   \
  "--thinlto-emit-index-files or --thinlto-index-only. Their modules are\n"    \
  "then read from where the link found them.\n"

  const std::array<Subcommand, 6> Subcommands = {{
      {"run", &CommandLine::runCommand, &runCategory(),
       "Links bitcode modules with Thermocline's decisions.\n"},
      {"audit", &CommandLine::auditCommand, &AuditCategory,
       "Says where every profiled context ends.\n\n" THERMO_LTO_FILES},
      {"report", &CommandLine::reportCommand, &ReportCategory,
       "Writes a page for a browser, which needs nothing beside "
       "it.\n\n" THERMO_LTO_FILES},
      {"decisions", &CommandLine::decisionsCommand, &DecisionsCategory,
       "Lists what was decided: versions of functions, calls, "
       "hints.\n\n" THERMO_LTO_FILES
       "Of objects, executables, shared libraries and optimized bitcode, lists "
       "the versions and the\ncalls of functions that take hints.\n"},
      {"explain", &CommandLine::explainCommand, &ExplainCategory,
       "Says what was decided, and why. The first argument is\n\n"
       "  FUNCTION                as the source or the linker names it\n"
       "  FUNCTION:LINE[:COLUMN]  calls there; lines count from the beginning "
       "of "
       "the function\n"
       "  FUNCTION#N              its allocation N\n"
       "  N or context:N          the context of this number in the report of "
       "the same link\n"
       "  0xID                    a context or a call, by "
       "id\n\n" THERMO_LTO_FILES},
      {"dot", &CommandLine::dotCommand, &DotCategory,
       "Draws versions of functions and the calls between them that contexts "
       "take, for Graphviz:\nof what is hinted cold, or around a function, "
       "call, "
       "context or allocation.\n\n" THERMO_LTO_FILES},
  }};
#undef THERMO_LTO_FILES
};

} // namespace

Command CommandLine::runCommand() const {
  RunCommand O = runOptions();
  O.Inputs.assign(Inputs.begin(), Inputs.end());
  O.Output = Output;
  O.CommandLine = Arguments;
  return O;
}

ViewOptions CommandLine::viewOptions() const {
  ViewOptions O;
  O.Inputs.assign(Inputs.begin(), Inputs.end());
  O.Profile = Profile;
  O.Output = Output;
  O.Format = Format;
  O.CommandLine = Arguments;
  return O;
}

/// An error if an option was given that only other subcommands have: cl takes
/// those of all. LLVM's own are of none.
Error CommandLine::checkOptions(const Subcommand &Given) const {
  auto IsOf = [](const cl::Option &O, const Subcommand &S) {
    return is_contained(O.Categories, S.Category);
  };
  const cl::Option *First = nullptr;
  for (const auto &[Name, O] : cl::getRegisteredOptions()) {
    // These have no category until a subcommand takes them.
    const bool IsOfAny = O == &Profile || O == &Format ||
                         any_of(Subcommands, [&, &O = O](const Subcommand &S) {
                           return IsOf(*O, S);
                         });
    if (O->getNumOccurrences() && IsOfAny && !IsOf(*O, Given) &&
        (!First || O->getPosition() < First->getPosition()))
      First = O;
  }
  return First ? usageError(LTO, Given.Name,
                            "unknown option '" +
                                Twine(First->ArgStr.size() == 1 ? "-" : "--") +
                                First->ArgStr + "'")
               : Error::success();
}

Command CommandLine::parse(ArrayRef<const char *> Whole) {
  StringRef Name = Whole.size() > 1 ? Whole[1] : "";
  if (Name == "--help" || Name == "-h" || Name == "-help") {
    LTO.printHelp(outs());
    std::exit(0);
  }
  if (Name == "--version") {
    printVersion(outs(), "thermo-lto");
    std::exit(0);
  }
  const auto *Given =
      find_if(Subcommands, [&](const Subcommand &S) { return S.Name == Name; });
  if (Given == Subcommands.end())
    std::exit(reportFatal("thermo-lto", LTO.noCommand(Name)));
  Arguments = Whole.vec();
  std::vector<const char *> ForParser = Arguments;
  ForParser.erase(ForParser.begin() + 1);
  std::string Program = ("thermo-lto " + Name).str();
  ForParser[0] = Program.c_str();
  cl::OptionCategory &Category = *Given->Category;
  Inputs.addCategory(Category);
  Output.addCategory(Category);
  const bool Links = &Category == &runCategory();
  if (!Links)
    Profile.addCategory(Category);
  if (&Category == &AuditCategory || &Category == &DecisionsCategory)
    Format.addCategory(Category);
  cl::SetVersionPrinter(
      [](raw_ostream &OS) { printVersion(OS, "thermo-lto"); });
  // Show the subcommand's own options and Thermocline's, not LLVM's thousand.
  cl::HideUnrelatedOptions({&Category, &lto::optionCategory()});
  if (!Links)
    for (cl::Option *O : lto::linkOnlyOptions())
      O->setHiddenFlag(cl::ReallyHidden);
  if (Error E = parseOptions(ForParser, Given->Overview, Program))
    std::exit(reportFatal("thermo-lto", std::move(E)));
  if (Error E = checkOptions(*Given))
    std::exit(reportFatal("thermo-lto", std::move(E)));
  // The options of a link may be given as they were for the link. Those without
  // effect here are warned of.
  if (!Links)
    for (const cl::Option *O : lto::linkOnlyOptions())
      if (O->getNumOccurrences())
        WithColor::warning(errs(), "thermo-lto")
            << Name << ": --" << O->ArgStr << " is of the link, and has no "
            << "effect here\n";
  return (this->*Given->Make)();
}

Command thermocline::tools::parseCommandLine(int argc, char **argv) {
  static CommandLine Options;
  return Options.parse(ArrayRef(argv, argc));
}
