#!/usr/bin/env bash
# Makes the Debian packages of Thermocline for arm64 on an AMD64 machine, and runs what is in them
# under qemu-user (docs/aarch64.md). Debian's arm64 packages of LLVM and of libraries are unpacked
# in a folder of the build, and everything is compiled against them.
# usage: scripts/aarch64-packages.sh [FOLDER], by default build/packages-arm64
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/private-apt.sh
output=$(realpath -m "${1:-build/packages-arm64}")
scripts/aarch64.sh

host=$(realpath -m "${THERMOCLINE_BUILD:-build/${THERMOCLINE_PRESET:-release}}")
build=$host/arm64
sysroot=$build/sysroot
qemu=$host/aarch64/packages/usr/bin/qemu-aarch64

# What setup.sh and the CMake files ask of a machine, and the clang that loads the plugin.
needed=(
  clang-22 lld-22 llvm-22-dev llvm-22-tools liblld-22-dev libclang-22-dev libpolly-22-dev
  libjemalloc-dev zlib1g-dev libzstd-dev libxml2-dev binutils-dev libstdc++-12-dev libc6-dev
)

# So that dpkg-shlibdeps finds to which package a library in the sysroot belongs.
register() {
  local deb=$1 database=$2 name
  dpkg-deb -f "$deb" | sed '/^Package:/a Status: install ok installed' >>"$database/status"
  echo >>"$database/status"
  name=$(dpkg-deb -f "$deb" Package)
  [ "$(dpkg-deb -f "$deb" Multi-Arch)" != same ] || name=$name:arm64
  dpkg-deb --fsys-tarfile "$deb" | tar -t | sed "s|^\.|$sysroot|; s|/\$||" \
    >"$database/info/$name.list"
  rm -rf "$database/control"
  dpkg-deb -e "$deb" "$database/control"
  for file in shlibs symbols; do
    [ ! -f "$database/control/$file" ] || mv "$database/control/$file" "$database/info/$name.$file"
  done
}

fetch() {
  local state=$build/apt database=$sysroot/var/lib/dpkg
  rm -rf "$state" "$sysroot"
  private_apt "$state"
  apt_get+=(-o APT::Architecture=arm64 -o APT::Architectures::=arm64)
  "${apt_get[@]}" update
  "${apt_get[@]}" install -y --download-only --no-install-recommends "${needed[@]}" >/dev/null
  mkdir -p "$database"/{info,updates}
  echo 1 >"$database/info/format"
  for deb in "$state"/cache/archives/*.deb; do
    dpkg -x "$deb" "$sysroot"
    register "$deb" "$database"
  done
  # Absolute links are meant for a machine of which this is the root.
  find "$sysroot" -type l -lname '/*' | while read -r link; do
    ln -sfnr "$sysroot$(readlink "$link")" "$link"
  done
  rm -r "$state"
  touch "$sysroot/complete"
}
[ -f "$sysroot/complete" ] || fetch

if [ ! -f "$build/build.ninja" ]; then
  cmake -G Ninja -S . -B "$build" --toolchain arch/aarch64/Toolchain.cmake \
    -DCMAKE_SYSROOT="$sysroot" -DCMAKE_CROSSCOMPILING_EMULATOR="$qemu;-L;$sysroot" | tail -n 1
fi
NINJA_STATUS='[%f/%t] ' ninja -C "$build" | scripts/progress.awk -v what="Built for arm64"

mkdir -p "$output"
rm -f "$output"/*.deb
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$output/cpack" >"$output/cpack.log" ||
  { cat "$output/cpack.log"; exit 1; }
mv "$output"/cpack/*.deb "$output"
rm -rf "$output/cpack" "$output/cpack.log"
ls -l "$output"/*.deb

# What is in them takes a program through all steps. This machine's clang only names the linker.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
for deb in "$output"/*.deb; do
  dpkg -x "$deb" "$trial/root"
done
usr=$trial/root/usr
ulimit -c 0
emulate() { "$qemu" -L "$sysroot" "$@"; }
compile() {
  local config=$usr/share/thermocline/thermocline-$1.cfg
  shift
  for source in main library; do
    emulate "$sysroot/usr/lib/llvm-22/bin/clang" --driver-mode=g++ --sysroot="$sysroot" \
      --config="$config" -O2 "$@" -c "examples/names/$source.cpp" -o "$trial/$source.o"
  done
}
link() {
  local config=$usr/share/thermocline/thermocline-$1.cfg
  shift
  clang++-22 --target=aarch64-linux-gnu --sysroot="$sysroot" --config="$config" \
    --ld-path="$trial/ld.lld" "$trial/main.o" "$trial/library.o" "$@"
}
printf '#!/bin/sh\nexec "%s" -L "%s" "%s" "$@"\n' "$qemu" "$sysroot" \
  "$usr/libexec/thermocline/ld.lld" >"$trial/ld.lld"
chmod +x "$trial/ld.lld"
for tool in thermocline thermo-profdata thermo-lto thermo-backend; do
  file -L "$usr/bin/$tool" | grep -q "ARM aarch64"
  emulate "$usr/bin/$tool" --version | head -n 1
done
compile generate
link generate -o "$trial/generate"
MEMPROF_OPTIONS=log_path=$trial/raw emulate "$trial/generate" >"$trial/expected"
emulate "$usr/bin/thermo-profdata" merge --binary="$trial/generate" "$trial"/raw.* -o "$trial/prof"
compile use -fmemory-profile-use="$trial/prof"
link use "$usr/lib/thermocline/libthermocline_alloc.a" -o "$trial/use"
THERMOCLINE_ALLOC_STATS=1 emulate "$trial/use" 2>"$trial/stats" | diff "$trial/expected" -
grep -q "kind=total .*cold_calls=180000" "$trial/stats"
echo "What is in the packages works under qemu-user."
