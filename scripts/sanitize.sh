#!/usr/bin/env bash
# sanitize.sh [FOLDER...]: builds tools, linker and unit tests with AddressSanitizer and
# UndefinedBehaviorSanitizer in build/sanitizers, and runs the tests in these folders of
# test/, by default the unit tests. The runtimes and the plugins of clang and other
# linkers are not sanitized (cmake/ThermoclineSanitize.cmake).
set -euo pipefail
cd "$(dirname "$0")/.."

folders=("$@")
((${#folders[@]})) || folders=(unit)

export THERMOCLINE_PRESET=sanitizers THERMOCLINE_BUILD=build/sanitizers
scripts/setup.sh all test-depends
/usr/lib/llvm-22/bin/lit -sv "${folders[@]/#/$THERMOCLINE_BUILD/test/}"
