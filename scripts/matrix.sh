#!/usr/bin/env bash
# matrix.sh [PROGRAM...]: every way to link, on several programs, at every level,
# position-independent and not, with full debug information and line tables only.
#
# Each build must answer as the plain one does. The hints of each call at run time
# must be the same by ld.lld in one process, from its cache, by distributed
# backends run by hand and by a distributor, and by the linker plugin under GNU ld,
# gold and mold; -flto=full must hint as well as they do, and the stack of every call
# of the finished program must be one that the profile calls what it was hinted (of the
# program of every one of these ways, once at -O2). Shared libraries and static
# programs are linked where a program allows it. A PROGRAM is a test of
# test/EndToEnd/Programs, without .test.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh all test-depends
build=$PWD/${THERMOCLINE_BUILD:-build/release}
llvm=/usr/lib/llvm-22/bin
work=$build/matrix

declare -A sources=(
  [exceptions]="main.cpp maker.cpp depth.cpp"
  [virtual-calls]="main.cpp shapes.cpp pool.cpp"
  [templates]="main.cpp first.cpp second.cpp"
  [threads-and-static-init]="main.cpp pool.cpp"
  [mixed-c-and-recursion]="main.cpp format.c tree.cpp chain.c"
  [symbols-of-all-sorts]="main.cpp first.cpp second.cpp symbols.c"
)
# What goes into a shared library of its own.
declare -A shared=([symbols-of-all-sorts]=library.cpp)
declare -A further=([threads-and-static-init]="-pthread")
programs=("$@")
[ $# -gt 0 ] || programs=(exceptions virtual-calls templates threads-and-static-init
    mixed-c-and-recursion symbols-of-all-sorts)

passed=0 failed=0
try() { # NAME PROGRAM FLAGS: the rest of the environment is the caller's
  local folder=$work/$2/source paths=()
  for source in ${sources[$2]}; do paths+=("$folder/$source"); done
  if FLAGS="$3 -Wno-unused-command-line-argument ${further[$2]-}" \
      bash test/EndToEnd/Inputs/pipeline.sh "$build" "$llvm" libexec/thermocline \
      "$work/$2/$1" "${paths[@]}" > "$work/$2/$1.txt" 2>&1; then
    passed=$((passed + 1))
    echo "passed: $2 $1"
    rm -rf "${work:?}/$2/$1"
  else
    failed=$((failed + 1))
    echo "FAILED: $2 $1 (see $work/$2/$1.txt)"
  fi
}

for program in "${programs[@]}"; do
  [ -n "${sources[$program]-}" ] || { echo "matrix.sh: no program '$program'" >&2; exit 2; }
  rm -rf "${work:?}/$program"
  mkdir -p "$work/$program"
  "$llvm/split-file" "test/EndToEnd/Programs/$program.test" "$work/$program/source"
  if [ -n "${shared[$program]-}" ]; then
    for level in O0 O1 O2 O3; do
      SHARED=$work/$program/source/${shared[$program]} LINKERS="bfd gold mold" CACHE=1 DISTRIBUTED=1 DTLTO=1 FULL=1 RUN=1 \
        try "$level-shared" "$program" "-$level -fPIC"
    done
    continue
  fi
  for level in O0 O1 O2 O3; do
    for position in "-pie -fPIE" "-no-pie -fno-pie"; do
      for debug in -gmlt -g; do
        every=
        [ "$level $position $debug" != "O2 -pie -fPIE -gmlt" ] || every=1
        LINKERS="bfd gold mold" CACHE=1 DISTRIBUTED=1 DTLTO=1 FULL=1 RUN=1 RUN_EVERY_WAY=$every \
          try "$level${position%% *}$debug" "$program" "-$level $position $debug"
      done
    done
    try "$level-static" "$program" "-$level -static"
  done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
