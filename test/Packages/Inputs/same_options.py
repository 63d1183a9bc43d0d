"""same_options.py DOCS BINARIES PAGES: checks that docs, --help and manual pages have the same
commands and options. What a page of docs is for, it must have whole; options of `run` are
llvm-lto2's."""
import pathlib
import re
import sys

root, binaries, pages = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "packages"))
from tool_help import Help, said

# The page with the commands of a tool. That of thermo-lto has options of linkers, too.
PAGE_OF = {"thermocline": "thermocline.md", "thermo-profdata": "profdata.md",
           "thermo-lto": "link.md"}
docs = {page.name: page.read_text() for page in (root / "docs").glob("*.md")}
everything = "\n".join(docs.values())
problems = []


def expect(holds, problem):
    if not holds:
        problems.append(problem)


def names(tool, command, kind="--help"):
    options = Help(said([binaries / tool, command, kind])).own_options()
    return {option.name for option in options}


for tool, page in PAGE_OF.items():
    commands = [name for name, _ in Help(said([binaries / tool, "--help"])).commands]
    expect(len(commands) > 2, f"{tool}: --help has no commands")
    manual = (pages / f"{tool}.1").read_text().replace("\\-", "-")
    known = {"--help", "--version"}
    for command in commands:
        expect(re.search(rf"`({tool} )?{command}[ `]", docs[page]),
               f"{page}: no such command: {tool} {command}")
        shown = names(tool, command)
        known |= names(tool, command, "--help-hidden")
        for option in shown:
            expect(re.search(re.escape(option) + r"(?![\w-])", manual),
                   f"{tool}: {option} is not in its manual page")
            # Options of LLVM's kind have one dash in the docs, and thresholds have a table of names.
            expect(command == "run" or
                   re.search(rf"[-`]{re.escape(option.lstrip('-'))}(?![\w-])", everything),
                   f"{tool}: {option} is in no page of the docs")
    if tool != "thermo-lto":
        for option in re.findall(r"`(--[a-z][\w-]*\w)(?![\w-])", docs[page]):
            expect(option in known, f"{page}: {option} is no option of {tool}")

print(*sorted(set(problems)), sep="\n")
sys.exit(bool(problems))
