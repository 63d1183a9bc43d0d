#!/usr/bin/env python3
#===- packages/man.py - Manual pages from what tools say of themselves -----===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Writes manual pages: of tools from their --help, of config files from their comments.

usage: man.py --output FOLDER --version VERSION [--tool PROGRAM]... [--config FILE]...
"""

import argparse
import pathlib
import re

from tool_help import Help, said


def escaped(text):
    """As text of a page: nothing in it is markup."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith((".", "\\(aq")) else text


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


class Page:
    """One manual page, line by line."""

    def __init__(self, name, section, version, summary):
        self.lines = [f'.TH "{escaped(name.upper())}" "{section}" "" "Thermocline {version}" '
                      '"Thermocline"', ".ad l", ".nh"]
        self.section("NAME")
        self.text(f"{escaped(name)} \\- {escaped(summary)}")

    def section(self, name):
        self.lines.append(f'.SH "{escaped(name)}"')

    def part(self, name):
        self.lines.append(f'.SS "{escaped(name)}"')

    def text(self, text):
        self.lines.append(text)

    def paragraphs(self, lines):
        """Plain paragraphs; those that are indented or tables stay as they are."""
        for paragraph in "\n".join(lines).strip("\n").split("\n\n"):
            if not paragraph.strip():
                continue
            if any(line.startswith(" ") for line in paragraph.splitlines()):
                self.lines += [".PP", ".nf", *(escaped(line) for line in paragraph.splitlines()),
                               ".fi"]
            else:
                self.lines += [".PP", *(escaped(line) for line in paragraph.splitlines())]

    def term(self, name, text):
        self.lines += [".TP", bold(name), escaped(text)]

    def write(self, file):
        file.write_text("\n".join(self.lines) + "\n")


def write_options(page, options):
    for option in options:
        page.term(option.name + option.joint + option.value, option.text)
        for value, text in option.values:
            page.lines += [".RS", ".TP", bold(value), escaped(text), ".RE"]


def write_tool(program, version, folder, others):
    name = program.name
    whole = Help(said([program, "--help"]))
    summary = whole.summary() or f"{name} of Thermocline"
    page = Page(name, 1, version, summary[0].lower() + summary[1:])
    page.section("SYNOPSIS")
    usages = [line.strip() for line in whole.overview if line.strip().startswith(name + " ")] or \
        whole.usage
    for number, usage in enumerate(usages):
        if number:
            page.text(".br")
        page.text(bold(name) + escaped(usage[len(name):]))
    page.section("DESCRIPTION")
    page.paragraphs(line for line in whole.overview if not line.strip().startswith(name + " "))
    if whole.commands:
        page.section("COMMANDS")
        for command, text in whole.commands:
            page.term(command, text)
        page.section("OPTIONS")
        for command, _ in whole.commands:
            page.part(f"{name} {command}")
            of_command = Help(said([program, command, "--help"]))
            if len(of_command.overview) > 1:
                page.paragraphs(of_command.overview)
            write_options(page, of_command.own_options())
    elif whole.options:
        page.section("OPTIONS")
        write_options(page, whole.own_options())
    for section, facts in whole.sections.items():
        page.section(section)
        for fact, text in facts:
            page.term(fact, text)
    see_also(page, name, 1, others)
    page.write(folder / f"{name}.1")


def write_config(config, version, folder, others):
    """The comments say what the file is for; all of it is shown, without paths of a build."""
    text = config.read_text()
    comments = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        comments.append(line[2:])
    head = " ".join(comments)
    how, _, what = head.partition(": ")
    sentences = re.split(r"(?<=\.) ", what)
    page = Page(config.name, 5, version, sentences[0].rstrip("."))
    page.section("SYNOPSIS")
    page.text(escaped(how))
    page.section("DESCRIPTION")
    page.text(escaped(f"A config file of clang: it {what}"))
    page.section("CONTENTS")
    page.lines += [".nf", *(escaped(line) for line in text.splitlines()), ".fi"]
    see_also(page, config.name, 5, others)
    page.write(folder / f"{config.name}.5")


def see_also(page, name, section, others):
    page.section("SEE ALSO")
    page.text(", ".join(f"{bold(other)}({number})" for other, number in sorted(others)
                        if (other, number) != (name, section)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--tool", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--config", type=pathlib.Path, action="append", default=[])
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    others = [(tool.name, 1) for tool in options.tool] + \
        [(config.name, 5) for config in options.config]
    for tool in options.tool:
        write_tool(tool, options.version, options.output, others)
    for config in options.config:
        write_config(config, options.version, options.output, others)


if __name__ == "__main__":
    main()
