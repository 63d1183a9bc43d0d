#!/usr/bin/env bash
# Runs random programs of allocation calls with libc's allocator and with the
# profiling runtime and compares what they print.
# usage: fuzz_allocations.sh PROGRAM-WITH-LIBC PROGRAM-WITH-OURS SEEDS OPERATIONS
set -euo pipefail
for seed in $(seq "$3"); do
  expected=$("$1" "$seed" "$4" 1)
  result=$("$2" "$seed" "$4" 1)
  if [ "$result" != "$expected" ]; then
    echo "seed $seed: other results than libc's" >&2
    exit 1
  fi
  "$2" "$seed" "$4" 4 >/dev/null
done
