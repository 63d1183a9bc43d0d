#!/usr/bin/env bash
# usage: check_preload.sh LIBRARY THERMO-PROFDATA
# Runs programs of the system with LIBRARY preloaded and without, compares what
# they write and how they end, and reads the profiles. LIVE: options of the library.
set -uo pipefail
library=$1 profdata=$2
seq 200000 -1 1 >numbers

try() { # NAME COMMAND...
  local name=$1 said="same output" status plain read="profiles read"
  shift
  rm -rf profiles && mkdir profiles
  "$@" >plain 2>&1
  plain=$?
  # Only what the command itself starts is to be profiled.
  LD_PRELOAD=$library MEMPROF_OPTIONS=log_path=$PWD/profiles/raw${LIVE:+:$LIVE}${options:-} "$@" >profiled 2>&1
  status=$?
  # Python waits for what its threads do, and not for their end.
  sed -i '/^Thermocline: the program forked beside its other threads: /d' profiled
  cmp -s plain profiled || said="other output: $(diff plain profiled | head -3)"
  [[ $status == "$plain" ]] || said+=", status was $plain"
  ls profiles/raw* >/dev/null || read="no profile"
  for profile in profiles/raw*; do
    "$profdata" show "$profile" >shown || read="cannot read $profile"
    grep -q "Accesses:       not counted" shown || read="accesses in $profile"
  done
  echo "$name: $said, status $status, $read"
}

try ls ls -la /etc
try "failing ls" ls /nonexistent/file /etc
try "sort with threads" sort --parallel=4 -n numbers
try "shell with pipes and subshells" bash -c '
  for i in 1 2 3; do (echo "$i"; exec echo more) | sort -r | cat; done
  declare -A names=([a]=1 [b]=2); echo "${names[@]}" | tr 1 x; exit 3'
try "python with threads, fork and exec" python3 -c '
import os, subprocess, threading
results = []
threads = [threading.Thread(target=lambda n=n: results.append(sum(len(str(i)) for i in range(n * 1000)))) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(sorted(results), flush=True)
if os.fork() == 0:
    print("child", flush=True)
    os._exit(0)
os.wait()
print(subprocess.run(["echo", "run"], stdout=subprocess.PIPE).stdout)
os.execvp("echo", ["echo", "end"])'
options=:continuous=1 try "killed while continuous" bash -c '
  words=(); for ((i = 0; i < 3000; ++i)); do words+=("word $i"); done
  [[ -z $LD_PRELOAD ]] || until [[ -s profiles/raw.$$ ]]; do :; done; kill -9 $$'
