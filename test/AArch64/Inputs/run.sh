#!/bin/sh
# run.sh EMULATOR THERMO-PROFDATA CONTEXTS EXPECTED PROGRAM: runs a profiled program, and compares its
# contexts with those of another profile.
set -e
ulimit -c 0
MEMPROF_OPTIONS=log_path=$5.raw $1 "$5"
"$2" merge --binary="$5" "$5".raw.* -o "$5.profile"
$3 "$5.profile" >"$5.contexts"
diff "$4" "$5.contexts"
