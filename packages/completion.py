#!/usr/bin/env python3
#===- packages/completion.py - Completion for bash and zsh -----------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Writes files that complete the commands and options of tools, from their --help.

usage: completion.py --bash FOLDER --zsh FOLDER --tool PROGRAM...
"""

import argparse
import pathlib
import re

from tool_help import Help, said


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def offered(option):
    """The words that an option is completed to: with its values, if they are few."""
    if option.values:
        return [(f"{option.name}={value}", text) for value, text in option.values]
    return [(option.name + option.joint.strip(), option.text)]


def commands_of(program):
    """The commands of a tool, and the words that complete the options of each. Without commands,
    there is one with an empty name."""
    whole = Help(said([program, "--help"]))
    names = whole.commands or [("", "")]
    helps = {name: Help(said([program, name, "--help"])) if name else whole for name, _ in names}
    return names, {name: [word for option in help.own_options() for word in offered(option)] +
                         [("--help", "Display available options")]
                   for name, help in helps.items()}


# What follows '=' is a word of its own to bash, and what follows `--` is another program's.
BASH = r"""# bash completion for {tool}, from its --help
{function}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command={command} options word at
  for ((at = 1; at < COMP_CWORD; ++at)); do
    if [ "${{COMP_WORDS[at]}}" = -- ]; then
      COMPREPLY=($(compgen -f -- "$current"))
      return
    fi
  done
  if [ "${{COMP_WORDS[COMP_CWORD-1]}}" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
    word=${{COMP_WORDS[COMP_CWORD-2]}}=
  elif [ "$current" = = ]; then
    word=${{COMP_WORDS[COMP_CWORD-1]}}=
    current=
  fi
  case $command in
{cases}  *) options={commands} ;;
  esac
  if [ -n "$word" ]; then
    local values
    values=$(for option in $options; do
      case $option in "$word"?*) echo "${{option#"$word"}}" ;; esac
    done)
    if [ -n "$values" ]; then
      COMPREPLY=($(compgen -W "$values" -- "$current"))
    else
      COMPREPLY=($(compgen -f -- "$current"))
    fi
    return
  fi
  if [[ $current == -* ]] || {{ {has_commands} && [ "$COMP_CWORD" = 1 ]; }}; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    [[ ${{#COMPREPLY[@]}} -ne 1 || ${{COMPREPLY[0]}} != *= ]] || compopt -o nospace 2>/dev/null
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F {function} {tool}
"""

ZSH = r"""#compdef {tool}
# zsh completion for {tool}, from its --help
{function}() {{
  local command={command}
  local -a offered
  if (( ${{words[(I)--]}} && ${{words[(I)--]}} < CURRENT )); then
    _files
    return
  fi
  case $command in
{cases}  *) offered=({commands}) ;;
  esac
  if [[ $PREFIX == --*=* ]] && (( ! ${{offered[(I)${{PREFIX%%=*}}=[^:]*]}} )); then
    compset -P '*='
    _files
  elif [[ $PREFIX == -* ]] || {{ {has_commands} && (( CURRENT == 2 )) }}; then
    _describe -o option offered -S ''
  else
    _files
  fi
}}
{function} "$@"
"""


def of_zsh(words):
    """What _describe takes: a word, a colon and what it means."""
    return " ".join(quoted(f"{word.replace(':', chr(92) + ':')}:{text}") for word, text in words)


def write(program, bash, zsh):
    tool = program.name
    names, words = commands_of(program)
    has_commands = bool(names[0][0])
    function = "_" + re.sub(r"\W", "_", tool)
    commands = names + [("--help", "Display available options"), ("--version", "Say the version")] \
        if has_commands else words[""]
    cases = {name: offers for name, offers in words.items() if name}
    facts = {"tool": tool, "function": function,
             "has_commands": "true" if has_commands else "false"}
    (bash / tool).write_text(BASH.format(
        command="${COMP_WORDS[1]}" if has_commands else "", **facts,
        commands=quoted(" ".join(word for word, _ in commands)),
        cases="".join(f"  {name}) options={quoted(' '.join(word for word, _ in offers))} ;;\n"
                      for name, offers in cases.items())))
    (zsh / f"_{tool}").write_text(ZSH.format(
        command="$words[2]" if has_commands else "''", **facts, commands=of_zsh(commands),
        cases="".join(f"  {name}) offered=({of_zsh(offers)}) ;;\n"
                      for name, offers in cases.items())))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bash", type=pathlib.Path, required=True)
    parser.add_argument("--zsh", type=pathlib.Path, required=True)
    parser.add_argument("--tool", type=pathlib.Path, action="append", required=True)
    options = parser.parse_args()
    for folder in (options.bash, options.zsh):
        folder.mkdir(parents=True, exist_ok=True)
    for tool in options.tool:
        write(tool, options.bash, options.zsh)


if __name__ == "__main__":
    main()
