#!/usr/bin/env bash
# usage: check_failures.sh PROGRAM
# Runs PROGRAM where its profile cannot be written, in many ways; says how it
# ended, and its messages with the process id as PID.
set -uo pipefail
program=$1
directory=$PWD/failures

report() { # NAME STATUS
  local name=$1 status=$2 files output=lost
  [[ $(cat output) == "the output" ]] && output="as ever"
  files=$(find . -name '*raw*' | wc -l)
  echo "$name: status $status, output $output, $files profile$([[ $files == 1 ]] || echo s)"
  sed -E "s,$directory/,,; s,raw\.[0-9]+,raw.PID," errors
}

try() { # NAME OPTIONS LIMIT [ARGUMENT]
  rm -rf "$directory"
  mkdir "$directory"
  cd "$directory" || exit
  bash -c 'ulimit -f $0; export MEMPROF_OPTIONS=$1; exec "${@:2}"' \
    "$3" "$2" "$program" output ${4:+"$4"} 2>errors
  report "$1" $?
}

try "no directory" log_path=/nonexistent/raw unlimited
try "no files there" log_path=/proc/raw unlimited
try "no directory, continuous" test_clock=1:log_path=/nonexistent/raw:continuous=1 unlimited
try "small files only" log_path=raw 1
try "small files only, continuous" test_clock=1:log_path=raw:continuous=1 1
# The first continuous file has 390 KiB, a final one of all contexts 300 KiB.
try "file cannot grow" test_clock=1:log_path=raw:continuous=1:sync_interval_ms=5 500
cd "$directory" || exit
rm -f -- *
# PID of a program that is run by exec.
(export MEMPROF_OPTIONS=test_clock=1:log_path=raw:continuous=1:sync_interval_ms=5
  exec bash -c 'exec "$0" output "raw.$$"' "$program" 2>errors)
report "file cut off" $?
rm -f -- *
MEMPROF_OPTIONS=log_path=stdout "$program" output >/dev/full 2>errors
report "full device" $?
rm -f -- *
(MEMPROF_OPTIONS=log_path=stdout "$program" output 2>errors; echo $? >status) | true
report "closed pipe" "$(cat status)"
rm -f -- *
: >errors
MEMPROF_OPTIONS=log_path=/nonexistent/raw "$program" output 2>&-
report "no standard error" $?
