"""Programs that are edited after they were profiled.

edited.py BUILD LLVM-BIN OUT THEN NOW...

THEN and each NOW are folders with the sources of a program, which uses Tags.h. THEN is
profiled. Each NOW is built with that profile and run, and of each a line says how many
of its cold bytes are hinted, and how many hot ones:

    NAME: cold 9000 of 9000 bytes; hot 0 of 9000

What the compiler and the link say goes to standard error. From the environment:

FLAGS        further flags of all builds
USE_FLAGS    further flags of the optimized builds
PLACE        where edited programs are compiled, if not where the profiled one was
UNREAD       whose source the plugin cannot read, since it comes through pipes: "then" for that
             of the profiled program, or "now" for that of the edited ones
STOCK        if set, the profiled build is clang's, so that the profile does not tell which
             calls the source had
"""

import concurrent.futures
import os
import shlex
import shutil
import subprocess
import sys
import threading
from pathlib import Path

INPUTS = Path(__file__).resolve().parent


class Tools:
    def __init__(self, build, llvm):
        self.build = Path(build)
        self.llvm = Path(llvm)

    def compile(self, flags, source, output, is_pipe=False):
        compiler = self.llvm / ("clang" if source.suffix == ".c" else "clang++")
        command = [str(compiler), *flags, *shlex.split(os.environ.get("FLAGS", "")), "-O2", f"-I{INPUTS}",
                   f"-I{source.parent}", "-c", str(source), "-o", str(output)]
        if is_pipe:
            text = source.read_text()
            source.unlink()
            os.mkfifo(source)
            threading.Thread(target=source.write_text, args=[text], daemon=True).start()
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{shlex.join(command)}\n{result.stderr}")
        return result.stderr

    def compile_all(self, flags, folder, output):
        output.mkdir(parents=True, exist_ok=True)
        # Local functions are known by the path of their file, too.
        place = output.parent / (os.environ.get("PLACE", "source") if output.name != "then" else "source")
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, place)
        folder = place
        sources = sorted(p for p in folder.iterdir() if p.suffix in (".c", ".cpp"))
        objects = [output / (s.name + ".o") for s in [*sources, INPUTS / "Tags.c"]]
        are_pipes = os.environ.get("UNREAD") == ("then" if output.name == "then" else "now")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            said = list(pool.map(lambda pair: self.compile(flags, *pair, are_pipes and pair[0] in sources),
                                 zip([*sources, INPUTS / "Tags.c"], objects)))
        return objects, "".join(said)

    def link(self, flags, objects, program):
        command = [str(self.llvm / "clang++"), *flags, "-O2", *map(str, objects), "-o", str(program)]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{shlex.join(command)}\n{result.stderr}")
        return result.stderr

    def profile(self, folder, output):
        """Builds, runs and merges. Returns the path of the profile."""
        flags = [f"--config={self.build}/config/thermocline-generate.cfg"]
        compile_flags = flags
        if os.environ.get("STOCK"):
            compile_flags = ["-fmemory-profile", "-gmlt", "-fdebug-info-for-profiling", "-fno-omit-frame-pointer",
                             "-fno-optimize-sibling-calls", "-funique-internal-linkage-names"]
        objects, _ = self.compile_all(compile_flags, folder, output / "then")
        self.link(flags, objects, output / "profiled")
        return self.record(output)

    def record(self, out):
        """Runs the program "profiled" there, and merges what it wrote. Returns the path of the profile."""
        for old in out.glob("raw*"):
            old.unlink()
        environment = {**os.environ, "MEMPROF_OPTIONS": f"test_clock=1:touch_windows=0:log_path={out}/raw"}
        subprocess.run([out / "profiled"], env=environment, stdout=subprocess.DEVNULL, check=True)
        profile = out / "profile"
        subprocess.run([self.build / "bin/thermo-profdata", "merge", "--quiet", f"--binary={out}/profiled",
                        "-o", profile, *out.glob("raw*")], check=True)
        return profile

    def build_one(self, config, extra, source, out, name, others=()):
        """Builds the program of a source and of other objects or libraries. All sources are compiled in one place."""
        place = out / "source" / source.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(source.read_text())
        flags = [f"--config={self.build}/config/thermocline-{config}.cfg"]
        objects = [out / f"{name}.o", *others]
        said = self.compile([*flags, *extra], place, objects[0])
        return said + self.link(flags, objects, out / name)

    def hints(self, folder, profile, output):
        """The bytes without and with a hint by tag, and what was said."""
        flags = [f"--config={self.build}/config/thermocline-use.cfg",
                 *shlex.split(os.environ.get("USE_FLAGS", ""))]
        objects, said = self.compile_all([*flags, f"-fmemory-profile-use={profile}"], folder, output)
        counter = output / "count.o"
        self.compile(["-fno-builtin"], INPUTS / "CountHints.cpp", counter)
        said += self.link([*flags, "-Wl,-mllvm,-thermocline-stats"], [*objects, counter], output / "optimized")
        lines = subprocess.run([output / "optimized"], capture_output=True, text=True, check=True).stdout
        by_tag = {}
        for line in lines.splitlines():
            tag, plain, hinted = map(int, line.split())
            by_tag[tag] = (plain, hinted)
        return by_tag, said


def blocks_by_name(program):
    """By the names that a program prints: cold blocks, those of them that are hinted, and hinted hot ones."""
    result = {}
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        name, *blocks = line.split()
        of = result.setdefault(name, [0, 0, 0])
        for i, number in enumerate(map(int, blocks)):
            of[i] += number
    return result


def totals(by_tag, kind):
    """Hinted bytes of a kind of tag, and all of them."""
    of_kind = [pair for tag, pair in by_tag.items() if tag % 4 == kind]
    hinted = sum(pair[1] for pair in of_kind)
    return hinted, hinted + sum(pair[0] for pair in of_kind)


def main(build, llvm, out, then, *edited):
    tools = Tools(build, llvm)
    out = Path(out)
    profile = tools.profile(Path(then), out)
    for folder in map(Path, edited):
        by_tag, said = tools.hints(folder, profile, out / folder.name)
        sys.stderr.write(said)
        hot, all_hot = totals(by_tag, 1)
        cold, all_cold = totals(by_tag, 2)
        print(f"{folder.name}: cold {cold} of {all_cold} bytes; hot {hot} of {all_hot}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
