#!/usr/bin/env bash
# usage: run_modes.sh MODES PROGRAM OPTIONS
# Runs PROGRAM MODE ROUND for each of MODES, six rounds, with OPTIONS for the
# runtime. Each run has to end by itself, with status 0, and leave a profile.
set -euo pipefail
name=${3%%:*}
name=${name#log_path=}
profiles() { find . -name "$name.*" -size +0 | wc -l; }
for mode in $1; do
  for round in $(seq 6); do
    before=$(profiles)
    MEMPROF_OPTIONS=$3 timeout 20 "$2" "$mode" "$round" ||
      { echo "mode $mode, round $round: status $?"; exit 1; }
    [ "$(profiles)" -gt "$before" ] || { echo "mode $mode: no profile"; exit 1; }
  done
done
