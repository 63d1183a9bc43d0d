#!/usr/bin/env python3
"""usage: check_kills.py DIR THERMO-PROFDATA LLVM-PROFDATA KILLS [SEED]
Kills DIR/program so often at random moments, and so often at system calls of the
thread that writes the profile, which is continuous. Each must leave nothing, or
one profile that both tools read, and perhaps its successor under a hidden name,
which they must read as well. Exits with 1 if anything else is left."""

import os
import random
import signal
import subprocess
import sys

directory, thermo, llvm, kills = sys.argv[1:5]
kills = int(kills)
seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
random.seed(seed)
os.chdir(directory)
environment = dict(os.environ, MEMPROF_OPTIONS="continuous=1:sync_interval_ms=1:log_path=left/raw")
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}


def at_random():
    child = subprocess.Popen(["./program"], env=environment)
    for _ in range(random.choice([random.randrange(1000), random.randrange(30000)])):
        os.path.exists("left/raw.%d" % child.pid)
    child.send_signal(signal.SIGKILL)
    child.wait()


def at_call(number):
    subprocess.run(["./kill-at-call", str(number), "./program"], env=environment, check=True)


def read(command, path):
    done = subprocess.run(command, **quiet)
    if done.returncode:
        print(path, "cannot be read:", done.stderr.decode())
    return done.returncode == 0


def check(what, kill):
    profiles = unreadable = hidden = 0
    for number in range(kills):
        subprocess.run(["rm", "-rf", "left"], check=True)
        os.mkdir("left")
        kill(number)
        names = os.listdir("left")
        hidden += sum(name.startswith(".") for name in names)
        profiles += sum(not name.startswith(".") for name in names)
        for name in names:
            path = "left/" + name
            good = read([thermo, "merge", "--quiet", "--binary=program", "-o", "merged", path], path)
            good &= read([llvm, "show", "--memory", "--profiled-binary=program", path], path)
            if not good:
                unreadable += 1
                os.rename(path, "unreadable-%s-%d" % (what[-5:], number))
        if len(names) > 1 and hidden == 0:
            sys.exit("two profiles: %s" % names)
    print("%d kills at %s: %d profiles, all read by both tools, %d unreadable, %d hidden"
          % (kills, what, profiles, unreadable, hidden))
    return profiles and not unreadable


good = check("random moments", lambda number: at_random())
# Each of the first calls, or some of them, again and again: no two runs are alike.
step = max(1, 200 // kills)
good &= check("system calls", lambda number: at_call(number * step % 200 + 1))
sys.exit(0 if good else 1)
