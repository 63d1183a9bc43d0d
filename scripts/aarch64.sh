#!/usr/bin/env bash
# aarch64.sh: after setup.sh, builds what is linked into programs for AArch64 (docs/aarch64.md), in
# the folder aarch64 of the build, and fetches there what its tests need of Debian's arm64
# packages and of its backports. Idempotent.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(g++-12-aarch64-linux-gnu libc6-dev-arm64-cross)
missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$state" = "install ok installed" ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "Installing: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" >/dev/null
fi

host=$(realpath -m "${THERMOCLINE_BUILD:-build/${THERMOCLINE_PRESET:-release}}")
build=$host/aarch64
fetched=$build/packages

# The machine knows nothing of another architecture: apt does, with a state of its own, and the
# machine's own mirror. qemu-user has room for the counters of a profiled program since 8.1.
fetch() {
  local state=$fetched/apt codename mirror
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(apt-get indextargets --format '$(REPO_URI)' \
    "Codename: $codename" "Component: main" "Identifier: Packages" | head -n 1)
  mkdir -p "$state"/{lists,cache/archives}/partial "$fetched/unpacked"
  for suite in "$codename" "$codename-backports"; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
  done >"$state/sources.list"
  local options=(
    -qq -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root
    -o Dir::State::status=/dev/null -o Dir::State::lists="$state/lists" -o Dir::Cache="$state/cache"
    -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=/dev/null)
  apt-get "${options[@]}" update
  (cd "$state" && apt-get "${options[@]}" download libjemalloc-dev:arm64 \
    "qemu-user:amd64/$codename-backports")
  for package in "$state"/*.deb; do
    dpkg -x "$package" "$fetched/unpacked"
  done
  rm -r "$state"
  mv "$fetched/unpacked/usr" "$fetched/"
}
[ -d "$fetched/usr" ] || fetch

if [ ! -f "$build/build.ninja" ]; then
  cmake -G Ninja -S . -B "$build" --toolchain cmake/toolchains/aarch64-linux-gnu.cmake \
    -DTHERMOCLINE_RUNTIMES_ONLY=ON -DTHERMOCLINE_HOST_BUILD="$host" \
    -DTHERMOCLINE_JEMALLOC_PIC="$fetched/usr/lib/aarch64-linux-gnu/libjemalloc_pic.a" \
    -DTHERMOCLINE_JEMALLOC_INCLUDE="$fetched/usr/include" | tail -n 1
fi
NINJA_STATUS='[%f/%t] ' ninja -C "$build" runtimes | scripts/progress.awk -v what="Built for AArch64"
