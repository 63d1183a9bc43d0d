# compare-with-clang.sh CLANG BACKEND MODULES...: compiles each module with both
# under several sets of options, and fails at the first file that differs.
set -eu
clang=$1
backend=$2
shift 2
compared=0
while read -r options; do
  for module; do
    for compiler in "$clang" "$backend"; do
      rm -rf out && mkdir out
      # A set may have several options; none has spaces.
      $compiler $options -x ir "$module" -fthinlto-index="$module.thinlto.bc" \
        -o out/object
      rm -rf "out-$(basename "$compiler")"
      mv out "out-$(basename "$compiler")"
    done
    diff -r out-clang out-thermo-backend
    [ -s out-clang/object ]
    compared=$((compared + 1))
  done
done <<'OPTIONS'
-c -O2
-c -O0
-c -O1 -fPIC
-c -Os -fPIE -mcmodel=large
-c -O3 -march=x86-64-v3 -fno-pic -ffunction-sections -fdata-sections
-c -O2 -g -gsplit-dwarf
-c -O2 -fsave-optimization-record
-c -O2 -faddrsig -fstack-size-section -fno-unique-section-names
-c -O2 -mllvm -inline-threshold=5 -fno-vectorize -fno-unroll-loops
-c -O2 -fno-omit-frame-pointer -femulated-tls -fno-builtin
-S -O2
-S -O2 -emit-llvm
OPTIONS
[ $compared -ge 24 ]
