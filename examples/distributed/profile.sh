#!/usr/bin/env bash
# profile.sh OUT: makes OUT/program.prof, with a heap profile of the program and
# its counters, by which indirect calls are told apart.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
mkdir -p "$1/profile" && cd "$1"

generate=--config=$configs/thermocline-generate.cfg
counting="-fprofile-generate -funique-internal-linkage-names"
for source in $modules; do
  $(compiler "$source") "$generate" -O2 -c "$program/$source" -o "profile/$source.heap.o"
  $(compiler "$source") $counting -O2 -c "$program/$source" -o "profile/$source.counters.o"
done
$clangxx "$generate" profile/*.heap.o -o profile/heap
$clangxx -fprofile-generate profile/*.counters.o -o profile/counters
rm -f profile/*.profraw*
MEMPROF_OPTIONS=log_path=profile/heap.profraw profile/heap
LLVM_PROFILE_FILE=profile/counters.profraw profile/counters
"$THERMOCLINE/bin/thermo-profdata" merge --binary=profile/heap -o program.prof \
  profile/heap.profraw.* profile/counters.profraw
