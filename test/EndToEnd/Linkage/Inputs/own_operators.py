"""own_operators.py BUILD LLVM FOLDER: links main.cpp, start.cpp and own.cpp of FOLDER
with operators of every kind, in every way and by every linker, and prints what reports
promise and what lands cold. The linkers have to agree."""

import json
import os
import subprocess
import sys

BUILD, LLVM, FOLDER = sys.argv[1:]
ALLOCATOR = BUILD + "/lib/libthermocline_alloc.a"
LINKERS = ["lld", "bfd", "gold", "mold"]
KINDS = ["POOL", "ARRAY", "ALIGNED", "MALLOC", "NOTHROW", "DELETE"]


def run(*command, env=None):
    done = subprocess.run(
        command, cwd=FOLDER, env={**os.environ, **(env or {})}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stdout))
    return done.stdout


def clang(*arguments):
    return run(LLVM + "/clang++", "-std=c++20", "-O2", "-fPIC", *arguments)


def profile():
    config = "--config=%s/config/thermocline-generate.cfg" % BUILD
    clang(config, "main.cpp", "start.cpp", "-o", "generate")
    options = "test_clock=1:touch_windows=0:log_path=%s/raw" % FOLDER
    run("./generate", env={"MEMPROF_OPTIONS": options})
    raw = [F for F in os.listdir(FOLDER) if F.startswith("raw.")]
    run(BUILD + "/bin/thermo-profdata", "merge", "--quiet", "--binary=generate", "-o", "profile", *raw)


def use(linker, lto):
    suffix = "" if linker == "lld" else "-" + linker
    return ["--config=%s/config/thermocline-use%s.cfg" % (BUILD, suffix), "-flto=" + lto]


def compile_all():
    for kind in KINDS:
        clang("-D" + kind, "-c", "own.cpp", "-o", kind.lower() + ".o")
    clang("-DPOOL", "-S", "own.cpp", "-o", "own.s")
    clang("-c", "own.s", "-o", "assembler.o")
    run(LLVM + "/llvm-ar", "rcs", "archive.a", "pool.o")
    for lto in ["thin", "full"]:
        os.makedirs(os.path.join(FOLDER, lto), exist_ok=True)
        flags = ["-fmemory-profile-use=profile", "-Xclang", "-mllvm", "-Xclang"]
        flags += ["-thermocline-cold-min-lifetime=0"]
        clang(*use("lld", lto), *flags, "-c", "main.cpp", "-o", lto + "/main.o")
        clang(*use("lld", lto), "-c", "start.cpp", "-o", lto + "/start.o")
        clang(*use("lld", lto), "-DPOOL", "-c", "own.cpp", "-o", lto + "/bitcode.o")


def link(linker, lto, own, shape):
    """What the report promises, what may be cold beside it, and what is."""
    option = "-Wl," if linker == "lld" else "-Wl,-plugin-opt="
    base = use(linker, lto) + [option + "--thinlto-memprof-report=report.json"]
    main, start = lto + "/main.o", lto + "/start.o"
    if shape == "library":
        said = clang(*base, "-shared", main, *own, "-o", "libmain.so")
        clang(
            *use(linker, lto), start, "-L.", "-lmain", "-Wl,-rpath," + FOLDER, ALLOCATOR,
            "-o", "program",
        )
    else:
        said = clang(*base, "-" + shape, main, start, *own, ALLOCATOR, "-o", "program")
    run("./program", env={"THERMOCLINE_ALLOC_STATS": FOLDER + "/stats"})
    with open(os.path.join(FOLDER, "report.json")) as file:
        report = json.load(file)
    with open(os.path.join(FOLDER, "stats")) as file:
        total = [Line for Line in file if " kind=total " in Line][0]
    os.remove(os.path.join(FOLDER, "stats"))
    perhaps = report["coldIfPointer"]["bytes"]
    if bool(perhaps) != ("hints for these have an effect only if" in said):
        sys.exit("%s, %s, %s: the link says: %s" % (linker, lto, own, said))
    landed = dict(Field.split("=") for Field in total.split()[1:])["cold_bytes"]
    return "%s %d + %d: %s" % (lto, report["coldToCold"]["bytes"], perhaps, landed)


def compare(name, own, shape="pie"):
    results = {L: [link(L, T, own(T), shape) for T in ["thin", "full"]] for L in LINKERS}
    said = {", ".join(R) for R in results.values()}
    print("%s: %s" % (name, said.pop() if len(said) == 1 else results), flush=True)


profile()
compile_all()
compare("none", lambda lto: [])
for kind in KINDS:
    compare(kind.lower(), lambda lto: [kind.lower() + ".o"])
compare("archive", lambda lto: ["archive.a"])
compare("assembler", lambda lto: ["assembler.o"])
compare("bitcode", lambda lto: [lto + "/bitcode.o"])
compare("no-pie", lambda lto: ["pool.o"], "no-pie")
compare("library", lambda lto: ["pool.o"], "library")
