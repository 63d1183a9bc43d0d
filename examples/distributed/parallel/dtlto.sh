#!/usr/bin/env bash
# dtlto.sh OUT: the linker hands its backends to a distributor, in one link as any
# other. OUT/program.prof must be there.
set -euo pipefail
. "$(dirname "$0")/../settings.sh"
mkdir -p "$1/dtlto" && cd "$1/dtlto"

objects=
for source in $modules; do
  $(compiler "$source") $use -O2 -fprofile-use=../program.prof -c "$program/$source" -o "$source.o"
  objects="$objects $source.o"
done
$clangxx $use -O2 $objects "$allocator" -o program \
  -Wl,--thinlto-distributor="$here/parallel/distributor.py" \
  -Wl,--thinlto-remote-compiler="$backend" ${CACHE:+-Wl,--thinlto-cache-dir=$CACHE}
