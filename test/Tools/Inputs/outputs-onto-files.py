#!/usr/bin/env python3
"""outputs-onto-files.py TABLE NAME=TOOL...

Runs each line of TABLE, "FILE: COMMAND", in a folder of its own with the files of
this one. COMMAND names its output OUT, which is another path of FILE: as it is, in
other words, by links of both kinds, through a folder that is one. It must fail with
one line that says "as well as", and change no file. $NAME in a command is a tool.
"""

import os
import shutil
import subprocess
import sys

table, tools = sys.argv[1], dict(a.split("=", 1) for a in sys.argv[2:])


def symbolic(file):
    os.symlink(file, "symbolic")
    os.symlink("symbolic", "symbolic2")
    return "symbolic2"


def hard(file):
    os.link(file, "hard")
    return "hard"


def through(file):
    os.symlink(".", "folder")
    return "folder/" + file


spellings = [
    lambda file: file,
    lambda file: "./" + file,
    os.path.abspath,
    symbolic,
    hard,
    through,
]


def contents():
    result = {}
    for path, _, names in os.walk("."):
        for name in names:
            name = os.path.join(path, name)
            if not os.path.islink(name):
                with open(name, "rb") as file:
                    result[name] = file.read()
            else:
                result[name] = os.readlink(name)
    return result


source, count, seen = os.getcwd(), 0, set()
for number, line in enumerate(open(table)):
    line = line.strip()
    if not line or line.startswith("#"):
        continue
    file, command = line.split(": ", 1)
    tool = " ".join(command.split()[:2])
    # Every tool in every way, and of its other lines each in one.
    ways = [spellings[number % len(spellings)]] if tool in seen else spellings
    seen.add(tool)
    for way in ways:
        shutil.copytree(source, "../work", symlinks=True)
        os.chdir("../work")
        if not os.path.exists(file) and way in (symbolic, hard):
            way = spellings[0]
        text = command.replace("OUT", way(file))
        for name, path in tools.items():
            text = text.replace("$" + name, path)
        before = contents()
        ran = subprocess.run(text, shell=True, text=True, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = [l for l in ran.stdout.splitlines() if ("error" in l or "fatal" in l) and "linker command" not in l]
        after = contents()
        changed = [n for n in set(before) | set(after) if before.get(n) != after.get(n)]
        if ran.returncode == 0 or len(said) != 1 or " as well as " not in said[0] or changed:
            sys.exit(f"{text}\nstatus {ran.returncode}, changed {changed}\n{ran.stdout}")
        os.chdir(source)
        shutil.rmtree("../work")
        count += 1
print(count, "refused")
