#!/usr/bin/env bash
# aarch64.sh: after setup.sh, builds what is linked into programs for AArch64 (docs/aarch64.md), in
# the folder aarch64 of the build, and fetches there what its tests need of Debian's arm64
# packages and of its backports. Idempotent.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/private-apt.sh

scripts/install.sh g++-12-aarch64-linux-gnu libc6-dev-arm64-cross

host=$(realpath -m "${THERMOCLINE_BUILD:-build/${THERMOCLINE_PRESET:-release}}")
build=$host/aarch64
fetched=$build/packages

# qemu-user has room for the counters of a profiled program since 8.1.
fetch() {
  local state=$fetched/apt codename
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  private_apt "$state" "$codename-backports"
  apt_get+=(-o APT::Architectures::=amd64 -o APT::Architectures::=arm64)
  mkdir -p "$fetched/unpacked"
  "${apt_get[@]}" update
  (cd "$state" && "${apt_get[@]}" download libjemalloc-dev:arm64 \
    "qemu-user:amd64/$codename-backports")
  for package in "$state"/*.deb; do
    dpkg -x "$package" "$fetched/unpacked"
  done
  rm -r "$state"
  mv "$fetched/unpacked/usr" "$fetched/"
}
[ -d "$fetched/usr" ] || fetch

if [ ! -f "$build/build.ninja" ]; then
  cmake -G Ninja -S . -B "$build" --toolchain arch/aarch64/Toolchain.cmake \
    -DTHERMOCLINE_RUNTIMES_ONLY=ON -DTHERMOCLINE_HOST_BUILD="$host" \
    -DTHERMOCLINE_JEMALLOC_PIC="$fetched/usr/lib/aarch64-linux-gnu/libjemalloc_pic.a" \
    -DTHERMOCLINE_JEMALLOC_INCLUDE="$fetched/usr/include" | tail -n 1
fi
NINJA_STATUS='[%f/%t] ' ninja -C "$build" runtimes | scripts/progress.awk -v what="Built for AArch64"
