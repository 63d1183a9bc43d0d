#!/usr/bin/env bash
# Sets up, then runs every test. The last line says how many passed and failed.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh all test-depends
scripts/aarch64.sh
scripts/viewers.sh

build=${THERMOCLINE_BUILD:-build/release}
results=$(mktemp)
trap 'rm -f "$results"' EXIT
status=0
lit=(/usr/lib/llvm-22/bin/lit -o "$results" "$build/test")
if [ -t 1 ]; then
  "${lit[@]}" -sv || status=$?
else
  "${lit[@]}" -v --no-progress-bar | scripts/progress.awk -v what="Tested" || status=$?
fi

python3 - "$results" "$status" <<'PY'
import collections, json, sys

tests = json.load(open(sys.argv[1]))["tests"]
codes = collections.Counter(test["code"] for test in tests)
passed = codes["PASS"]
failed = len(tests) - passed  # A skip or a retry is a failure here.
for test in tests:
    if test["code"] != "PASS":
        print("FAILED: %s (%s)" % (test["name"], test["code"]))
print("%d passed, %d failed" % (passed, failed))
sys.exit(1 if failed or not passed or sys.argv[2] != "0" else 0)
PY
