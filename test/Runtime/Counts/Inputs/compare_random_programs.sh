#!/usr/bin/env bash
# Makes random programs and compares what clang's own -fmemory-profile and ours
# count of them, both over our runtime: they must agree exactly.
#
# usage: compare_random_programs.sh COMPILER LLVM-PROFDATA CONFIG DIR FIRST LAST
#
# FIRST and LAST are seeds; each takes about three seconds, at a level of
# optimization that depends on the seed. A program that differs stays in DIR. A
# longer run: FIRST=1 LAST=1000. With HISTOGRAMS=1 in the environment, compiled for
# histograms, which must agree, too.
set -euo pipefail
compiler=$1 profdata=$2 config=$3 dir=$4 first=$5 last=$6
here=$(dirname "$0")
levels=("-O1" "-O2" "-O3 -mavx2" "-O2 -flto=full" "-O2 -flto=thin" "-O0" "-Os")
# Vector code may gather, which clang's own does not count.
like="-Xclang -mllvm -Xclang -thermocline-generate-like-llvm"
debug="-gmlt -fdebug-info-for-profiling -fno-omit-frame-pointer
       -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls
       -funique-internal-linkage-names"
theirs="" ours="" compare=""
if [[ -n ${HISTOGRAMS:-} ]]; then
  theirs="-mllvm -memprof-histogram"
  ours="-Xclang -mllvm -Xclang -thermocline-generate-histogram"
  compare="--histograms"
fi
mkdir -p "$dir"
different=0
for ((seed = first; seed <= last; ++seed)); do
  at="$dir/$seed"
  flags="-w -fuse-ld=lld ${levels[seed % ${#levels[@]}]}"
  python3 "$here/random_program.py" $seed >"$at.cpp"
  "$compiler" $debug -fmemory-profile $theirs $flags -c "$at.cpp" -o "$at.o"
  "$compiler" --config="$config" $flags "$at.o" -o "$at.b"
  "$compiler" --config="$config" $flags $like $ours "$at.cpp" -o "$at.c"
  rm -f "$at".[bc].raw.*
  # Nested loops may multiply to more than anyone wants to wait for.
  status=0
  MEMPROF_OPTIONS="log_path=$at.b.raw" timeout 10 "$at.b" >"$at.b.out" ||
    status=$?
  if ((status == 124)); then
    echo "seed $seed: left out, runs too long"
    rm -f "$at".*
    continue
  elif ((status != 0)); then
    echo "seed $seed: $at.b ended with $status"
    exit 1
  fi
  MEMPROF_OPTIONS="log_path=$at.c.raw" timeout 60 "$at.c" >"$at.c.out"
  cmp "$at.b.out" "$at.c.out"
  if python3 "$here/../../Inputs/compare_profiles.py" "$profdata" "$at.b" "$at".b.raw.* \
    "$at.c" "$at".c.raw.* $compare >"$at.txt"; then
    tail -n 1 "$at.txt" | sed "s/^/seed $seed, ${levels[seed % ${#levels[@]}]}: /"
    rm -f "$at".*
  else
    different=$((different + 1))
    echo "seed $seed, ${levels[seed % ${#levels[@]}]}: different, see $at.*:"
    head -n 10 "$at.txt"
  fi
done
echo "$((last - first + 1)) programs, $different differ"
exit $((different != 0))
