#!/usr/bin/env bash
# profile.sh OUT: makes OUT/program.prof, with a heap profile of the program and
# its counters, by which indirect calls are told apart.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
mkdir -p "$1/profile" && cd "$1"

# One build and one run for both.
generate="--config=$configs/thermocline-generate.cfg -fprofile-generate"
for source in $modules; do
  $(compiler "$source") $generate -O2 -c "$program/$source" -o "profile/$source.o"
done
$clangxx $generate profile/*.o -o profile/program
rm -f profile/*.profraw*
# What is cold in so small a program is told by totals.
MEMPROF_OPTIONS=touch_windows=0:log_path=profile/heap.profraw LLVM_PROFILE_FILE=profile/counters.profraw profile/program
"$THERMOCLINE/bin/thermo-profdata" merge --binary=profile/program -o program.prof \
  profile/heap.profraw.* profile/counters.profraw
