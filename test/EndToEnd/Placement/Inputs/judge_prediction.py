#!/usr/bin/env python3
"""judge_prediction.py BUILD COMPILER OUT CASE SECONDS [PAGE-KIB]

Profiles a case of known-answers.cpp, whose profiled and plain programs are in OUT
already, builds it with the profile, and compares what the model of touched pages
predicts with what the plain and the optimized program touch, for pages of PAGE-KIB (4).
Prints which contexts are cold, and fails if a prediction is more than 10 % off.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts"))
import exported

MOST_OFF = 0.1


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                          **options).stdout


def touched(*command):
    output = run(*command)
    return int(output.split("touched ")[1])


def main():
    build, compiler, out, case, seconds = sys.argv[1:6]
    page_kib = sys.argv[6] if len(sys.argv) > 6 else "4"
    here = os.path.dirname(os.path.abspath(__file__))
    os.chdir(out)
    tool = os.path.join(build, "bin", "thermo-profdata")
    name = f"{case}-{page_kib}"
    raw, profile, program = (f"{name}.raw", f"{name}.memprofdata", f"{name}.use")
    options = f"test_clock=1:log_path={raw}:page_kib={page_kib}"
    run("./generate", case, seconds, page_kib, env={**os.environ, "MEMPROF_OPTIONS": options})
    written = [name for name in os.listdir(".") if name.startswith(raw)]
    run(tool, "merge", "--quiet", "--phase=steady", "--binary=generate", "-o", profile,
        *written)
    report = exported.loads(run(tool, "export", "--binary=generate", profile))
    run(compiler,
        "--config=" + os.path.join(build, "config", "thermocline-use.cfg"), "-O2",
        "-fmemory-profile-use=" + profile, os.path.join(here, "known-answers.cpp"), "-o",
        program, os.path.join(build, "lib", "libthermocline_alloc.a"))

    def maker(context):
        # The innermost frame is make().
        return context["frames"][1]["name"]

    cold = sorted(maker(c) for c in report["contexts"] if c["cold"])
    print(f"{case}: cold {', '.join(cold) or 'nothing'}")
    failed = False
    for when, name in (("before", "plain"), ("after", program)):
        predicted = report["predicted"]["burst"][when]
        measured = touched("./" + name, case, seconds, page_kib)
        off = predicted / measured - 1
        print(f"{case}: {when} predicted {predicted:.0f}, touched {measured}, "
              f"{100 * off:+.1f} %")
        failed |= abs(off) > MOST_OFF
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
