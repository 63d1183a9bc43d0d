#!/usr/bin/env bash
# setup.sh [TARGET...]: installs what is missing and builds the targets, by default
# all. Called by the other scripts; idempotent, and quick when there is nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  cmake ninja-build make python3 ca-certificates
  clang-22 lld-22 llvm-22 llvm-22-dev llvm-22-tools liblld-22-dev
  libclang-22-dev libpolly-22-dev libclang-rt-22-dev clang-format-22
  binutils binutils-dev mold graphviz
  libjemalloc-dev zlib1g-dev libzstd-dev libxml2-dev libgtest-dev
  parallel gdb librust-json-dev
)
# Rust with the LLVM that is used here, 62 MB to download, 270 MB installed. It takes the
# place of another rustc of Debian's, so only where none has an LLVM from 15 to 22.
if ! rustc -vV 2>/dev/null | grep -qE '^LLVM version: (1[5-9]|2[0-2])\.'; then
  packages+=(rustc-web)
fi

scripts/install.sh "${packages[@]}"

version=$(/usr/lib/llvm-22/bin/llvm-config --version)
case "$version" in
  22.1.*) ;;
  *) echo "error: Thermocline needs LLVM 22.1; the packages bring $version" >&2
     exit 1 ;;
esac

preset=${THERMOCLINE_PRESET:-release}
build=${THERMOCLINE_BUILD:-build/$preset}
if [ ! -f "$build/build.ninja" ]; then
  cmake --preset "$preset" -B "$build" | tail -n 1
fi
# Compilers take much memory, which then lies on huge pages where the kernel has them.
export GLIBC_TUNABLES=${GLIBC_TUNABLES-glibc.malloc.hugetlb=1}
if [ -t 1 ]; then
  ninja -C "$build" "$@"
else
  NINJA_STATUS='[%f/%t] ' ninja -C "$build" "$@" | scripts/progress.awk -v what="Built"
fi
