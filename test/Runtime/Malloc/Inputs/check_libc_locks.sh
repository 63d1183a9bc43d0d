#!/usr/bin/env bash
# usage: check_libc_locks.sh CLANG CONFIG SAMPLING-CONFIG PRELOAD FORKS [MODE...]
# Runs libc_locks.c, in the working directory, in each mode of the runtime: with
# each function first, and then with FORKS forks during each. Says for each mode
# how many functions went through, and whether each process left its profile.
set -uo pipefail
clang=$1 config=$2 sampling=$3 preload=$4 forks=$5
shift 5
source=$(dirname "$0")/libc_locks.c

build() { # OUTPUT OPTION...
  local output=$1
  shift
  "$clang" "$@" -O1 -fno-builtin -pthread -w "$source" -o "$output" || exit 1
}
build library.so -fPIC -shared -DLIBRARY
build program --config="$config"
build sampling --config="$sampling"
build static --config="$config" -static -DSTATIC 2>linker
build plain -fomit-frame-pointer -momit-leaf-frame-pointer

run() { # MODE OPTIONS PROGRAM
  local mode=$1 options=$2 program=$3 library= said profiles
  [[ -z $wanted || " $wanted " == *" $mode "* ]] || return 0
  [[ $mode != preload* ]] || library=$preload
  rm -rf profiles && mkdir profiles
  for arguments in "first ./library.so" "forks $forks ./library.so"; do
    said=$(timeout -s KILL 300 env LD_PRELOAD="$library" MEMPROF_OPTIONS=log_path=profiles/raw$options \
      "./$program" $arguments 2>&1)
    [[ $? == 0 ]] || said+=" (failed)"
    # Whether a fork takes longer than threads can wait, depends on the machine.
    said=$(sed -E '/^Thermocline: [0-9]+ allocations? .*could not wait for a fork$/d' <<<"$said")
    echo "$mode, ${arguments%% *}: $said"
  done
  # One of each process, two of the parent, and nothing that is hidden.
  [[ $said =~ ^([0-9]+)\ functions,\ ([0-9]+)\ children\ each$ ]] || return
  profiles=$(find profiles -name 'raw.*' -size +100c | wc -l)
  [[ $profiles == $((BASH_REMATCH[1] * BASH_REMATCH[2] + 2)) &&
    $profiles == $(find profiles -type f | wc -l) ]] ||
    echo "$mode: $profiles profiles of $(find profiles -type f | wc -l) files"
}

wanted="$*"
run exact "" program
run sampled :sample=3 sampling
run continuous :continuous=1:sync_interval_ms=1 program
run static "" static
run static-continuous :continuous=1:sync_interval_ms=1 static
run preload "" plain
run preload-sampled :sample=3 plain
run preload-continuous :continuous=1:sync_interval_ms=1 plain
