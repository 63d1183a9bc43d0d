#!/usr/bin/env python3
"""A distributor for ld.lld that has GNU parallel run the jobs.

    -Wl,--thinlto-distributor=distributor.py
    -Wl,--thinlto-distributor-arg=--sshlogin=4/host1,8/host2   (default: here)

The last argument is lld's file of jobs. Jobs name their files relative to the
folder of the link, which every host must see. Exits with an error as soon as one
job has failed; lld then fails, too.
"""

import json
import os
import shlex
import subprocess
import sys


def main():
    with open(sys.argv[-1]) as f:
        description = json.load(f)
    common = description["common"]["args"]
    commands = [shlex.join(common + job["args"]) for job in description["jobs"]]
    options = sys.argv[1:-1] or ["--sshlogin=:"]
    parallel = ["parallel", "--will-cite", "--workdir", os.getcwd(), "--halt", "now,fail=1"]
    result = subprocess.run(
        parallel + options, input="\n".join(commands) + "\n", text=True, check=False
    )
    missing = [
        output
        for job in description["jobs"]
        for output in job["outputs"]
        if not os.path.exists(output)
    ]
    if result.returncode or missing:
        sys.exit("distributor: %s" % ("no " + missing[0] if missing else "a job has failed"))


main()
