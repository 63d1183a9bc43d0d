#!/usr/bin/env bash
# in-process.sh OUT: the program by a link that compiles its modules itself, to
# compare the others with. OUT/program.prof must be there.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
mkdir -p "$1/in-process" && cd "$1/in-process"

objects=
for source in $modules; do
  $(compiler "$source") $use -O2 -fprofile-use=../program.prof -c "$program/$source" -o "$source.o"
  objects="$objects $source.o"
done
# --lto-obj-path keeps what was compiled, as program.lto.o1, …2, in this order.
$clangxx $use -O2 $objects "$allocator" -o program -Wl,--lto-obj-path=program.lto.o
