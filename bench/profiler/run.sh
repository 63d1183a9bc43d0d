#!/usr/bin/env bash
# What profiling costs: each kernel plain, with clang's own -fmemory-profile and
# with ours, the best of five interleaved runs, as ratios to plain.
# usage: bench/profiler/run.sh [BUILD-DIRECTORY]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build/release}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
clang++-22 -O2 "$here/kernels.cpp" -o plain
clang++-22 -O2 -gmlt -fmemory-profile "$here/kernels.cpp" -o stock
clang++-22 -O2 --config="$build/config/thermocline-generate.cfg" \
  "$here/kernels.cpp" -o ours
export MEMPROF_OPTIONS=log_path=$work/raw
printf '%-10s %10s %8s %8s\n' kernel 'plain, ms' stock ours
for kernel in chase churn hash sort strings; do
  for round in 1 2 3 4 5; do
    for program in plain stock ours; do
      ./$program $kernel >>"$program.$kernel"
    done
  done
  for program in plain stock ours; do
    sort -n "$program.$kernel" | head -n 1
  done | xargs printf '%s %s %s\n' | awk -v kernel=$kernel \
    '{ printf "%-10s %10.1f %7.2fx %7.2fx\n", kernel, $1, $2 / $1, $3 / $1 }'
done
