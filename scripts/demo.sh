#!/usr/bin/env bash
# The whole pipeline on real input: profiles examples/pkgindex on this machine's
# package database, links it with the profile, audits the decisions and compares
# the optimized program with the plain one. Idempotent.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

bold= plain=
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; fi
step() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }
run() { # Shows a command, then runs it.
  local word
  printf '$'
  for word in "$@"; do
    case $word in
      *=*' '*) printf " %s\n    %s='%s'" '\' "${word%%=*}" "${word#*=}" ;;
      *' '*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  "$@"
}

step "0. Set up: packages, build"
scripts/setup.sh pipeline

build=${THERMOCLINE_BUILD:-build/release}
out=$build/demo
example=examples/pkgindex
input=/var/lib/dpkg/status
[ -s "$input" ] || input=$example/status.sample
rm -rf "$out"
mkdir -p "$out"

# make runs in the example's folder: what it gets is named from there.
case $build in
  /*) from_example=$build ;;
  *) from_example=../../$build ;;
esac
make_example() { # DIRECTORY, then variables for make
  local directory=$1
  shift
  run make --no-print-directory -s -j2 -C "$example" \
    BUILD="$from_example/demo/$directory" "$@"
}

step "1. Generate: build with the profiling runtime"
make_example generate \
  CC="clang-22 --config=$from_example/config/thermocline-generate.cfg" \
  CXX="clang++-22 --config=$from_example/config/thermocline-generate.cfg"

step "2. Record: run, symbolize, merge by context, classify"
run "$build/bin/thermocline" record --phase=queries -o "$out/pkgindex.memprofdata" \
  -- "$out/generate/pkgindex" "$input"
run "$build/bin/thermo-profdata" show --top=3 --binary="$out/generate/pkgindex" \
  "$out/pkgindex.memprofdata"
run "$build/bin/thermocline" report --binary="$out/generate/pkgindex" \
  -o "$out/profile.html" "$out/pkgindex.memprofdata"

step "2b. Live: the same from a release that counts nothing, as it is"
make_example release \
  CC="clang-22 --config=$from_example/config/thermocline-release.cfg" \
  CXX="clang++-22 --config=$from_example/config/thermocline-release.cfg"
run "$build/bin/thermocline" record --live -o "$out/live.memprofdata" \
  -- "$out/release/pkgindex" "$input"

step "3. Use: ThinLTO build with the profile; our ld.lld clones and hints"
profile=$from_example/demo/pkgindex.memprofdata
make_example use \
  CC="clang-22 --config=$from_example/config/thermocline-use.cfg" \
  CXX="clang++-22 --config=$from_example/config/thermocline-use.cfg" \
  CFLAGS="-O2 -fmemory-profile-use=$profile" \
  CXXFLAGS="-O2 -fmemory-profile-use=$profile" \
  LDFLAGS="-Wl,-mllvm,-thermocline-stats -Wl,--thinlto-emit-index-files" \
  LDLIBS="$from_example/lib/libthermocline_alloc.a"

step "4. Audit: every profiled context walked through the recorded decisions"
# The indexes name the modules from where the link ran.
echo "$ cd $example && $from_example/bin/thermo-lto audit" \
  "--profile=$profile $from_example/demo/use/*.thinlto.bc"
(cd "$example" && "$from_example/bin/thermo-lto" audit --profile="$profile" \
  "$from_example"/demo/use/*.thinlto.bc)

step "5. Compare: plain ThinLTO build by stock lld against ours, same allocator"
make_example plain CFLAGS="-O2 -flto=thin" CXXFLAGS="-O2 -flto=thin" \
  LDFLAGS="-fuse-ld=lld" LDLIBS="$from_example/lib/libthermocline_alloc.a"
# Small pages, as the prediction counts.
run env THERMOCLINE_ALLOC_HUGE_PAGES=0 "$build/bin/thermocline" compare --pairs=6 \
  "$out/plain/pkgindex" "$out/use/pkgindex" -- "$input"
for variant in plain use; do
  run env THERMOCLINE_ALLOC_HUGE_PAGES=0 THERMOCLINE_ALLOC_STATS="$out/$variant.stats" \
    "$out/$variant/pkgindex" --pages "$input" | tee "$out/$variant.out"
done

echo
echo "Bytes that reached the cold heap, by kind of call:"
awk '/ kind=/ {
  for (i = 1; i <= NF; ++i) { split($i, f, "="); v[f[1]] = f[2] }
  if (v["calls"] > 0)
    printf "  %-12s %9d calls %11d bytes, of them cold %11d bytes\n",
           v["kind"], v["calls"], v["bytes"], v["cold_bytes"]
}' "$out/use.stats"

echo
if ! diff <(grep -v '^query phase' "$out/plain.out" | grep -v '^\$') \
          <(grep -v '^query phase' "$out/use.out" | grep -v '^\$'); then
  echo "error: the optimized program answers differently" >&2
  exit 1
fi
echo "Same answers from both programs."
referenced() { awk '/^query phase: referenced/ { print $4 }' "$out/$1.out"; }
plain_kib=$(referenced plain)
use_kib=$(referenced use)
echo "Heap touched in the query phase: plain $plain_kib KiB, optimized $use_kib KiB" \
  "($((100 * use_kib / plain_kib)) %)"
echo "Predicted before the link, for the objects of the program alone:"
"$build/bin/thermo-profdata" show --top=0 "$out/pkgindex.memprofdata" |
  grep '^Working set'
(cd "$example" && "$from_example/bin/thermo-lto" report --profile="$profile" \
  --measured="$from_example/demo/use.stats" --measured-pages="${plain_kib}KiB,${use_kib}KiB" \
  -o "$from_example/demo/report.html" "$from_example"/demo/use/*.thinlto.bc)
echo "Pages for a browser: $out/profile.html before the link, and $out/report.html after it"
if [ "$use_kib" -ge "$plain_kib" ]; then
  echo "error: the optimized program touches no fewer pages" >&2
  exit 1
fi
