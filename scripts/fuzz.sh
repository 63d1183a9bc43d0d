#!/usr/bin/env bash
# fuzz.sh [SECONDS]: fuzzes each reader for so long (default 600), from the seeds
# and from what earlier runs found. Stops at the first finding and names its file.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh

seconds=${1:-600}
build=${THERMOCLINE_BUILD:-build/release}
ninja -C "$build" context-text-fuzzer raw-profile-fuzzer
corpus=$build/fuzz
for name in context-text raw-profile; do
  mkdir -p "$corpus/found/$name"
done
python3 test/fuzz/make-corpus.py "$corpus/seeds"
for name in context-text raw-profile; do
  echo "== $name, $seconds seconds"
  "$build/test/fuzz/$name-fuzzer" -max_total_time="$seconds" -timeout=20 \
    -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="$corpus/$name-" \
    "$corpus/found/$name" "$corpus/seeds/$name"
done
