#!/usr/bin/env bash
# faults.sh [KILLS [FORKS]]: what the profiling runtime promises when things go wrong.
# Kills a program so often (default 1000) at random moments while it writes its
# profile continuously, and so often at system calls of the thread that writes it;
# forks so often (default 200) during each of the functions of libc that allocate
# under a lock, in each mode; then fills a disk under it (a small tmpfs; needs the
# right to mount one). Stops at the first profile that cannot be read, and the
# first child that hangs.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh thermocline_profile_runtime thermocline_profile_preload Thermocline \
  thermo-profdata

kills=${1:-1000}
forks=${2:-200}
build=${THERMOCLINE_BUILD:-build/release}
llvm=/usr/lib/llvm-22/bin
work=$(mktemp -d)
trap 'umount "$work/disk" 2>/dev/null || true; rm -rf "$work"' EXIT
config=$PWD/$build/config/thermocline-generate.cfg
"$llvm/clang" --config="$config" -O1 test/Runtime/Process/killed-at-any-time.c -o "$work/program"
"$llvm/clang" -O1 test/Runtime/Process/Inputs/kill_at_call.c -o "$work/kill-at-call"
test/Runtime/Process/Inputs/check_kills.py "$work" "$PWD/$build/bin/thermo-profdata" \
  "$llvm/llvm-profdata" "$kills"

mkdir "$work/locks"
(cd "$work/locks" && "$OLDPWD/test/Runtime/Malloc/Inputs/check_libc_locks.sh" "$llvm/clang" "$config" \
  "${config%.cfg}-sampling.cfg" "$OLDPWD/$build/lib/libthermocline_preload.so" "$forks") |
  tee "$work/locks/said"
if grep -vE '^[a-z-]+, (first|forks): [0-9]+ functions, [0-9]+ children each$' "$work/locks/said"; then
  exit 1
fi

mkdir "$work/disk"
if ! mount -t tmpfs -o size=800k tmpfs "$work/disk"; then
  echo "disk full: not tried, no right to mount a small file system"
  exit
fi
"$llvm/clang" --config="$config" -O1 test/Runtime/Profiles/write-failures.c -o "$work/fails"
for free in 0 100 300 500 700; do
  for options in "" :continuous=1:sync_interval_ms=5; do
    rm -f "$work/disk"/*
    dd if=/dev/zero of="$work/disk/filler" bs=1k count=$((800 - free)) status=none || true
    status=0
    MEMPROF_OPTIONS="log_path=$work/disk/raw$options" \
      "$work/fails" "$work/output" 2>"$work/errors" || status=$?
    [[ $status == 7 && $(cat "$work/output") == "the output" ]] || {
      echo "disk full: the program ended with $status"
      exit 1
    }
    for profile in "$work/disk"/raw*; do
      [[ -e $profile ]] || continue
      "$build/bin/thermo-profdata" merge --quiet --binary="$work/fails" -o "$work/merged" "$profile"
    done
    echo "$free KiB free${options:+, continuous}: program as ever;" \
      "$(find "$work/disk" -name 'raw*' | wc -l) profile, $(wc -l <"$work/errors") message:" \
      "$(sed -E "s,$work/disk/,,; s,raw\.[0-9]+,raw.PID," "$work/errors")"
  done
done
