"""lit configuration: the tools under test are ours, the judges are stock LLVM's.

A missing tool is a failure, not a skip: LLVM's tools
must be there when the suite starts, ours when a test runs them. Only tests of Rust are
skipped without its compiler, which is said.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

import lit.formats
import lit.llvm

config.name = "Thermocline"
config.suffixes = [".test", ".ll", ".c", ".cpp", ".s"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_format = lit.formats.ShTest(execute_external=True)
config.test_source_root = os.path.join(config.source_root, "test")
config.test_exec_root = os.path.join(config.build_root, "test")

build_bin = os.path.join(config.build_root, "bin")
build_lib = os.path.join(config.build_root, "lib")


def require(path):
    if not os.path.exists(path):
        lit_config.fatal("missing: " + path)
    return path


def substitute(name, path):
    # Tools are written %name, so that no test takes one from PATH by accident.
    config.substitutions.append(("%" + name + r"\b", path))


config.substitutions += [
    ("%build", config.build_root),
    ("%srcroot", config.source_root),
    # Longer names first: lit replaces in order.
    (r"%clangxx\b", require(os.path.join(config.llvm_bin, "clang++"))),
    (r"%clang\b", require(os.path.join(config.llvm_bin, "clang"))),
]
for tool in [
    "FileCheck", "not", "split-file", "opt", "llvm-as", "llvm-dis", "llvm-lto2",
    "llvm-profdata", "llvm-nm", "llvm-readelf", "llvm-objdump", "llvm-ar",
    "llvm-bcanalyzer", "llvm-strip", "llvm-objcopy", "llvm-dwp", "llvm-extract", "llvm-link", "llvm-remarkutil", "llvm-opt-report",
    "llvm-symbolizer", "llvm-dwarfdump", "llvm-bolt", "llvm-profgen",
]:
    substitute(tool, require(os.path.join(config.llvm_bin, tool)))
substitute("stock-ld.lld", require(os.path.join(config.llvm_bin, "ld.lld")))

# Our own. One that was not built makes each test that runs it fail.
ours = {
    "plugin": os.path.join(build_lib, "Thermocline.so"),
    "lto-plugin": os.path.join(build_lib, "ThermoclineLTO.so"),
    "thermo-profdata": os.path.join(build_bin, "thermo-profdata"),
    "thermo-backend": os.path.join(build_bin, "thermo-backend"),
    "thermo-lto": os.path.join(build_bin, "thermo-lto"),
    "thermocline": os.path.join(build_bin, "thermocline"),
    "bench-engine": os.path.join(build_bin, "thermocline-bench-engine"),
    "bench-generate": os.path.join(build_bin, "thermocline-bench-generate"),
    "bench-judge": os.path.join(build_bin, "thermocline-bench-judge"),
    "ld.lld": os.path.join(config.build_root, config.install_libexec, "ld.lld"),
    "libprofile": os.path.join(build_lib, "libthermocline_profile.a"),
    "runtime": os.path.join(build_lib, "libthermocline_runtime.so"),
    "preload": os.path.join(build_lib, "libthermocline_preload.so"),
    "libhints": os.path.join(build_lib, "libthermocline_hints.a"),
    "liballoc": os.path.join(build_lib, "libthermocline_alloc.a"),
    "generate-sampling-cfg": os.path.join(config.build_root, "config", "thermocline-generate-sampling.cfg"),
    "generate-bitcode-cfg": os.path.join(config.build_root, "config", "thermocline-generate-bitcode.cfg"),
    "generate-archive-cfg": os.path.join(config.build_root, "config", "thermocline-generate-archive.cfg"),
    "generate-cfg": os.path.join(config.build_root, "config", "thermocline-generate.cfg"),
    "release-cfg": os.path.join(config.build_root, "config", "thermocline-release.cfg"),
    "use-bfd-cfg": os.path.join(config.build_root, "config", "thermocline-use-bfd.cfg"),
    "use-gold-cfg": os.path.join(config.build_root, "config", "thermocline-use-gold.cfg"),
    "use-mold-cfg": os.path.join(config.build_root, "config", "thermocline-use-mold.cfg"),
    "use-cfg": os.path.join(config.build_root, "config", "thermocline-use.cfg"),
}
for name, path in ours.items():
    substitute(name, path)

# A compiler of Rust whose bitcode LLVM 22 reads: of 15, which has pointers without
# types, to 22.
def find_rustc():
    for path in ["/usr/bin/rustc", shutil.which("rustc")]:
        if not path or not os.path.exists(path):
            continue
        said = subprocess.run([path, "-vV"], capture_output=True, text=True).stdout
        version = re.search(r"LLVM version: (\d+)", said)
        if version and 15 <= int(version.group(1)) <= 22:
            return path
    return None


rustc = find_rustc()
if rustc:
    config.available_features.add("rust")
    substitute("rustc", rustc)
else:
    lit_config.note("no rustc with an LLVM from 15 to 22 (Debian: rustc-web): "
                    "tests of Rust are skipped")

# A crate of Debian's, without dependencies.
crate = glob.glob("/usr/share/cargo/registry/json-0.12.*/src/lib.rs")
if crate:
    config.available_features.add("crate-json")
    substitute("crate-json", crate[0])
elif rustc:
    lit_config.note("no crate json (Debian: librust-json-dev): the test of a "
                    "real crate is skipped")

# Scripts are run by the Python that runs this. Where the first one in PATH is a version
# manager's, it takes ten times as long to start.
config.environment["PATH"] = os.pathsep.join(
    [os.path.dirname(sys.executable), config.environment["PATH"]])

if config.sanitized:
    sys.path.append(config.test_source_root)
    import left_out

    config.test_format = left_out.SanitizedTests(config.test_source_root)
    # Linkers that can load our plugin.
    config.environment["PATH"] = os.pathsep.join(
        [os.path.join(config.build_root, "sanitizer-bin"), config.environment["PATH"]])

config.environment["LC_ALL"] = "C"
for variable in ["MEMPROF_OPTIONS", "THERMOCLINE_OPTIONS", "LD_PRELOAD"]:
    config.environment.pop(variable, None)
