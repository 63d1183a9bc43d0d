#!/usr/bin/env bash
# make-indexed-seeds.sh BUILD: writes corpus/indexed-profile, corpus/call-table and
# corpus/data-types anew: the profile of a program whose memory is touched at
# different times, exact and sampled, in each version of the memory profile that
# merge writes, and its tables of calls and of types. Times and windows differ each time;
# run it when the format has something new, and commit what it wrote.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")"
source=$PWD/../EndToEnd/Placement/Inputs/known-answers.cpp
inputs=$PWD/../Profile/Inputs
corpus=$PWD/corpus/indexed-profile
calls=$PWD/corpus/call-table
types=$PWD/corpus/data-types
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$corpus" "$calls" "$types"
mkdir -p "$corpus" "$calls" "$types"

/usr/lib/llvm-22/bin/clang++ --config="$build/config/thermocline-generate.cfg" -O2 "$source" -o "$work/program"
cd "$work"
MEMPROF_OPTIONS=touch_windows=1:log_path=exact ./program list 0.1 >/dev/null
MEMPROF_OPTIONS=touch_windows=1:sample=50:log_path=sampled ./program warm 0.1 >/dev/null

# seed NAME KIND OPTION...: merges the raw profiles KIND.* into a seed.
seed() {
  local name=$1 kind=$2
  shift 2
  "$build/bin/thermo-profdata" merge --quiet --binary=program "$@" -o "$corpus/$name.memprofdata" "$kind".*
}

for version in 2 3 4; do
  seed "windows-version-$version" exact --memprof-version="$version"
done
seed windows-sampled sampled --phase=steady --goal=memory
seed windows-hot-cold exact --memprof-hot-cold-schema

# With accesses to static data.
"$build/bin/thermo-profdata" merge --quiet -o "$corpus/static-data.memprofdata" \
  "$inputs/static-data-1.yaml"

# Of several binaries, with windows and without.
echo 'char *volatile P; int main() { P = new char[9]; }' > other.cpp
/usr/lib/llvm-22/bin/clang++ --config="$build/config/thermocline-generate.cfg" -O2 other.cpp -o other
MEMPROF_OPTIONS=touch_windows=0:log_path=other ./other
"$build/bin/thermo-profdata" merge --quiet --binary=program --binary=other \
  -o "$corpus/binaries-and-windows.memprofdata" exact.* other.*[0-9]
MEMPROF_OPTIONS=touch_windows=0:log_path=plain ./program list 0.1 >/dev/null
"$build/bin/thermo-profdata" merge --quiet --binary=program --binary=other \
  -o "$corpus/binaries.memprofdata" plain.* other.*[0-9]

# With commands that were recorded, of two merges.
for day in 1 2; do
  touch -d "2026-01-0$day 03:04 UTC" plain.*
  "$build/bin/thermo-profdata" merge --quiet --binary=program --command="./program list $day" \
    -o "day.$day" plain.*
done
"$build/bin/thermo-profdata" merge --quiet -o "$corpus/commands.memprofdata" day.1 day.2

# The calls of a program's source: in the program, in a profile, and inside of that.
/usr/lib/llvm-22/bin/llvm-objcopy --dump-section=.thermocline.calls="$calls/section" program
cp "$corpus/binaries.memprofdata" "$calls/indexed"
python3 - "$calls" <<'PYTHON'
import struct
import sys

def uleb(number):
    more = number >= 0x80
    return bytes([number & 0x7F | 0x80 * more]) + (uleb(number >> 7) if more else b"")

# Two versions of function 5 and one of 6; function 9 is ambiguous.
payload = uleb(4711) + uleb(3) + uleb(5) + uleb(1) + uleb(3) + uleb(1) + struct.pack("<Q", 9)
for function, calls in (5, [(3, 7)]), (5, [(3, 7), (4, 9)]), (6, []):
    payload += struct.pack("<QQIII", function, 0, 77, 1, 2) + uleb(0)
    payload += uleb(2) + struct.pack("<HH", 400, 300) + uleb(len(calls))  # Two variables.
    for line, column in calls:  # With a callee, a text, two words, one that is given, and more.
        payload += uleb(line) + uleb(column) + uleb(3 | 2048 | 4096 | 8192) + struct.pack("<QI", 6, 88)
        payload += uleb(2) + struct.pack("<HH", 5, 700) + uleb(1) + struct.pack("<HIH", 9, 77, 0x4005)
with open(sys.argv[1] + "/payload", "wb") as file:
    file.write(payload)
PYTHON

# The types that they allocate, in the same places.
/usr/lib/llvm-22/bin/llvm-objcopy --dump-section=.thermocline.types="$types/section" program
cp "$corpus/binaries.memprofdata" "$types/indexed"
python3 - "$types" <<'PYTHON'
import struct
import sys

# Two types, and two functions; one call names no type.
payload = bytes([3, 0, 1]) + b"A" + bytes([5]) + b"B<A *"
for function, calls in (5, [(3, 7, 1), (3, 9, 2)]), (6, [(1, 1, 0)]):
    payload += struct.pack("<QB", function, len(calls))
    for line, column, name in calls:
        payload += struct.pack("<BBQB", line, column, 6, name)
with open(sys.argv[1] + "/payload", "wb") as file:
    file.write(payload)
PYTHON
