#!/usr/bin/env bash
# build.sh OUT: the command lines of Bazel's cc_binary with the feature thin_lto,
# with thermo-backend where they call clang for a backend. OUT/program.prof must be
# there. Buck2's are the same, with -Wl,--thinlto-… for -Wl,-plugin-opt,thinlto-….
#
# As in Bazel, each backend runs in a folder of its own that has nothing but what
# was declared as its input: the module, its index, and the modules in .imports.
set -euo pipefail
. "$(dirname "$0")/../settings.sh"
mkdir -p "$1/bazel" && cd "$1/bazel"
cp ../program.prof .
root=$PWD objects=bin/_objs
mkdir -p "$objects"

# c++-compile. The thin link gets a file with the summary alone.
indexing=
for source in $modules; do
  $(compiler "$source") $use -O2 -fprofile-use=program.prof -flto=thin \
    -Xclang -fthin-link-bitcode="$objects/$source.indexing.o" \
    -c "$program/$source" -o "$objects/$source.o"
  indexing="$indexing $objects/$source.indexing.o"
done

# c++-link with lto-index-for-executable. Modules are named as the backends get
# them, indexes go under program.lto.
$clangxx $use -O2 -flto=thin \
  -Wl,-plugin-opt,thinlto-index-only=bin/program-lto-final.params \
  -Wl,-plugin-opt,thinlto-emit-imports-files \
  -Wl,-plugin-opt,"thinlto-prefix-replace=bin/;bin/program.lto/" \
  -Wl,-plugin-opt,"thinlto-object-suffix-replace=.indexing.o;.o" \
  -Wl,-plugin-opt,obj-path=bin/program.lto.merged.o \
  -Wl,--thinlto-memprof-backend=thermocline \
  $indexing "$allocator" -o bin/program

# lto-backend, once for each module.
for source in $modules; do
  module=$objects/$source.o lto=bin/program.lto/_objs/$source.o
  sandbox=$root/sandbox/$source
  rm -rf "$sandbox"
  for input in "$module" "$lto.thinlto.bc" $(cat "$lto.imports"); do
    mkdir -p "$sandbox/$(dirname "$input")"
    cp "$input" "$sandbox/$input"
  done
  (cd "$sandbox" && "$backend" $backend_flags -fthinlto-index="$lto.thinlto.bc" \
    -o "$lto" -x ir "$module" -Wno-unused-command-line-argument)
  cp "$sandbox/$lto" "$lto"
done

# c++-link. Objects that need no backend would be named in the params file, too.
$clangxx -fuse-ld=lld @bin/program-lto-final.params bin/program.lto.merged.o \
  "$allocator" -o bin/program
