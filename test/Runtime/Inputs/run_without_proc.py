"""Runs a program in a directory that has nothing but the program, its libraries and what is
there already: no /proc. Of "{pid}" in names given by --link=FROM:TO, which are hard links made
before, the process id takes the place.

usage: run_without_proc.py [--preload=LIBRARY] [--link=FROM:TO]... DIRECTORY PROGRAM [ARGUMENT]...
"""

import os
import re
import shutil
import subprocess
import sys

arguments = sys.argv[1:]
options = []
while arguments[0].startswith("--"):
    options.append(arguments.pop(0).split("=", 1))
root, program, *rest = arguments


def copy(path):
    to = root + "/" + path
    os.makedirs(os.path.dirname(to), exist_ok=True)
    shutil.copy(path, to)


preloaded = [value for name, value in options if name == "--preload"]
for path in [program] + preloaded:
    copy(path)
    # A static program has none, and ldd fails.
    needed = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    for library in re.findall(r"/\S+", needed):
        copy(library)
for name, value in options:
    if name == "--link":
        source, to = value.split(":")
        os.link(root + "/" + source, root + "/" + to.format(pid=os.getpid()))
if preloaded:
    os.environ["LD_PRELOAD"] = ":".join(preloaded)
os.chroot(root)
os.chdir("/")
os.execv(program, [program] + rest)
