#!/usr/bin/env bash
# Sets up, then runs every test. The last line says how many passed and failed.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh

build=${THERMOCLINE_BUILD:-build/release}
ninja -C "$build" test-depends
results=$(mktemp)
trap 'rm -f "$results"' EXIT
status=0
/usr/lib/llvm-22/bin/lit -v --no-progress-bar -o "$results" "$build/test" || status=$?

python3 - "$results" "$status" <<'PY'
import collections, json, sys

tests = json.load(open(sys.argv[1]))["tests"]
codes = collections.Counter(test["code"] for test in tests)
passed = codes["PASS"] + codes["FLAKYPASS"]
failed = len(tests) - passed  # A skipped test is a failure here.
for test in tests:
    if test["code"] not in ("PASS", "FLAKYPASS"):
        print("FAILED: %s (%s)" % (test["name"], test["code"]))
print("%d passed, %d failed" % (passed, failed))
sys.exit(1 if failed or not passed or sys.argv[2] != "0" else 0)
PY
