#!/usr/bin/env python3
"""Whether links keep what their reports promise, on random programs.

usage: link_promises.py BUILD LLVM FOLDER FIRST COUNT [LINKS]

Each program (linked_program.py) is built in a random way, profiled, and linked LINKS
times (4) by other linkers with other options. Of each link:

* the bytes that its report says are hinted cold are those that the cold heap gives out
  when the program runs;
* nothing that is used all the time is cold;
* each context of the profile is in exactly one category of the report, and so are its
  bytes.

What goes wrong is printed with the folder of the program, which has the commands.
"""

import json
import os
import random
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts"))
import exported
from linked_program import write

BUILD, LLVM, FOLDER = sys.argv[1:4]
FIRST, COUNT = int(sys.argv[4]), int(sys.argv[5])
LINKS = int(sys.argv[6]) if len(sys.argv) > 6 else 4
ALLOCATOR = BUILD + "/lib/libthermocline_alloc.a"


class Failed(Exception):
    pass


class Program:
    def __init__(self, seed):
        self.dice = random.Random(seed * 7919 + 1)
        self.folder = os.path.join(FOLDER, str(seed))
        shutil.rmtree(self.folder, ignore_errors=True)
        self.choose()
        written = write(seed, self.folder, exports_all=self.shape == "shared")
        self.modules, wrapped, self.has_ifunc = written
        # What a link wraps is in it.
        linked = self.modules[1:] if self.shape == "shared" else self.modules
        self.wrapped = [Name for Name, Module in wrapped if Module in linked]

    def run(self, *command, env=None):
        with open(os.path.join(self.folder, "commands"), "a") as log:
            log.write(
                "".join("%s=%s " % E for E in (env or {}).items()) + shlex.join(command) + "\n"
            )
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C", **(env or {})},
            capture_output=True,
            text=True,
            timeout=300,
        )
        if done.returncode:
            raise Failed("%s\n%s" % (shlex.join(command), (done.stdout + done.stderr)[-2000:]))
        return done.stdout + done.stderr

    def choose(self):
        dice = self.dice
        self.shape = dice.choice(["pie", "pie", "no-pie", "static", "shared"])
        self.full = dice.random() < 0.4
        self.pgo = dice.random() < 0.35
        self.flags = [dice.choice(["-O1", "-O2", "-O2", "-O3"]), "-std=c++20", "-w"]
        self.flags += {
            "pie": ["-fPIE"],
            "no-pie": ["-fno-pie"],
            "static": ["-fno-pie"],
            "shared": ["-fPIC"],
        }[self.shape]
        self.use_flags = ["-flto=full"] if self.full else []
        if dice.random() < 0.4:
            self.use_flags += ["-fwhole-program-vtables",
                               dice.choice(["-fsplit-lto-unit", "-fno-split-lto-unit"])]
            if dice.random() < 0.6 and self.shape != "shared":
                self.use_flags += ["-fvisibility=hidden"]
        elif dice.random() < 0.2:
            self.use_flags += ["-fsplit-lto-unit"]
        if dice.random() < 0.2:
            self.use_flags += ["-ffunction-sections"]
        if dice.random() < 0.2:
            self.use_flags += ["-fno-plt"]
        if dice.random() < 0.15:
            self.use_flags += ["-fsemantic-interposition"]
        if dice.random() < 0.15:
            self.use_flags += [dice.choice(["-fno-builtin", "-fno-builtin-malloc"])]
        if dice.random() < 0.3:
            self.use_flags += ["-funified-lto"] if not self.pgo else []

    def link_line(self, variant):
        """The objects of VARIANT, in the order of the link."""
        objects = ["%s/%s.o" % (variant, M) for M in self.modules]
        return objects + [variant + "/truth.c.o", "native.c.o"] + self.library()

    def library(self):
        if self.shape == "static":
            return ["library.c.o"]
        return ["-L.", "-llibrary", "-Wl,-rpath," + self.folder]

    def shape_flags(self):
        return {
            "pie": ["-pie"],
            "no-pie": ["-no-pie"],
            "static": ["-static"],
            "shared": ["-pie", "-Wl,--export-dynamic"],
        }[self.shape]

    def compile(self, variant, flags):
        os.makedirs(os.path.join(self.folder, variant), exist_ok=True)
        for module in self.modules:
            self.run(LLVM + "/clang++", *self.flags, *flags, "-c", module, "-o", "%s/%s.o" % (variant, module))
        cflags = [F for F in flags if F != "-fvisibility=hidden"]
        self.run(LLVM + "/clang", "-O1", "-fPIC", *cflags, "-c", "truth.c", "-o", variant + "/truth.c.o")

    def make_native(self):
        for source in ["native.c", "library.c", "wrapped.c"]:
            self.run(LLVM + "/clang", "-O1", "-fPIC", "-c", source, "-o", source + ".o")
        if self.shape != "static":
            self.run(LLVM + "/clang", "-shared", "library.c.o", "-o", "liblibrary.so")

    def profile(self):
        self.make_native()
        if self.pgo:
            self.compile("count", ["-fprofile-generate=counters", "-funique-internal-linkage-names"])
            self.run(LLVM + "/clang++", "-fprofile-generate", *self.shape_flags(), "-fuse-ld=lld", *self.link_line("count"), "-o", "counting")
            self.run("./counting")
            self.run(LLVM + "/llvm-profdata", "merge", "-o", "counts", "counters")
        config = "--config=%s/config/thermocline-generate.cfg" % BUILD
        self.compile("generate", [config])
        base = [LLVM + "/clang++", config, "-fuse-ld=lld"]
        binaries = ["generating"]
        if self.shape == "shared":
            # As it will be linked: a promise is for the parts that were profiled.
            objects = ["generate/%s.o" % M for M in self.modules]
            self.run(*base, "-shared", *objects[1:], "native.c.o", *self.library(), "-o", "libgenerating.so")
            self.run(
                *base, *self.shape_flags(), objects[0], "generate/truth.c.o", "-L.", "-lgenerating",
                "-Wl,-rpath," + self.folder, *self.library(), "-o", "generating",
            )
            binaries.append("libgenerating.so")
        else:
            self.run(*base, *self.shape_flags(), *self.link_line("generate"), "-o", "generating")
        self.run("./generating", env={"MEMPROF_OPTIONS": "test_clock=1:touch_windows=0:log_path=%s/raw" % self.folder})
        raw = [F for F in os.listdir(self.folder) if F.startswith("raw.")]
        self.run(BUILD + "/bin/thermo-profdata", "merge", "--quiet", *["--binary=" + B for B in binaries], "-o", "profile", *raw)
        shown = self.run(
            BUILD + "/bin/thermo-profdata", "export", "--cold-min-lifetime=0", "profile"
        )
        # Contexts that differ only in what was inlined are one.
        self.known = {}
        for C in exported.loads(shown)["contexts"]:
            self.known[C["id"]] = self.known.get(C["id"], 0) + C["measures"]["TotalSize"]

    def compile_use(self):
        flags = ["--config=%s/config/thermocline-use.cfg" % BUILD, "-fmemory-profile-use=profile"]
        flags += ["-Xclang", "-mllvm", "-Xclang", "-thermocline-cold-min-lifetime=0"]
        flags += self.use_flags
        if self.pgo:
            flags += ["-fprofile-use=counts"]
        self.compile("use", flags)

    def link_options(self, linker):
        dice = self.dice
        result = []

        def maybe(share, *options):
            if dice.random() < share:
                result.append(dice.choice(options))

        maybe(0.5, "--gc-sections")
        maybe(0.2, "-O2")
        maybe(0.3, "-Bsymbolic", "-Bsymbolic-functions")
        maybe(0.2, "--export-dynamic")
        # Nothing lands cold in what GNU ld links with a version script.
        if self.shape != "shared" and linker != "bfd":
            maybe(0.15, "--version-script=hide.map")
        if linker in ("lld", "gold", "mold"):
            maybe(0.4, "--icf=safe", "--icf=all")
        if linker == "lld":
            maybe(0.3, "--lto-O0", "--lto-O1", "--lto-O3")
            maybe(0.3, "--lto-whole-program-visibility")
            # LLVM splits a resolver from its ifunc.
            if self.full and not self.has_ifunc:
                maybe(0.4, "--lto-partitions=3")
            maybe(0.2, "--dynamic-list=some.list")
            maybe(0.15, "--lto-validate-all-vtables-have-type-infos")
        if self.wrapped:
            maybe(0.15, "--wrap=" + dice.choice(self.wrapped))
        maybe(0.12, "--wrap=malloc")
        return result

    def link(self, number):
        linkers = ["lld", "lld", "lld", "bfd", "gold", "mold"]
        if self.shape == "static":
            # That of GNU cannot link its libstdc++ so.
            linkers.remove("gold")
        if self.has_ifunc and self.shape in ("static", "shared"):
            # With LLVM's plugin as well, the program crashes, or the link of the library.
            linkers.remove("mold")
        linker = self.dice.choice(linkers)
        name = "%d-%s" % (number, linker)
        options = self.link_options(linker)
        with open(os.path.join(self.folder, "hide.map"), "w") as out:
            out.write(
                "{ global: native*; library*; keep; Busy; main; *alloc*; free; posix_memalign; _Z*n*; _Zd*; str*; thermocline*; local: *; };\n"
            )
        with open(os.path.join(self.folder, "some.list"), "w") as out:
            out.write("{ f1*; f2*; };\n")
        extra = []
        wrapped = [O.split("=")[1] for O in options if O.startswith("--wrap=")]
        for symbol in wrapped:
            if symbol == "malloc":
                extra.append("wrapped.c.o")
            else:
                with open(os.path.join(self.folder, "wrap-%s.c" % symbol), "w") as out:
                    out.write(
                        "char *__real_%s(long); char *__wrap_%s(long N) { char *P = __real_%s(N); P[0] = 7; return P; }\n"
                        % (symbol, symbol, symbol)
                    )
                self.run(LLVM + "/clang", "-O1", "-fPIC", "-c", "wrap-%s.c" % symbol)
                extra.append("wrap-%s.o" % symbol)
        suffix = "" if linker == "lld" else "-" + linker
        report = name + ".json"
        ours = ["--thinlto-memprof-report=" + report, "--thinlto-memprof-profile=profile"]
        if self.dice.random() < 0.75:
            ours.append("--thinlto-memprof-max-growth=none")
        stem = "-Wl," if linker == "lld" else "-Wl,-plugin-opt="
        if "--lto-O0" in options:
            ours.append("--thinlto-memprof=on")
        reports = [report]
        base = [LLVM + "/clang++", "--config=%s/config/thermocline-use%s.cfg" % (BUILD, suffix)]
        base += self.flags[:1] + (["-flto=full"] if self.full else [])
        wl = ["-Wl," + O for O in options]
        if self.shape == "shared":
            # All but the first module are in a library of their own.
            objects = ["use/%s.o" % M for M in self.modules]
            first = [stem + O.replace(report, name + ".so.json") for O in ours]
            self.run(
                *base, "-shared", *objects[1:], "native.c.o", *extra, *self.library(), *wl, *first,
                "-o", "lib%s.so" % name,
            )
            reports.append(name + ".so.json")
            self.run(
                *base, *self.shape_flags(), objects[0], "use/truth.c.o", "-L.", "-l" + name,
                "-Wl,-rpath," + self.folder, *self.library(),
                *[O for O in wl if "wrap" not in O and "version-script" not in O],
                *[stem + O for O in ours], ALLOCATOR, "-o", name,
            )
        else:
            self.run(
                *base, *self.shape_flags(), *self.link_line("use"), *extra, *wl,
                *[stem + O for O in ours], ALLOCATOR, "-o", name,
            )
        self.judge(name, reports)

    def judge(self, name, reports):
        stats = os.path.join(self.folder, name + ".stats")
        said = self.run("./" + name, env={"THERMOCLINE_ALLOC_STATS": stats})
        total = dict(
            Field.split("=")
            for Line in open(stats)
            if " kind=total " in Line
            for Field in Line.split()[1:]
        )
        landed = int(total["cold_bytes"])
        if int(total["bytes"]) != landed:
            self.complain(name, "%s bytes hinted, %d cold" % (total["bytes"], landed))
        if "busy cold 0\n" not in said:
            self.complain(name, "FALSE COLD: " + said.strip())
        promised = perhaps = 0
        hinted = []
        for report in reports:
            read = json.load(open(os.path.join(self.folder, report)))
            promised += read["coldToCold"]["bytes"]
            perhaps += read["coldIfPointer"]["bytes"]
            hinted.append({C["id"] for C in read["contexts"] if C["outcome"] == "hinted cold"})
            if read["notColdToCold"]["contexts"]:
                self.complain(name, "report says not cold -> cold")
            profile = read["profile"]
            kinds = ["coldToCold", "coldIfPointer", "coldToNotCold"]
            kinds += ["notColdToCold", "notColdToNotCold"]
            cells = [read[K] for K in kinds] + [profile["coldLost"], profile["notColdLost"]]
            cells += [S[K] for S in profile["elsewhere"] for K in ("cold", "notCold")]
            contexts = sum(C["contexts"] for C in cells)
            size = sum(C["bytes"] for C in cells)
            all_bytes = sum(self.known.values())
            if (contexts, size) != (len(self.known), all_bytes):
                self.complain(
                    name,
                    "%s: %d of %d contexts, %d of %d bytes are in a category"
                    % (report, contexts, len(self.known), size, all_bytes),
                )
        if len(hinted) > 1:
            # What runs is one of two copies of an inline function.
            promised -= sum(self.known[I] for I in set.intersection(*hinted))
        COUNTS["cold"] += landed
        if not promised <= landed <= promised + perhaps:
            self.complain(name, "promised %d, landed %d" % (promised, landed))

    def complain(self, name, text):
        COUNTS["wrong"] += 1
        print("%s: %s: %s" % (self.folder, name, text), flush=True)


COUNTS = {"programs": 0, "links": 0, "cold": 0, "wrong": 0}
for seed in range(FIRST, FIRST + COUNT):
    program = Program(seed)
    before = COUNTS["wrong"]
    COUNTS["programs"] += 1
    try:
        program.profile()
        program.compile_use()
        for number in range(LINKS):
            COUNTS["links"] += 1
            program.link(number)
    except Failed as error:
        program.complain("build", str(error))
    if COUNTS["wrong"] == before:
        shutil.rmtree(program.folder)
print(
    "%(programs)d programs, %(links)d links: %(cold)d bytes cold; %(wrong)d wrong" % COUNTS
)
