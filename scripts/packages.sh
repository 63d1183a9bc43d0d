#!/usr/bin/env bash
# Makes the Debian packages and the release archive, installs the packages in a clean
# Debian of their own, takes a program through all steps there, removes them, and
# looks for what they leave behind. The clean Debian takes some minutes and 3 GB.
# usage: scripts/packages.sh [FOLDER], by default build/packages
set -euo pipefail
cd "$(dirname "$0")/.."
output=$(realpath -m "${1:-build/packages}")
build=${THERMOCLINE_BUILD:-build/release}
scripts/setup.sh all

scripts/install.sh debootstrap dpkg-dev file

mkdir -p "$output"
rm -f "$output"/*.deb "$output"/*.tar.gz
for generator in DEB TGZ; do
  cpack --config "$build/CPackConfig.cmake" -G "$generator" -B "$output/cpack" >"$output/cpack.log" ||
    { cat "$output/cpack.log"; exit 1; }
done
mv "$output"/cpack/*.deb "$output"/cpack/*.tar.gz "$output"
rm -rf "$output/cpack"
ls -l "$output"/*.deb "$output"/*.tar.gz

# Debian as this machine has it: the same release, sources and keys.
root=$(mktemp -d)
cleanUp() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap cleanUp EXIT
# shellcheck disable=SC1091
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(SITE)' "Created-By: Packages" "Codename: $release" |
  head -n 1)
echo "Installing Debian $release"
debootstrap --variant=minbase "$release" "$root" "$mirror" >"$output/debootstrap.log" ||
  { tail "$output/debootstrap.log"; exit 1; }
cp -a /etc/apt/. "$root/etc/apt/"
rm -f "$root/etc/apt/sources.list"
[ ! -e /etc/apt/sources.list ] || cp /etc/apt/sources.list "$root/etc/apt/"
echo 'APT::Sandbox::User "root"; Dpkg::Use-Pty "0";' >"$root/etc/apt/apt.conf.d/99packages"
echo 'debconf debconf/frontend select Noninteractive' | chroot "$root" debconf-set-selections
cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/" 2>/dev/null || true
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
mount -t proc proc "$root/proc" 2>/dev/null || true
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }
inside apt-get update -qq
# What a C++ program needs of Debian, and what the packages depend on.
inside apt-get install -y -qq --no-install-recommends g++ clang-22 >/dev/null

echo "Installing the packages"
inside find /usr /etc /var/lib /opt -xdev | sort >"$output/before"
cp "$output"/*.deb "$root/tmp"
inside sh -c 'apt-get install -y -qq --no-install-recommends /tmp/*.deb' >/dev/null
cp -r examples/names "$root/tmp/names"
inside sh -euc '
  cd /tmp/names
  clang++-22 --config=thermocline-generate.cfg -O2 main.cpp library.cpp -o generate
  ./generate >expected
  thermo-profdata merge --binary=generate memprof.profraw.* -o prof
  clang++-22 --config=thermocline-use.cfg -O2 -fmemory-profile-use=prof main.cpp library.cpp \
    /usr/lib/thermocline/libthermocline_alloc.a -o use
  THERMOCLINE_ALLOC_STATS=1 ./use 2>stats | diff expected -
  grep -q "kind=total .*cold_calls=180000" stats
  test -s /usr/share/man/man1/thermo-profdata.1.gz'

echo "Removing the packages"
inside apt-get purge -y -qq thermocline libthermocline libthermocline-dev >/dev/null
inside find /usr /etc /var/lib /opt -xdev | sort >"$output/after"
left=$(comm -13 "$output/before" "$output/after" |
  grep -E "thermo" || true)
if [ -n "$left" ]; then
  echo "error: left behind:" >&2
  echo "$left" >&2
  exit 1
fi
rm -f "$output"/before "$output"/after "$output"/*.log
echo "The packages install, work and go."
