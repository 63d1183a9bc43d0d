#!/usr/bin/env bash
# sanitize.sh threads: runs the runtime's unit tests with threads under ThreadSanitizer,
# as the suite does.
# sanitize.sh [FOLDER...]: builds with AddressSanitizer and UndefinedBehaviorSanitizer in
# build/sanitizers, and runs the tests in these folders of test/, by default all that
# run code of ours that is sanitized: test/left_out.py lists those that are left
# out, and cmake/ThermoclineSanitize.cmake says what is not sanitized.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1-}" = threads ]; then
  scripts/setup.sh ProfileRuntimeRaces
  exec /usr/lib/llvm-22/bin/lit -v build/release/test --filter threads-do-not-race
fi

export THERMOCLINE_PRESET=sanitizers THERMOCLINE_BUILD=build/sanitizers
export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-22/bin/llvm-symbolizer
scripts/setup.sh all test-depends
scripts/viewers.sh
tests=$THERMOCLINE_BUILD/test
(($#)) || set -- .
/usr/lib/llvm-22/bin/lit -sv "${@/#/$tests/}"
