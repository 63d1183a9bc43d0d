#!/usr/bin/env bash
# pipeline.sh BUILD LLVM-BIN LIBEXEC OUT SOURCE...
#
# Takes a test program through every stage and fails at the first thing that is
# not as it must be: the answers of the four builds (plain, profiled, optimized
# with Record.cpp as allocator, optimized with libthermocline_alloc) must be
# equal, and the audit must find no false cold. Prints the audit's summary, then
# the table of Record.cpp. From the environment:
#   FLAGS    for all compiles and links (default -O2)
#   STANDARD of the C++ sources (default c++20)
#   SHARED   sources that are linked into a shared library of their own
#   LIBS     for all links
#   ANNOTATE flags of the optimized build's compiles in place of the config file
#   NATIVE   sources that are compiled by stock clang in all builds
#   MEMPROF_OPTIONS_MORE  for the profiled run
#   EDITED   sources into whose functions blank lines come once the profile is there:
#            EDITED_LINES each, or 50
#   LINKERS  of bfd, gold and mold, those that link the optimized objects too, with
#            our plugin: every hint and every answer must be the same
#   CACHE    if set, it is linked twice more with a cache of ThinLTO, which the second
#            link must take all from: the same program each time
#   DISTRIBUTED  if set, it is linked by --thinlto-index-only, one thermo-backend a
#            module, and stock lld too, and must do the same at run time
#   DTLTO    if set, our ld.lld has examples/distributed's distributor for GNU parallel
#            compile with thermo-backend, and the program must do the same at run time
#   FULL     if set, the program is optimized by -flto=full too, and what it does
#            at run time must be the same: every hint, every answer. If it is "more",
#            hints may be others, as there coroutines are split before the link. None
#            may be of warm memory, and what lands on the cold heap must be what the
#            link's report promises, or some of what it says may be hinted besides.
#            The table of Record.cpp is printed for -flto=full too, last
#   RUN      if set, the optimized program also runs with the profiling runtime under
#            the hinted functions, and thermo-profdata compares the stack of each
#            call with the profile; its table is printed last
#   RUN_EVERY_WAY  if set, beside RUN, so does the program of each other way to link that
#            is asked for; its table must be the same
set -euo pipefail
build=$1 llvm=$2 libexec=$3 out=$4
shift 4
inputs=$(dirname "$0")
read -ra flags <<< "${FLAGS--O2}"
read -ra libs <<< "${LIBS-}"
read -ra shared <<< "${SHARED-}"
read -ra native <<< "${NATIVE-}"
sources=("$@" "$inputs/Truth.c")
mkdir -p "$out"
export LC_ALL=C

compiler() { # SOURCE
  case "$1" in
    *.c) echo "$llvm/clang" ;;
    *) echo "$llvm/clang++ -std=${STANDARD-c++20}" ;;
  esac
}

driver=$llvm/clang
for source in "${sources[@]}" "${shared[@]}" "${native[@]}"; do
  case "$source" in *.cpp) driver=$llvm/clang++ ;; esac
done

