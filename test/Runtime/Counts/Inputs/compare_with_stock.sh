#!/usr/bin/env bash
# Builds a program with clang's own -fmemory-profile and with ours, and compares
# what the two profiles say of each context.
#
# usage: compare_with_stock.sh COMPILER LLVM-PROFDATA CONFIG DIR SOURCE[,SOURCE]...
#            [FLAG...]
#
# Three profiles are made: (A) stock instrumentation and runtime, (B) stock
# instrumentation and our runtime, (C) ours and ours. B and C must agree exactly;
# A and B too, under count_like_llvm=1, which makes our runtime read its counters
# the way LLVM's does, and unwind_tables=0, as LLVM's walks by frame pointers
# alone. COMPARE_OPTIONS go to compare_profiles.py.
#
# HISTOGRAMS=all in the environment compiles for histograms, and compares them,
# too; HISTOGRAMS=instrumentation leaves the comparison of A and B out, as LLVM's
# runtime adds what memory functions access to the wrong counters.
set -euo pipefail
compiler=$1 profdata=$2 config=$3 dir=$4
IFS=, read -ra sources <<<"$5"
shift 5
compare="$(dirname "$0")/../../Inputs/compare_profiles.py"
debug="-gmlt -fdebug-info-for-profiling -fno-omit-frame-pointer
       -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls
       -funique-internal-linkage-names -cxx-isystem $(dirname "$config")/libstdc++"
histogram=()
if [[ -n ${HISTOGRAMS:-} ]]; then
  histogram=(-Xclang -mllvm -Xclang -memprof-histogram
    -Xclang -mllvm -Xclang -thermocline-generate-histogram)
  COMPARE_OPTIONS="${COMPARE_OPTIONS:-} --histograms"
fi
rm -rf "$dir"
mkdir -p "$dir"
objects=()
for source in "${sources[@]}"; do
  objects+=("$dir/stock-${#objects[@]}.o")
  "$compiler" $debug -fmemory-profile "${histogram[@]:0:4}" "$@" -c "$source" \
    -o "${objects[-1]}"
done
"$compiler" -fmemory-profile -fuse-ld=lld -Wl,--build-id "$@" "${objects[@]}" \
  -o "$dir/stock" -pthread
"$compiler" --config="$config" -fuse-ld=lld "$@" "${objects[@]}" -o "$dir/mixed" \
  -pthread
# Vector code may gather, which clang's own does not count.
"$compiler" --config="$config" -fuse-ld=lld "${histogram[@]:4}" "$@" \
  "${sources[@]}" -o "$dir/ours" -pthread \
  -Xclang -mllvm -Xclang -thermocline-generate-like-llvm

run() { # name, program, options
  MEMPROF_OPTIONS="log_path=$dir/$1.raw$3" "$dir/$2" >"$dir/$1.out"
}
run a stock ""
run b mixed ""
run b-like mixed ":count_like_llvm=1:unwind_tables=0"
run c ours ""
cmp "$dir/a.out" "$dir/c.out"
echo "our runtime, stock instrumentation against ours:"
python3 "$compare" "$profdata" "$dir/mixed" "$dir"/b.raw.* "$dir/ours" \
  "$dir"/c.raw.* ${COMPARE_OPTIONS:-}
[[ ${HISTOGRAMS:-} != instrumentation ]] || exit 0
echo "stock instrumentation, stock runtime against ours:"
python3 "$compare" "$profdata" "$dir/stock" "$dir"/a.raw.* "$dir/mixed" \
  "$dir"/b-like.raw.* ${COMPARE_OPTIONS:-}
