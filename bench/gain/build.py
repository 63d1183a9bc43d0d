#===- bench/gain/build.py - Builds programs in each way --------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compiles and links a program plain, for profiles, and with profiles, of stock LLVM's MemProf and
of Thermocline.

What is there already is kept if nothing changed that it was made from.
"""

import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil

from bench_error import BenchError, run

LLVM = pathlib.Path("/usr/lib/llvm-22/bin")
JOBS = 2
HOW_INPUTS_ARE_MADE = pathlib.Path(__file__).resolve().with_name("inputs.py")
DEBUG = ["-gmlt", "-fdebug-info-for-profiling"]


def digest(*parts):
    """A checksum of texts, and of files: by contents if small, else by size and time."""
    sum = hashlib.sha256()
    for part in parts:
        if isinstance(part, pathlib.Path):
            state = part.stat()
            part = part.read_bytes() if state.st_size < 1 << 26 else \
                f"{part} {state.st_size} {state.st_mtime_ns}"
        sum.update(part if isinstance(part, bytes) else str(part).encode())
        sum.update(b"\0")
    return sum.hexdigest()


def done_before(output, stamp):
    file = output.with_name(output.name + ".stamp")
    return output.exists() and file.exists() and file.read_text() == stamp


def note_done(output, stamp):
    output.with_name(output.name + ".stamp").write_text(stamp)


@dataclasses.dataclass(frozen=True)
class Way:
    """How a program is built: flags of compiles and of the link, libraries at its end, and the
    files that the result depends on."""
    name: str
    compile: tuple
    link: tuple = ()
    libraries: tuple = ()
    tools: tuple = ()
    # The way whose objects are linked here.
    objects_of: str = None


class Ways:
    """All ways to build, with a build tree of Thermocline."""

    def __init__(self, build):
        self.build = build
        self.allocator = build / "lib/libthermocline_alloc.a"
        self.plugin = build / "lib/Thermocline.so"
        self.profdata = build / "bin/thermo-profdata"
        self.linker = build / "libexec/thermocline/ld.lld"
        self.generate_config = build / "config/thermocline-generate.cfg"
        self.use_config = build / "config/thermocline-use.cfg"
        self.release_config = build / "config/thermocline-release.cfg"
        self.preload = build / "lib/libthermocline_preload.so"
        for file in (self.allocator, self.plugin, self.profdata, self.linker,
                     self.generate_config, self.use_config, self.release_config, self.preload):
            if not file.exists():
                raise BenchError(f"no {file}: build Thermocline first")

    plain_link = ("-flto=thin", "-fuse-ld=lld")
    stock_link = ("-flto=thin", "-fuse-ld=lld", "-Wl,-mllvm,-enable-memprof-context-disambiguation",
                  "-Wl,-mllvm,-supports-hot-cold-new", "-Wl,-mllvm,-optimize-hot-cold-new")
    # Stock lld must take the operators from the archive before LTO.
    stock_operators = ("-Wl,-u,_Znwm12__hot_cold_t", "-Wl,-u,_Znam12__hot_cold_t")

    def plain(self):
        return Way("plain", ("-flto=thin",), self.plain_link)

    def allocator_only(self):
        return Way("allocator", ("-flto=thin",), self.plain_link, (self.allocator,),
                   (self.allocator,), objects_of="plain")

    def generate(self):
        return Way("generate", (f"--config={self.generate_config}",),
                   (f"--config={self.generate_config}",), (), (self.plugin,))

    def release(self):
        """What live profiles are taken of."""
        config = f"--config={self.release_config}"
        return Way("release", (config,), (config,), (), (self.plugin,))

    def use(self, profile, report, name="use"):
        config = f"--config={self.use_config}"
        return Way(name, (config, f"-fmemory-profile-use={profile}"),
                   (config, f"-Wl,--thinlto-memprof-report={report}",
                    f"-Wl,--thinlto-memprof-profile={profile}"), (self.allocator,),
                   (self.plugin, self.linker, self.allocator, profile))

    def forced(self, profile):
        """As `use`, with a profile that is another at each build."""
        config = f"--config={self.use_config}"
        return Way("forced", (config, f"-fmemory-profile-use={profile}"), (config,),
                   (self.allocator,), (self.plugin, self.linker, self.allocator, profile))

    def stock_generate(self):
        return Way("stock-generate",
                   ("-fmemory-profile", *DEBUG, "-fno-omit-frame-pointer",
                    "-mno-omit-leaf-frame-pointer", "-fno-optimize-sibling-calls"),
                   ("-fmemory-profile",))

    def stock_use(self, profile):
        return Way("stock", ("-flto=thin", *DEBUG, f"-fmemory-profile-use={profile}"),
                   self.stock_link, (self.allocator,), (self.allocator, profile))

    def stock_tuned(self, profile):
        """LLVM's rule with thresholds for a short run: any lifetime, one access per byte and
        second."""
        return Way("stock-tuned",
                   ("-flto=thin", *DEBUG, f"-fmemory-profile-use={profile}",
                    "-mllvm", "-memprof-ave-lifetime-cold-threshold=0",
                    "-mllvm", "-memprof-lifetime-access-density-cold-threshold=1"),
                   self.stock_link, (self.allocator,), (self.allocator, profile))


class Builder:
    """Builds one program, from its source tree into a folder."""

    def __init__(self, program, tree, folder, say):
        self.program, self.tree, self.folder, self.say = program, tree, folder, say
        generated = folder / "generated"
        generated.mkdir(parents=True, exist_ok=True)
        self.units = program.units(tree, generated)
        self.inputs = self.current_inputs()

    def current_inputs(self):
        """The folder of inputs, emptied if they are made otherwise than before."""
        inputs, note = self.folder / "inputs", self.folder / "inputs.stamp"
        made_by = self.program.client.load if self.program.client else self.program.arguments
        stamp = digest(pathlib.Path(made_by.__code__.co_filename), HOW_INPUTS_ARE_MADE)
        if note.exists() and note.read_text() != stamp:
            shutil.rmtree(inputs, ignore_errors=True)
            for profile in self.folder.glob("*/profile.memprofdata.stamp"):
                profile.unlink()
        inputs.mkdir(exist_ok=True)
        note.write_text(stamp)
        return inputs

    def compiler(self, is_cpp):
        return "clang++-22" if is_cpp else "clang-22"

    def compile(self, way, unit, output, tools):
        """Whether it had to be compiled."""
        command = [self.compiler(unit.is_cpp), "-O2", *way.compile, *unit.flags, "-c",
                   str(unit.source), "-o", str(output)]
        headers = sorted(unit.source.parent.glob("*.h")) if unit.source.is_absolute() else []
        stamp = digest(json.dumps(command), self.tree / unit.source, *headers, tools)
        if done_before(output, stamp):
            return False
        output.parent.mkdir(parents=True, exist_ok=True)
        run(command, cwd=self.tree)
        note_done(output, stamp)
        return True

    def build(self, way):
        """The program built in a way."""
        folder = self.folder / way.name
        folder.mkdir(parents=True, exist_ok=True)
        objects_in = self.folder / (way.objects_of or way.name) / "objects"
        outputs = [objects_in / (str(unit.source).lstrip("/").replace("/", "_") + ".o")
                   for unit in self.units]
        # Linker and allocator do not matter to objects.
        tools = digest(*(tool for tool in way.tools if tool.suffix in (".so", ".memprofdata")))
        if not way.objects_of:
            with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
                compiled = sum(pool.map(lambda pair: self.compile(way, *pair, tools),
                                        zip(self.units, outputs)))
            if compiled:
                self.say(f"{way.name}: compiled {compiled} files")
        output = folder / self.program.name
        is_cpp = any(unit.is_cpp for unit in self.units)
        operators = Ways.stock_operators if way.link == Ways.stock_link and is_cpp else ()
        command = [self.compiler(is_cpp), "-O2", *way.link, *operators,
                   *map(str, outputs), *map(str, way.libraries), *self.program.libraries,
                   "-o", str(output)]
        stamp = digest(json.dumps(command), *way.tools, *(object.with_name(object.name + ".stamp")
                                                          for object in outputs))
        if not done_before(output, stamp):
            (folder / "link.log").write_text(run(command, cwd=self.tree))
            note_done(output, stamp)
        return output

    def profile(self, way, binary, merge, options="", preload=None):
        """Runs a program that writes a profile, on the input for it, and merges what it wrote. The
        runtime has these options, and is a library that is loaded before others if one is given."""
        folder = self.folder / way.name
        output = folder / "profile.memprofdata"
        arguments = self.program.arguments(self.inputs, self.program.profiled)
        sizes = [repr(self.program.profiled)] if self.program.client else []
        stamp = digest(binary.with_name(binary.name + ".stamp"), json.dumps(arguments), *sizes,
                       json.dumps(list(map(str, merge))), options, preload or "",
                       *([pathlib.Path(merge[0])] if pathlib.Path(merge[0]).exists() else []))
        if done_before(output, stamp):
            return output
        for old in folder.glob("raw*"):
            old.unlink()
        self.say(f"{way.name}: profiling")
        environment = dict(os.environ, MEMPROF_OPTIONS=f"log_path={folder / 'raw'}:{options}")
        if preload:
            environment["LD_PRELOAD"] = str(preload)
        if self.program.client:
            self.program.client.profile([str(binary), *arguments], environment,
                                        self.program.profiled)
        else:
            (folder / "run.log").write_text(run([binary, *arguments], env=environment))
        raw = sorted(folder.glob("raw*"))
        if not raw:
            raise BenchError(f"the profiled program wrote no profile: {binary}")
        (folder / "merge.log").write_text(run([*merge, *raw, "-o", output]))
        note_done(output, stamp)
        return output


def text_size(binary):
    """Bytes of code."""
    for line in run([LLVM / "llvm-size", "-A", binary]).splitlines():
        words = line.split()
        if words[:1] == [".text"]:
            return int(words[1])
    raise BenchError(f"no code in {binary}")
