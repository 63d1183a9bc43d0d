#!/usr/bin/env bash
# usage: check_ends.sh PROGRAM LLVM-PROFDATA END...
# Runs PROGRAM END for each END, in a directory of its own, and says for each its
# exit status, how many profiles it left, and how often each of them has the
# allocation made in allocateHere().
set -uo pipefail
program=$1 profdata=$2
shift 2
for end in "$@"; do
  rm -rf "$program.dir"
  mkdir "$program.dir"
  MEMPROF_OPTIONS=log_path=$program.dir/raw bash -c '"$@"; exit $?' - "$program" "$end" 2>/dev/null
  status=$?
  files=("$program.dir"/*)
  allocations=
  for file in "${files[@]}"; do
    count=$("$profdata" show --memory --profiled-binary="$program" "$file" |
      python3 -c '
import sys
text = sys.stdin.read().split("Records:")[1]
sites = [s for s in text.split("Callstack:") if "SymbolName: allocateHere" in s.split("MemInfoBlock")[0]]
print(sum(int(s.split("AllocCount:")[1].split()[0]) for s in sites[:1]))')
    [[ -z $allocations || $allocations == "$count" ]] || count=differing
    allocations=$count
  done
  s=$([[ ${#files[@]} == 1 ]] || echo s)
  echo "$end: status $status, ${#files[@]} profile$s, $allocations allocation each"
done
