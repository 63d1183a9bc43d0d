#===- bench/allocator/packages.py - Debian's allocators --------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Fetches other allocators with apt-get, and unpacks them; installs nothing."""

import subprocess
import sys

# Of each allocator, the package and the library in it.
PACKAGES = {"jemalloc": ("libjemalloc2", "libjemalloc.so.2"),
            "mimalloc": ("libmimalloc2.0", "libmimalloc.so.2.0"),
            "tcmalloc": ("libtcmalloc-minimal4", "libtcmalloc_minimal.so.4")}


def fetch(work):
    """The shared libraries of Debian's allocators, by name, in a folder. Raises
    subprocess.CalledProcessError."""
    found = {}
    for name, (package, file) in PACKAGES.items():
        folder = work / name
        library = folder / "usr/lib" / "x86_64-linux-gnu" / file
        if not library.exists():
            print(f"fetching: {package}", file=sys.stderr)
            folder.mkdir(exist_ok=True)
            download = ["apt-get", "download", "-q", package]
            if subprocess.run(download, cwd=folder, capture_output=True).returncode:
                subprocess.run(["apt-get", "update", "-qq"], check=True)
                subprocess.run(download, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["dpkg", "-x", next(folder.glob("*.deb")), folder], check=True)
        found[name] = library
    return found
