#!/usr/bin/env bash
# index-only.sh OUT: GNU parallel runs the backends, by default on this machine;
# HOSTS takes others in the form of --sshlogin: "4/host1,8/host2", which must see
# the same folder. OUT/program.prof must be there.
set -euo pipefail
. "$(dirname "$0")/../settings.sh"
mkdir -p "$1/parallel" && cd "$1/parallel"

objects=
for source in $modules; do
  $(compiler "$source") $use -O2 -fprofile-use=../program.prof -c "$program/$source" -o "$source.o"
  objects="$objects $source.o"
done
$clangxx $use -O2 $objects "$allocator" -o program \
  -Wl,--thinlto-index-only=link.list -Wl,--thinlto-memprof-backend=thermocline
parallel --will-cite --sshlogin "${HOSTS:-:}" --workdir "$PWD" --halt now,fail=1 \
  "$backend" $backend_flags -x ir {} -fthinlto-index={}.thinlto.bc -o {.}.native.o \
  ::: $objects
# The list has the modules in the order of the command line.
$clangxx -fuse-ld=lld $(sed 's/\.o$/.native.o/' link.list) "$allocator" -o program
