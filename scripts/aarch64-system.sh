#!/usr/bin/env bash
# aarch64-system.sh [KERNEL...]: runs on Linux for AArch64, in qemu-system-aarch64, what qemu-user
# cannot show (docs/aarch64.md): forks beside threads, live profiles, bound memory, and pages of
# other sizes. After aarch64.sh. By default Debian's kernels with pages of 4 and of 16 KiB, of its
# backports. Fetches and builds in the folder aarch64 of the build, installs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/private-apt.sh

root=$PWD
host=$(realpath -m "${THERMOCLINE_BUILD:-build/${THERMOCLINE_PRESET:-release}}")
cross=$host/aarch64
system=$cross/system
profdata=$host/bin/thermo-profdata

# The emulator with the libraries that the machine may lack, a shell, and kernels.
fetch() {
  local state=$system/apt codename kernels package
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  private_apt "$state" "$codename-backports"
  apt_get+=(-o APT::Architectures::=amd64 -o APT::Architectures::=arm64)
  local options=("${apt_get[@]:1}")
  mkdir -p "$system/unpacked"
  "${apt_get[@]}" update
  kernels=$(apt-cache "${options[@]}" depends linux-image-arm64:arm64="$(
    apt-cache "${options[@]}" madison linux-image-arm64:arm64 |
      awk -v suite="$codename-backports" '$0 ~ suite { print $3; exit }')" |
    awk '/Depends:/ { sub(/:.*/, "", $2); print $2; exit }')
  [ -n "$kernels" ] || { echo "aarch64-system.sh: no kernel in $codename-backports" >&2; exit 1; }
  (cd "$state" && "${apt_get[@]}" download busybox-static:arm64 cpio:amd64 \
    {qemu-system-arm,qemu-system-common}:amd64/"$codename-backports" \
    qemu-system-data/"$codename-backports" "$kernels:arm64" "$kernels-16k:arm64" \
    lib{capstone4,pmem1,ndctl6,daxctl1,fdt1,rdmacm1,ibverbs1,slirp0,vdeplug2,fuse3-3,aio1,uring2}:amd64 \
    lib{nl-3-200,nl-route-3-200,kmod2}:amd64)
  for package in "$state"/*.deb; do
    dpkg -x "$package" "$system/unpacked"
  done
  rm -r "$state"
  mv "$system/unpacked" "$system/packages"
}
[ -d "$system/packages" ] || fetch
packages=$system/packages
if [ $# = 0 ]; then
  set -- "$packages"/boot/vmlinuz-*
fi

# The programs are those of tests.
work=$system/root/checks
rm -rf "$system/root" && mkdir -p "$system/root"/{bin,lib,proc,sys,dev} "$work"
generate=--config=$cross/config/thermocline-generate.cfg
clang=${LLVM_BIN:-/usr/lib/llvm-22/bin}/clang
build() {
  local name=$1 source=$2
  shift 2
  "$clang"++ "$generate" -O1 "test/$source" "$@" -pthread -o "$work/$name"
}
build_c() {
  local name=$1 source=$2
  shift 2
  "$clang" --target=aarch64-linux-gnu -fno-builtin -I"$root/runtime/alloc/include" \
    "test/$source" "$@" -o "$work/$name"
}
"$clang" --target=aarch64-linux-gnu -O2 -fomit-frame-pointer -c \
  test/AArch64/Inputs/no_frames.c -o "$system/no_frames.o"
build contexts AArch64/contexts.cpp "$system/no_frames.o"
build links AArch64/links.cpp
build fork-storm Runtime/Process/fork-storm.cpp
"$clang" "$generate" -O1 test/Runtime/Malloc/large-blocks.c -o "$work/large-blocks"
build_c page-touches Runtime/Live/page-touches.c -O2 -gmlt -fdebug-info-for-profiling \
  -fno-optimize-sibling-calls -Wl,--build-id
build_c objects-on-pages Runtime/Live/objects-on-pages.c -O1 -pthread
build_c kernel-keeps-heaps-apart Alloc/kernel-keeps-heaps-apart.c -O1 \
  "$cross/lib/libthermocline_alloc.a" -lm
build_c cold-memory-goes-back Alloc/cold-memory-goes-back.c -O1 \
  "$cross/lib/libthermocline_alloc.a" -lm
build_c cold-heap-grows AArch64/Inputs/cold_heap_grows.c -O1 "$cross/lib/libthermocline_alloc.a" -lm
"$clang"++ --target=aarch64-linux-gnu -std=c++20 -O1 -fno-builtin -Iruntime/alloc/include \
  test/Alloc/pages-are-never-shared.cpp "$cross/lib/libthermocline_alloc.a" \
  -o "$work/pages-are-never-shared"

# What does not depend on times of the contexts of a PROGRAM by its raw PROFILE.
contexts_of() {
  "$profdata" merge --quiet --binary="$1" "$2" -o "$system/contexts.profile" &&
    test/AArch64/Inputs/contexts.sh "${clang%/*}/llvm-profdata" "$system/contexts.profile"
}
"$clang" -O2 -fomit-frame-pointer -c test/AArch64/Inputs/no_frames.c -o "$system/no_frames.o"
"$clang"++ "--config=$host/config/thermocline-generate.cfg" -O1 test/AArch64/contexts.cpp \
  "$system/no_frames.o" -pthread -o "$system/contexts"
rm -f "$system"/contexts.raw*
MEMPROF_OPTIONS=log_path=$system/contexts.raw "$system/contexts"
contexts_of "$system/contexts" "$system"/contexts.raw.* >"$system/contexts.expected"

cp "$packages/bin/busybox" "$system/root/bin/"
cp test/AArch64/Inputs/system.sh "$system/root/init"
cp -L "$cross/lib/libthermocline_preload.so" "$work/"
# Where the config files name it, as it is from here.
mkdir -p "$system/root$cross"/{config,lib}
cp -L "$cross"/lib/libthermocline_{runtime,first}.so "$system/root$cross/lib/"
cp -L /usr/aarch64-linux-gnu/lib/{ld-linux-aarch64.so.1,libc.so.6,libm.so.6,libstdc++.so.6,libgcc_s.so.1} \
  "$system/root/lib/"
(cd "$system/root" && find . | "$packages/bin/cpio" -o -H newc --quiet) >"$system/initrd"

boot() {
  LD_LIBRARY_PATH=$packages/usr/lib/x86_64-linux-gnu:$packages/lib/x86_64-linux-gnu \
    timeout 1200 "$packages/usr/bin/qemu-system-aarch64" -L "$packages/usr/share/qemu" \
    -machine virt -cpu max,pauth-impdef=on -smp 2 -m 2048 -nographic -nic none -no-reboot \
    -kernel "$1" -initrd "$system/initrd" -append "console=ttyAMA0 quiet panic=-1" </dev/null |
    tr -d '\r'
}

# The profile NAME of what a system said, to a file.
profile() {
  sed -n "/^profile: $1\$/,/^end of profile\$/p" "$system/said" | sed '1d;$d' |
    base64 -d >"$system/$1.raw" || true
}

failed=0
verdict() {
  if [ "$1" = 0 ]; then
    echo "passed: $2"
  else
    echo "failed: $2"
    failed=1
  fi
}
for kernel in "$@"; do
  echo "kernel: $(basename "$kernel")"
  boot "$kernel" >"$system/said" || true
  sed '/^profile: /,/^end of profile$/d' "$system/said"
  if grep -q '^failed: ' "$system/said" || ! grep -q '^end of checks$' "$system/said"; then
    failed=1
  fi
  status=0
  profile contexts
  contexts_of "$work/contexts" "$system/contexts.raw" >"$system/contexts.found" || status=1
  diff -q "$system/contexts.expected" "$system/contexts.found" >/dev/null || status=1
  verdict $status 'contexts are those of this machine'
  status=0
  profile page-touches
  "$profdata" merge --binary="$work/page-touches" "$system/page-touches.raw" \
    -o "$system/page-touches.profile" | grep 'cold: 1 context, 187.5 KiB' || status=1
  verdict $status 'live profile: what is idle is cold'
  status=0
  kib=$(sed -n 's/^system: .*, pages of \([0-9]*\) KiB$/\1/p' "$system/said")
  "$profdata" export --binary="$work/page-touches" "$system/page-touches.profile" -o - |
    grep "\"pageBytes\": $((kib * 1024))" >/dev/null || status=1
  verdict $status 'the profile has the size of pages'
done
exit $failed
