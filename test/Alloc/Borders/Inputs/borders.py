"""Links programs, libraries and plugins in every way there is, runs each program
with each library and plugin, and says where what they hinted landed. Whatever is
combined, nothing crashes; hints land cold or the statistics say why not.

Only a plugin that brings the shared allocator into a process without one is
refused by the dynamic linker, with an error that names it.

usage: borders.py CLANG++ BUILD SOURCES OUTPUT LINKER [PLUGINS]
PLUGINS: how they are linked, and "deepbind" to load them in that way, too
"""

import itertools
import os
import re
import subprocess
import sys

clang, build, sources, output, linker = sys.argv[1:6]
chosen = sys.argv[6:]

SHARED = [f"-L{build}/lib", "-lthermocline_alloc", f"-Wl,-rpath,{build}/lib"]
ARCHIVE = [f"{build}/lib/libthermocline_alloc.a"]
# What the config files add to each link.
ALWAYS = [f"{build}/lib/libthermocline_hints.a", "-lm",
          "-Wl,--export-dynamic-symbol=thermocline_alloc_hints"]
ALLOCATORS = {"archive": ARCHIVE, "shared": SHARED, "none": []}
FLAGS = {
    "default": [],
    "script": [f"-Wl,--version-script={output}/script"],
    "exclude": ["-Wl,--exclude-libs,ALL"],
    "symbolic": ["-Wl,-Bsymbolic"],
    "functions": ["-Wl,-Bsymbolic-functions"],
}
# By what an option hides the malloc of a program's archive.
HIDES_MALLOC = {"lld": ["script", "exclude"], "bfd": ["script", "exclude"],
                "gold": ["exclude"], "mold": ["script", "exclude"]}
BYTES = {"main": 1000, "library": 10000, "plugin": 100000}
# Of the ways in part.cpp, six are for BYTES and one for a text; three times each.
HINTED = {part: 18 * size + 3 * 26 for part, size in BYTES.items()}


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **more)


def make(command):
    done = run([clang, f"-fuse-ld={linker}"] + command)
    if done.returncode:
        sys.exit(" ".join(command) + "\n" + done.stdout)


def compile_part(name, source, *options):
    make(["-std=c++20", "-O1", "-fno-builtin", "-fPIC", "-c", *options,
          f"-I{sources}/../../../../runtime/alloc/include",
          f"{sources}/{source}", "-o", f"{output}/{name}.o"])


def link_library(part, allocator, flags):
    folder = f"{output}/{part}-{allocator}-{flags}"
    os.makedirs(folder, exist_ok=True)
    make(["-shared", f"{output}/{part}.o", f"-Wl,-soname,lib{part}.so", "-o",
          f"{folder}/lib{part}.so"] + FLAGS[flags] + ALLOCATORS[allocator] + ALWAYS)
    return folder


def link_program(allocator, flags):
    program = f"{output}/program-{allocator}-{flags}"
    make([f"{output}/main.o", f"{output}/host.o", "-o", program,
          f"-L{output}/library-none-default", "-llibrary"] +
         FLAGS[flags] + ALLOCATORS[allocator] + ALWAYS)
    return program


def expected(program, library, plugin):
    """Bytes that land cold, by what was given to the links."""
    serves = program[0] == "shared" or (
        program[0] == "archive" and program[1] not in HIDES_MALLOC[linker])
    parts = []
    if plugin[0] == "shared" and "shared" not in (program[0], library[0]):
        return 0, "cannot allocate memory in static TLS block"
    if serves:
        parts.append("main")
    if serves:
        for part, made in (("library", library), ("plugin", plugin)):
            # With the program's archive, a library's own allocator is idle.
            if made[0] == "none" or program[0] == "shared":
                parts.append(part)
    return sum(HINTED[part] for part in parts), "all given and taken"


os.makedirs(output, exist_ok=True)
with open(f"{output}/script", "w") as script:
    script.write("{ global: give_*; take_*; local: *; };\n")
for part in BYTES:
    compile_part(part, "part.cpp", f"-DPART={part}", f"-DBYTES={BYTES[part]}")
compile_part("host", "host.cpp")

libraries = {("none", f): link_library("library", "none", f) for f in FLAGS}
libraries["shared", "default"] = link_library("library", "shared", "default")
plugins = {("none", f): link_library("plugin", "none", f) for f in FLAGS}
plugins["shared", "default"] = link_library("plugin", "shared", "default")
programs = {(a, f): link_program(a, f) for a, f in
            itertools.product(ALLOCATORS, ("default", "script", "exclude", "symbolic"))}

failed = 0
runs = 0
modes = ["plain"]
if chosen:
    plugins = {made: plugin for made, plugin in plugins.items() if made[1] in chosen}
if not chosen or "deepbind" in chosen:
    modes.append("deepbind")
for program, library, plugin, mode in itertools.product(
        programs, libraries, plugins, modes):
    environment = dict(os.environ, THERMOCLINE_ALLOC_STATS="1",
                       LD_LIBRARY_PATH=libraries[library])
    done = run([programs[program], plugins[plugin] + "/libplugin.so", mode],
               env=environment)
    runs += 1
    cold = sum(map(int, re.findall(r"kind=total .*cold_bytes=(\d+)", done.stdout)))
    wanted, text = expected(program, library, plugin)
    problem = ""
    if text not in done.stdout or done.returncode not in (0, 1):
        problem = f"status {done.returncode}"
    elif cold != wanted:
        problem = f"{cold} bytes cold, expected {wanted}"
    elif (done.returncode == 0 and program[0] != "none" and
          cold != sum(HINTED.values()) and "warning:" not in done.stdout):
        problem = "no word about what is not cold"
    if problem:
        failed += 1
        print(program, library, plugin, mode, problem)
        if failed < 4:
            print("\n".join(done.stdout.splitlines()[-6:]))
print(f"{runs} runs, {failed} failed")
sys.exit(failed != 0)
