#!/usr/bin/env bash
# fuzz.sh [SECONDS [NAME]]: fuzzes each reader for so long (default 600), or only
# NAME (context-text, raw-profile, indexed-profile, yaml-profile, call-table or
# data-types), from the seeds and from what earlier runs found. Stops at the first
# finding and names its file.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-600}
names=("${2:-context-text}")
(($# > 1)) || names+=(raw-profile indexed-profile yaml-profile call-table data-types)
build=${THERMOCLINE_BUILD:-build/release}
scripts/setup.sh "${names[@]/%/-fuzzer}"
corpus=$build/fuzz
python3 test/fuzz/make-corpus.py "$corpus/seeds"
for name in "${names[@]}"; do
  kept=() seeds=()
  [[ ! -d $corpus/seeds/$name ]] || seeds=("$corpus/seeds/$name")
  [[ ! -d test/fuzz/corpus/$name ]] || kept=("test/fuzz/corpus/$name")
  mkdir -p "$corpus/found/$name"
  echo "== $name, $seconds seconds"
  "$build/test/fuzz/$name-fuzzer" -max_total_time="$seconds" -timeout=20 \
    -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="$corpus/$name-" \
    "$corpus/found/$name" "${seeds[@]}" "${kept[@]}"
done