# compile VARIANT FLAG...: the flags come last; sets objects and, if there is one, the library.
compile() {
  local variant=$1 source
  shift
  mkdir -p "$out/$variant"
  objects=() library_objects=()
  for source in "${sources[@]}" "${shared[@]}"; do
    local object=$out/$variant/$(basename "$source").o
    local position=()
    if [[ " ${shared[*]} " == *" $source "* ]]; then
      position=(-fPIC)
      library_objects+=("$object")
    else
      objects+=("$object")
    fi
    $(compiler "$source") "${flags[@]}" "$@" "${position[@]}" -I"$inputs" -c "$source" -o "$object"
  done
  for source in "${native[@]}"; do
    $(compiler "$source") "${flags[@]}" -I"$inputs" -c "$source" -o "$out/$variant/$(basename "$source").o"
    objects+=("$out/$variant/$(basename "$source").o")
  done
  library=()
  if [ ${#library_objects[@]} -gt 0 ]; then
    $driver "${flags[@]}" "$@" -shared "${library_objects[@]}" -o "$out/$variant/libpart.so"
    library=("$out/$variant/libpart.so" -Wl,-rpath,"$out/$variant" -Wl,--export-dynamic)
  fi
}

same_answers() { # VARIANT
  if ! diff "$out/plain.out" "$out/$1.out"; then
    echo "error: $1 answers differently" >&2
    exit 1
  fi
}

compile plain
$driver "${flags[@]}" -fuse-ld=lld "${objects[@]}" "${library[@]}" "${libs[@]}" -o "$out/plain/program"
"$out/plain/program" > "$out/plain.out"

config=--config=$build/config/thermocline-generate.cfg
compile generate "$config"
$driver "$config" "${flags[@]}" -fuse-ld=lld "${objects[@]}" "${library[@]}" "${libs[@]}" -o "$out/generate/program"
rm -f "$out"/memprofraw.*
MEMPROF_OPTIONS=test_clock=1:touch_windows=0:log_path=$out/memprofraw${MEMPROF_OPTIONS_MORE:+:$MEMPROF_OPTIONS_MORE} "$out/generate/program" > "$out/generate.out"
same_answers generate
binary=$out/generate/program
[ ${#shared[@]} -eq 0 ] || binary=${BINARY-$binary}
"$build/bin/thermo-profdata" merge --quiet --binary="$binary" -o "$out/profile" "$out"/memprofraw.*
"$build/bin/thermo-profdata" show --all --binary="$binary" "$out/profile" > "$out/profile.txt"
for source in ${EDITED-}; do
  sed -i '/{$/s/$/'"$(printf '\\n%.0s' $(seq "${EDITED_LINES-50}"))"'/' "$source"
done

config=--config=$build/config/thermocline-use.cfg
# At -O0 nothing is hinted unless asked for, of the compiler and of the link.
asks=() link_asks=() plugin_asks=()
case " ${flags[*]} " in
*" -O0 "*)
  asks=(-Xclang -mllvm -Xclang -thermocline-use-at-O0)
  link_asks=(-Wl,--thinlto-memprof=on)
  plugin_asks=(-Wl,-plugin-opt=-thinlto-memprof=on)
  ;;
esac
read -ra annotate <<< "${ANNOTATE-$config ${asks[*]}}"
compile use "${annotate[@]}" -fmemory-profile-use="$out/profile"
"$llvm/clang++" -std=c++20 -O1 -fno-builtin -I"$inputs" -c "$inputs/Record.cpp" -o "$out/record.o"
link=("$driver" "$config" "${flags[@]}" "${objects[@]}" "${library[@]}" "${libs[@]}" "${link_asks[@]}")
case " ${flags[*]} " in
*" -static "*) # glibc's malloc cannot be wrapped there.
  "${link[@]}" -Wl,--thinlto-emit-index-files "$build/lib/libthermocline_alloc.a" -o "$out/use/program" ;;
*)
  "${link[@]}" -Wl,--thinlto-emit-index-files -Wl,-mllvm,-thermocline-stats \
    -Wl,--thinlto-memprof-report="$out/report.txt" \
    "$out/record.o" -lstdc++ -o "$out/use/program" 2> "$out/link.txt" ||
    { cat "$out/link.txt" >&2; exit 1; }
  TRUTH=$out/truth.txt "$out/use/program" > "$out/use.out"
  same_answers use
  "${link[@]}" "$build/lib/libthermocline_alloc.a" -o "$out/use/program-alloc"
  ;;
esac
program=$out/use/program-alloc
[ -e "$program" ] || program=$out/use/program
THERMOCLINE_ALLOC_STATS=$out/alloc.txt "$program" > "$out/alloc.out"
same_answers alloc

same_hints() { # VARIANT WHAT: runs it
  TRUTH=$out/$1-truth.txt "$out/use/program-$1" > "$out/$1.out"
  same_answers "$1"
  if ! diff "$out/truth.txt" "$out/$1-truth.txt"; then
    echo "error: $2 hints differently" >&2
    exit 1
  fi
}

if [ -n "${CACHE-}" ]; then
  rm -rf "$out/cache"
  for time in first second; do
    "${link[@]}" -Wl,--thinlto-cache-dir="$out/cache" "$out/record.o" -lstdc++ -Wl,-mllvm,-thermocline-stats \
      -o "$out/use/program-$time" 2> "$out/$time-link.txt"
    same_hints "$time" "a link with a cache ($time)"
    ls "$out/cache" | grep -v timestamp > "$out/$time-files.txt"
  done
  cmp "$out/use/program-first" "$out/use/program-second"
  diff "$out/first-files.txt" "$out/second-files.txt"
  grep -q "0 modules compiled" "$out/second-link.txt" || { cat "$out/second-link.txt" >&2; exit 1; }
fi

# link_distributed VARIANT PROGRAM ARGUMENT...: by written indexes. The arguments go
# into both links.
link_distributed() {
  local variant=$1 program=$2 object index natives=()
  shift 2
  local indexes=$out/$variant-distributed
  mkdir -p "$indexes"
  "${link[@]}" "$@" -Wl,--thinlto-index-only="$indexes/list" -Wl,--thinlto-memprof-backend=thermocline \
    -Wl,--thinlto-prefix-replace="$out/$variant/;$indexes/" -o "$program"
  for object in "${objects[@]}"; do
    index=$indexes/$(basename "$object").thinlto.bc
    if [ ! -e "$index" ]; then
      natives+=("$object")
      continue
    fi
    natives+=("$indexes/$(basename "$object").native.o")
    "$build/bin/thermo-backend" -Wno-unused-command-line-argument "${flags[@]}" -c -x ir "$object" \
      -fthinlto-index="$index" -o "${natives[-1]}"
  done
  "$driver" "${flags[@]}" -fuse-ld=lld "${natives[@]}" "${library[@]}" "${libs[@]}" "$@" \
    "$build/lib/libthermocline_hints.a" -o "$program"
}

link_dtlto() { # PROGRAM ARGUMENT...: by a distributor
  local program=$1
  shift
  PARALLEL_HOME=$out "${link[@]}" "$@" \
    -Wl,--thinlto-distributor="$inputs/../../../examples/distributed/parallel/distributor.py" \
    -Wl,--thinlto-remote-compiler="$build/bin/thermo-backend" -o "$program"
}

link_plugin() { # LINKER PROGRAM ARGUMENT...
  local linker=$1 program=$2
  shift 2
  "$driver" --config="$build/config/thermocline-use-$linker.cfg" "${flags[@]}" \
    "${objects[@]}" "${library[@]}" "${libs[@]}" "${plugin_asks[@]}" "$@" -o "$program"
}

if [ -n "${DISTRIBUTED-}" ]; then
  link_distributed use "$out/use/program-distributed" "$out/record.o" -lstdc++
  same_hints distributed "a distributed link"
fi

if [ -n "${DTLTO-}" ]; then
  link_dtlto "$out/use/program-dtlto" "$out/record.o" -lstdc++
  same_hints dtlto "a link by a distributor"
fi

for linker in ${LINKERS-}; do
  link_plugin "$linker" "$out/use/program-$linker" "$out/record.o" -lstdc++ \
    -Wl,-plugin-opt=-thinlto-memprof-report="$out/$linker-report.txt"
  same_hints "$linker" "ld.$linker"
  if ! diff "$out/report.txt" <(sed "1s|/program-$linker,|/program,|" "$out/$linker-report.txt"); then
    echo "error: ld.$linker decides differently" >&2
    exit 1
  fi
done

judge_full() { # by what it does with libthermocline_alloc
  "$driver" "$config" "${flags[@]}" -flto=full "${objects[@]}" "${library[@]}" "${libs[@]}" "${link_asks[@]}" \
    -Wl,--thinlto-memprof-report="$out/full-report.json" "$build/lib/libthermocline_alloc.a" -o "$out/full/program-alloc"
  THERMOCLINE_ALLOC_STATS=$out/full-alloc.txt "$out/full/program-alloc" > "$out/full-alloc.out"
  same_answers full-alloc
  python3 - "$out" << 'END'
import json, re, sys
said = json.load(open(sys.argv[1] + "/full-report.json"))
total = re.search("kind=total .* cold_bytes=([0-9]+)", open(sys.argv[1] + "/full-alloc.txt").read())
promised, perhaps = said["coldToCold"]["bytes"], said["coldIfPointer"]["bytes"]
if not promised <= int(total[1]) <= promised + perhaps:
    sys.exit("error: -flto=full promises %d bytes and perhaps %d, and %s are cold" % (promised, perhaps, total[1]))
END
  if ! grep -q '^intent=warm .* hinted=0$' "$out/full-truth.txt"; then
    cat "$out/full-truth.txt" >&2
    echo "error: -flto=full hints warm memory" >&2
    exit 1
  fi
}

if [ -n "${FULL-}" ]; then
  compile full "$config" "${asks[@]}" -fmemory-profile-use="$out/profile" -flto=full
  "$driver" "$config" "${flags[@]}" -flto=full "${objects[@]}" "${library[@]}" "${libs[@]}" "${link_asks[@]}" \
    -Wl,-mllvm,-thermocline-stats -Wl,--thinlto-memprof-report="$out/full-report.txt" \
    "$out/record.o" -lstdc++ -o "$out/full/program" 2> "$out/full-link.txt" ||
    { cat "$out/full-link.txt" >&2; exit 1; }
  TRUTH=$out/full-truth.txt "$out/full/program" > "$out/full.out"
  same_answers full
  if [ "$FULL" = more ]; then
    judge_full
  elif ! diff "$out/truth.txt" "$out/full-truth.txt"; then
    echo "error: -flto=full hints differently" >&2
    exit 1
  fi
fi

"$build/bin/thermo-lto" audit --profile="$out/profile" "$out"/use/*.thinlto.bc > "$out/audit.txt" ||
  { cat "$out/audit.txt" >&2; exit 1; }
cat "$out/audit.txt"
[ ! -e "$out/truth.txt" ] || cat "$out/truth.txt"
if [ "${FULL-}" = more ]; then
  echo "-flto=full:"
  cat "$out/full-truth.txt"
fi

audit_run() { # VARIANT: of the program $out/run/program-VARIANT
  rm -f "$out/ran-$1".*
  MEMPROF_OPTIONS=test_clock=1:touch_windows=0:log_path=$out/ran-$1 "$out/run/program-$1" > "$out/run-$1.out"
  same_answers "run-$1"
  "$build/bin/thermo-profdata" audit --binary="$out/run/program-$1" "$out/profile" "$out/ran-$1".* \
    > "$out/run-$1.txt" || { cat "$out/run-$1.txt" >&2; exit 1; }
}

same_run() { # VARIANT: what it makes of contexts in the profile
  audit_run "$1"
  if ! diff <(grep '^\(not \)\?cold ->' "$out/run-linked.txt") <(grep '^\(not \)\?cold ->' "$out/run-$1.txt"); then
    echo "error: $1 hints other stacks" >&2
    exit 1
  fi
}

if [ -n "${RUN-}" ]; then
  whole=(-fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls
    -Xclang -mllvm -Xclang -thermocline-use-for-audit)
  compile run "$config" "${asks[@]}" -fmemory-profile-use="$out/profile" "${whole[@]}"
  # An instrumented module starts the runtime.
  "$llvm/clang" --config="$build/config/thermocline-generate.cfg" -x c -c /dev/null -o "$out/run/start.o"
  runtime=("$out/run/start.o" -Wl,--whole-archive "$build/lib/libthermocline_profile.a" -Wl,--no-whole-archive -Wl,--build-id)
  link=("$driver" "$config" "${flags[@]}" "${objects[@]}" "${library[@]}" "${libs[@]}" "${link_asks[@]}")
  "${link[@]}" "${runtime[@]}" -o "$out/run/program-linked"
  audit_run linked
  if [ -n "${RUN_EVERY_WAY-}" ]; then
    if [ -n "${CACHE-}" ]; then
      rm -rf "$out/cache"
      for time in first second; do
        "${link[@]}" "${runtime[@]}" -Wl,--thinlto-cache-dir="$out/cache" -o "$out/run/program-cached"
      done
      same_run cached
    fi
    if [ -n "${DISTRIBUTED-}" ]; then
      link_distributed run "$out/run/program-distributed" "${runtime[@]}"
      same_run distributed
    fi
    if [ -n "${DTLTO-}" ]; then
      link_dtlto "$out/run/program-dtlto" "${runtime[@]}"
      same_run dtlto
    fi
    for linker in ${LINKERS-}; do
      link_plugin "$linker" "$out/run/program-$linker" "${runtime[@]}"
      same_run "$linker"
    done
    if [ -n "${FULL-}" ]; then
      compile run-full "$config" "${asks[@]}" -fmemory-profile-use="$out/profile" "${whole[@]}" -flto=full
      "$driver" "$config" "${flags[@]}" -flto=full "${objects[@]}" "${library[@]}" "${libs[@]}" "${link_asks[@]}" "${runtime[@]}" \
        -o "$out/run/program-full"
      same_run full
    fi
  fi
  cat "$out/run-linked.txt"
fi
