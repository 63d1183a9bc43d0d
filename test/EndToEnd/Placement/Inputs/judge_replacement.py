#!/usr/bin/env python3
"""judge_replacement.py BUILD COMPILER ORDER...

Profiles session-cache.cpp, whose profiled and plain programs are here already, without
replacing sessions and with all of them replaced three times. Prints where the cold
contexts are, and builds the program with the second profile. Fails if at the end of a
run less than 95 % is left of what hints gain at its beginning, or if a prediction is more
than 20 % off. ORDER is given to the program.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../../scripts"))
import exported

MOST_OFF = 0.2
LEAST_LEFT = 0.95


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                          **options).stdout


def profile(tool, times, order):
    name = f"replaced-{times}"
    run("./generate", times, *order,
        env={**os.environ, "MEMPROF_OPTIONS": f"test_clock=1:log_path={name}.raw"})
    written = [file for file in os.listdir(".") if file.startswith(name + ".raw")]
    run(tool, "merge", "--quiet", "--phase=serve", "--binary=generate", "-o", name,
        *written)
    for file in written:
        os.remove(file)
    report = exported.loads(run(tool, "export", "--binary=generate", name))
    # The innermost frame is make().
    cold = sorted({f"{c['frames'][1]['name']} of {c['frames'][2]['name']}"
                   for c in report["contexts"] if c["cold"]})
    print(f"replaced {times} times: cold {', '.join(cold) or 'nothing'}")
    return name, report["predicted"]["burst"]


def main():
    build, compiler, *order = sys.argv[1:]
    tool = os.path.join(build, "bin", "thermo-profdata")
    profile(tool, "0", order)
    name, predicted = profile(tool, "3", order)
    run(compiler,
        "--config=" + os.path.join(build, "config", "thermocline-use.cfg"), "-O2",
        "-fmemory-profile-use=" + name, os.path.join(HERE, "session-cache.cpp"), "-o", "use",
        os.path.join(build, "lib", "libthermocline_alloc.a"))
    plain, use = ([int(number) for number in run("./" + program, "3", *order).split()]
                  for program in ("plain", "use"))
    failed = False
    for when, measured in (("before", plain[2]), ("after", use[2])):
        off = predicted[when] / measured - 1
        print(f"{when}: predicted {predicted[when]:.0f}, touched {measured}, "
              f"{100 * off:+.1f} %")
        failed |= abs(off) > MOST_OFF
    first, last = (1 - use[i] / plain[i] for i in (0, 1))
    print(f"gained {100 * first:.1f} % at first, {100 * last:.1f} % at last")
    failed |= last < LEAST_LEFT * first
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
