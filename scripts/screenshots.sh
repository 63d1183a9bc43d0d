#!/usr/bin/env bash
# Makes the pictures of docs/images, of the page of the example's link. Run
# scripts/demo.sh first.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/viewers.sh

build=$PWD/${THERMOCLINE_BUILD:-build/release}
demo=$build/demo
if [ ! -e "$demo/report.html" ]; then
  echo "error: there is no $demo/report.html; run scripts/demo.sh first" >&2
  exit 1
fi
mkdir -p docs/images
node scripts/screenshots.mjs "$demo/report.html" docs/images
ls -l docs/images
