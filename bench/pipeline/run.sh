#!/usr/bin/env bash
# The whole pipeline beside stock LLVM's MemProf on examples/pkgindex: what is
# profiled, hinted and touched, and how long the query phase takes. All programs
# use our allocator, the only packaged one that takes hints, with pages of 4 KiB:
# a huge page counts as touched as a whole. Medians of interleaved runs.
# usage: bench/pipeline/run.sh [BUILD-DIRECTORY [RUNS]]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
runs=${2:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
llvm=/usr/lib/llvm-22/bin
input=/var/lib/dpkg/status
[ -s "$input" ] || input=$root/examples/pkgindex/status.sample
alloc=$build/lib/libthermocline_alloc.a

example() { # NAME COMPILER-FLAGS LINK-FLAGS LIBRARIES
  make -s -j2 -C "$root/examples/pkgindex" BUILD="$work/$1" \
    CFLAGS="-O2 $2" CXXFLAGS="-O2 $2" LDFLAGS="$3" LDLIBS="$4" >"$1.log" 2>&1 ||
    { cat "$1.log" >&2; exit 1; }
}

# Profiles.
example generate-stock "-fmemory-profile -gmlt -fdebug-info-for-profiling -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls" "" ""
example generate-thermocline "--config=$build/config/thermocline-generate.cfg" "" ""
MEMPROF_OPTIONS=log_path=stock.raw generate-stock/pkgindex "$input" >/dev/null 2>&1
MEMPROF_OPTIONS=log_path=thermocline.raw generate-thermocline/pkgindex "$input" >/dev/null
$llvm/llvm-profdata merge --profiled-binary=generate-stock/pkgindex \
  stock.raw* -o stock.memprofdata
"$build/bin/thermo-profdata" merge --quiet --binary=generate-thermocline/pkgindex \
  -o thermocline.memprofdata thermocline.raw*

# Programs. Stock LLVM by its own thresholds (200 s), then by Thermocline's as far as its
# options go: any lifetime, one access per byte and second.
stock_use="-flto=thin -gmlt -fdebug-info-for-profiling -fmemory-profile-use=$work/stock.memprofdata"
tuned="-mllvm -memprof-ave-lifetime-cold-threshold=0"
tuned+=" -mllvm -memprof-lifetime-access-density-cold-threshold=1"
stock_link="-fuse-ld=lld -Wl,-mllvm,-enable-memprof-context-disambiguation"
stock_link+=" -Wl,-mllvm,-supports-hot-cold-new -Wl,-mllvm,-optimize-hot-cold-new"
# Stock lld must take the operators from the archive before LTO.
stock_link+=" -Wl,-u,_Znwm12__hot_cold_t -Wl,-u,_Znam12__hot_cold_t"
example plain "-flto=thin" "-fuse-ld=lld" "$alloc"
example stock "$stock_use" "$stock_link" "$alloc"
example stock-tuned "$stock_use $tuned" "$stock_link" "$alloc"
example thermocline "--config=$build/config/thermocline-use.cfg -fmemory-profile-use=$work/thermocline.memprofdata" "" "$alloc"

variants="plain stock stock-tuned thermocline"
for ((run = 0; run < runs; ++run)); do
  for v in $variants; do
    THERMOCLINE_ALLOC_HUGE_PAGES=0 THERMOCLINE_ALLOC_STATS=$work/$v.stats \
      "$v/pkgindex" --pages --time "$input" >"$v.out"
    sed -n 's/^times:.*queries \([0-9.]*\) s/\1/p' "$v.out" >>"$v.seconds"
    sed -n 's/^query phase: referenced \([0-9]*\) KiB.*/\1/p' "$v.out" >>"$v.kib"
    grep '^answered' "$v.out" >>answers
  done
  for v in stock thermocline; do
    for p in generate-$v; do
      start=$(date +%s%N)
      MEMPROF_OPTIONS=log_path=$work/timing.raw $p/pkgindex "$input" >/dev/null 2>&1
      echo $((($(date +%s%N) - start) / 1000000)) >>"$p.ms"
      rm -f timing.raw*
    done
  done
  start=$(date +%s%N)
  plain/pkgindex "$input" >/dev/null
  echo $((($(date +%s%N) - start) / 1000000)) >>plain.ms
done
[ "$(sort -u answers | wc -l)" = 1 ] || { echo "answers differ" >&2; exit 1; }

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
printf 'Profiling, wall time of a run: stock %.2fx, Thermocline %.2fx of plain (%d ms)\n' \
  "$(echo "$(median generate-stock.ms) $(median plain.ms)" | awk '{ print $1 / $2 }')" \
  "$(echo "$(median generate-thermocline.ms) $(median plain.ms)" | awk '{ print $1 / $2 }')" \
  "$(median plain.ms)"
printf '%-12s %12s %11s %16s %14s %10s\n' program 'text, bytes' 'cold calls' 'cold bytes' \
  'touched, KiB' 'queries'
plain_seconds=$(median plain.seconds)
for v in $variants; do
  read -r calls bytes < <(awk '/ kind=total/ {
      for (i = 1; i <= NF; ++i) { split($i, f, "="); v[f[1]] = f[2] }
      print v["cold_calls"], v["cold_bytes"]; found = 1
    } END { if (!found) print 0, 0 }' "$v.stats")
  printf '%-12s %12d %11d %16d %14d %9.2fx\n' $v \
    "$($llvm/llvm-size -A "$v/pkgindex" | awk '$1 == ".text" { print $2 }')" \
    "$calls" "$bytes" "$(median $v.kib)" \
    "$(median $v.seconds | awk -v p="$plain_seconds" '{ print $1 / p }')"
done
