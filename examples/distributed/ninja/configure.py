#!/usr/bin/env python3
"""configure.py OUT: writes OUT/build.ninja, a distributed ThinLTO build.

Compile, thin link, one backend for each module, final link, as ninja runs them.
A backend is run again when its module, its index or a module that it imports
from has changed, and for nothing else. THERMOCLINE says where Thermocline is.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = ["main.cpp", "requests.cpp", "makers.cpp", "touch.cpp", "pool.c"]

RULES = """\
ninja_required_version = 1.10
thermocline = {thermocline}
# Debug information without the folder of the build: the same bytes everywhere.
use = --config={configs}/thermocline-use.cfg -ffile-compilation-dir=.
allocator = {libraries}/libthermocline_alloc.a
clang = {clang}
clangxx = {clangxx}

rule compile-c
  command = $clang $use -O2 -fprofile-use=program.prof -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule compile-cpp
  command = $clangxx $use -O2 -fprofile-use=program.prof -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc

# The linker writes every index; only those that changed are taken over, so that
# the backends of the others need not run again.
rule thin-link
  command = rm -rf new && $clangxx $use -O2 $in $allocator -o program $
      -Wl,--thinlto-index-only=new.list -Wl,--thinlto-emit-imports-files $
      '-Wl,--thinlto-prefix-replace=;new/' $
      -Wl,--thinlto-memprof-backend=thermocline && sh {here}/take-changed.sh new $out
  restat = 1

# Which other modules a backend reads is known once the thin link has run.
rule imports
  command = sh {here}/imports-to-dyndep.sh $in $module $out
  restat = 1

rule backend
  command = $thermocline/bin/thermo-backend -c -O2 -fpic -faddrsig $
      -ffunction-sections -fdata-sections -x ir $module $
      -fthinlto-index=$module.thinlto.bc -o $out

rule link
  command = $clangxx -fuse-ld=lld $in $allocator -o $out
"""


def main():
    out = sys.argv[1]
    prefix = os.path.abspath(os.environ["THERMOCLINE"])
    in_build = os.path.isdir(os.path.join(prefix, "config"))
    text = [
        RULES.format(
            thermocline=prefix,
            configs=os.path.join(prefix, "config" if in_build else "share/thermocline"),
            libraries=os.path.join(prefix, "lib" if in_build else "lib/thermocline"),
            clang=os.environ.get("CLANG", "clang-22"),
            clangxx=os.environ.get("CLANGXX", "clang++-22"),
            here=HERE,
        )
    ]
    objects = ["obj/%s.o" % module for module in MODULES]
    for module, o in zip(MODULES, objects):
        rule = "compile-c" if module.endswith(".c") else "compile-cpp"
        source = os.path.join(os.path.dirname(HERE), "program", module)
        text.append("build %s: %s %s | program.prof" % (o, rule, source))
    written = ["%s.%s" % (o, kind) for o in objects for kind in ("thinlto.bc", "imports")]
    text.append(
        "build %s: thin-link %s | $allocator $thermocline/libexec/thermocline/ld.lld"
        % (" ".join(written), " ".join(objects))
    )
    native = []
    for o in objects:
        n = o.replace("obj/", "native/")
        native.append(n)
        text.append("build %s.dd: imports %s.imports\n  module = %s" % (n, o, n))
        text.append(
            "build %s: backend %s %s.thinlto.bc | $thermocline/bin/thermo-backend || %s.dd\n"
            "  module = %s\n  dyndep = %s.dd" % (n, o, o, n, o, n)
        )
    text.append("build program: link %s | $allocator" % " ".join(native))
    text.append("default program")
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "build.ninja"), "w") as f:
        f.write("\n".join(text) + "\n")


main()
