#!/usr/bin/env bash
# make-real-seeds.sh BUILD: writes corpus/raw-profile anew: raw profiles of a small
# program, built with clang's -fmemory-profile and with ours in every way that
# shows in the file. They hold addresses of this machine's libraries, and so differ
# each time; run it when the format has something new, and commit what it wrote.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")"
clang=/usr/lib/llvm-22/bin/clang
config=$build/config/thermocline-generate.cfg
preload=$build/lib/libthermocline_preload.so
corpus=$PWD/corpus/raw-profile
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$corpus"
mkdir -p "$corpus"

cat >"$work/program.c" <<'SOURCE'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((weak)) int __memprof_profile_dump(void);
__attribute__((noinline)) char *make(size_t Size) { return malloc(Size); }
static char *deep(int Depth, size_t Size) {
  char *Result = Depth ? deep(Depth - 1, Size) : make(Size);
  Result[0] = (char)Depth;
  return Result;
}
int main(int Count, char **Arguments) {
  char *Lives = make(100);
  memset(Lives, Count, 100);
  for (int I = 0; I < 300; ++I)
    ((volatile char *)Lives)[8] = 1;
  for (int I = 0; I < 5; ++I)
    free(deep(I, (size_t)I * 13));
  for (int I = 0; I < 200; ++I)
    free(make(I % 7 * 8));
  char *Moved = realloc(make(20), 1500);
  Moved[1234] = Lives[50];
  char *Aligned = aligned_alloc(256, 512);
  Aligned[256] = 1;
  if (Count > 1 && !strcmp(Arguments[1], "dump"))
    __memprof_profile_dump();
  if (Count > 1 && !strcmp(Arguments[1], "fork") && fork() == 0) {
    free(Lives);
    return 0;
  }
  free(Aligned);
  wait(NULL);
  return 0;
}
SOURCE

# seed NAME ARGUMENTS ENVIRONMENT...: runs $work/program, and takes what it leaves.
seed() {
  local name=$1 arguments=$2 file number=0
  shift 2
  (cd "$work" && env "$@" ./program $arguments)
  for file in "$work"/raw.*; do
    number=$((number + 1))
    install -m 644 "$file" "$corpus/$name-$number.memprofraw"
    rm "$file"
  done
}

for kind in plain histogram; do
  ours=() stock=()
  if [[ $kind == histogram ]]; then
    ours=(-Xclang -mllvm -Xclang -thermocline-generate-histogram)
    stock=(-mllvm -memprof-histogram)
  fi
  for mode in -pie -no-pie -static; do
    "$clang" --config="$config" -O1 $mode "${ours[@]}" "$work/program.c" -o "$work/program"
    seed "ours-$kind$mode" "" MEMPROF_OPTIONS=log_path=raw
  done
  "$clang" --config="$config" -O1 -static "${ours[@]}" "$work/program.c" -o "$work/program"
  seed "ours-$kind-fork" fork MEMPROF_OPTIONS=log_path=raw
  seed "ours-$kind-shallow" "" MEMPROF_OPTIONS=log_path=raw:malloc_context_size=1
  seed "ours-$kind-full" "" MEMPROF_OPTIONS=log_path=raw:max_contexts=2
  "$clang" -fmemory-profile -O1 "${stock[@]}" "$work/program.c" -o "$work/program" -Wl,--build-id
  seed "stock-$kind" "" MEMPROF_OPTIONS=log_path=raw
  seed "stock-$kind-dump" dump MEMPROF_OPTIONS=log_path=raw
  "$clang" -fmemory-profile -O1 "${stock[@]}" "$work/program.c" -o "$work/program" -Wl,--build-id=none
  seed "stock-$kind-no-id" "" MEMPROF_OPTIONS=log_path=raw
done
for mode in -pie -static; do
  "$clang" --config="$build/config/thermocline-generate-sampling.cfg" -O1 $mode "$work/program.c" -o "$work/program"
  seed "ours-sampled$mode" "" MEMPROF_OPTIONS=log_path=raw:sample=2
done
"$clang" -O1 "$work/program.c" -o "$work/program"
seed preloaded "" MEMPROF_OPTIONS=log_path=raw LD_PRELOAD="$preload"
seed preloaded-watched "" MEMPROF_OPTIONS=log_path=raw:page_touches=1 LD_PRELOAD="$preload"

# One without checksums of the whole, whose last part ends in the midst of what fills it up.
python3 - "$corpus/ours-plain-pie-1.memprofraw" "$corpus/windows-cut-in-padding" <<'CUT'
import struct, sys
whole = open(sys.argv[1], "rb").read()
header, checksums, sets = 48, 24, 144
magic, version, total, segments, records, stacks = struct.unpack("<6Q", whole[:header])
assert whole[header:header + 8] == b"tcchecks" and segments == header + checksums
cut = 3
body = whole[segments:stacks - cut] + whole[stacks:total - sets]
with open(sys.argv[2], "wb") as out:
    out.write(struct.pack("<6Q", magic, version, header + len(body), header, records - checksums,
                          stacks - checksums - cut) + body)
CUT
