# same-calls.sh READELF OPTION...: links a program of thermocline-bench-generate with
# these options in one process, and by written indexes, and compares symbols and
# relocations of each module.
set -eu
readelf=$1
shift
rm -rf program && thermocline-bench-generate -o program -modules=4 "$@" > log
cd program
modules="m0.bc m1.bc m2.bc m3.bc"
link="ld.lld -e main --unresolved-symbols=ignore-all --thinlto-memprof-max-growth=none $modules"
$link -o linked --lto-obj-path=object -mllvm -thermocline-stats 2> stats
grep -q ' [1-9][0-9,]* clones of ' stats
grep -q ' [1-9][0-9,]* targets of indirect calls called directly' stats
$link -o linked --thinlto-index-only --thinlto-memprof-backend=thermocline

listing() { # OBJECT: names alone; where they are may differ
  $readelf -rsW "$1" | awk '/R_X86_64/ { print $3, $5 } /FUNC|NOTYPE/ { print $4, $5, $6, $8 }' | sort
}
number=0
for module in $modules; do
  number=$((number + 1))
  thermo-backend -c -O2 --target=x86_64-unknown-linux-gnu -fno-pic -faddrsig \
    -ffunction-sections -fdata-sections -x ir $module \
    -fthinlto-index=$module.thinlto.bc -o $module.o
  listing $module.o > by-backend
  listing object$number > by-linker
  [ -s by-linker ]
  diff by-linker by-backend
done
