#===- packages/tool_help.py - What tools say of themselves -----------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Reads the --help of tools, as LLVM's cl prints it, with the sections of its overview."""

import dataclasses
import os
import re
import subprocess
import sys

# "EXIT STATUS:", "  NO_COLOR - If it is set", "  -o <file>  - Where to".
SECTION = re.compile(r"^(?P<name>EXIT STATUS|ENVIRONMENT|FILES):$")
FACT = re.compile(r"^  (?P<name>\S+) +- +(?P<text>\S.*)$")
OPTION = re.compile(r"^ {2,}(?P<name>-[^\s<]* ?(?:<[^>]*>)?) +- +(?P<text>.*)$")
VALUE = re.compile(r"^ {4,}=(?P<name>\S+) +- +(?P<text>.*)$")
# What LLVM adds to every tool.
OF_LLVM = ("--help", "--help-list", "--help-hidden", "--version")


@dataclasses.dataclass
class Option:
    """One option: its name with dashes, what is between it and its value, what that is called, what
    the option does, and its values with what they do, if they are few."""
    name: str
    joint: str
    value: str
    text: str
    values: list


# What runs the tools, if this machine does not: a program with its arguments.
EMULATOR = [part for part in os.environ.get("THERMOCLINE_EMULATOR", "").split(";") if part]


def said(command):
    result = subprocess.run(EMULATOR + command, capture_output=True, text=True)
    if result.returncode or not result.stdout:
        sys.exit(f"tool_help.py: {' '.join(map(str, command))} says nothing: {result.stderr}")
    return result.stdout


class Help:
    """What a tool's --help has: an overview, sections of names with what they mean, usages,
    commands, and options in groups."""

    def __init__(self, text):
        self.overview, self.usage, self.commands, self.options = [], [], [], []
        self.sections = {}
        into = None
        for line in text.splitlines():
            if line.startswith("OVERVIEW: "):
                into, line = self.overview, line[len("OVERVIEW: "):]
            elif section := SECTION.match(line):
                into = self.sections[section["name"]] = []
                continue
            elif line.startswith("USAGE: "):
                self.usage.append(line[len("USAGE: "):])
                into = self.commands
                continue
            elif line.startswith("SUBCOMMAND '"):
                self.overview = [line.split("': ", 1)[1]]
                continue
            elif line.startswith("OPTIONS:"):
                into = self.options
                continue
            elif line.startswith("SUBCOMMANDS:"):
                continue
            if into is not None:
                into.append(line)
        facts = lambda lines: [(found["name"], found["text"])
                               for found in map(FACT.match, lines) if found]
        self.commands = facts(self.commands)
        self.sections = {name: facts(lines) for name, lines in self.sections.items()}

    def summary(self):
        """The first sentence."""
        first = " ".join(self.overview).strip()
        return re.split(r"(?<=\.) ", first)[0].rstrip(".")

    def own_options(self):
        """All but those that LLVM adds to every tool."""
        found = []
        for line in self.options:
            value = VALUE.match(line)
            option = OPTION.match(line)
            if value and found:
                found[-1].values.append((value["name"], value["text"]))
            elif option:
                name, joint, value = re.match(r"(\S+?)([= ]?)(<.*>)?$",
                                              option["name"].strip()).groups()
                found.append(Option(name, joint, value or "", option["text"], []))
        return [option for option in found if option.name not in OF_LLVM]
