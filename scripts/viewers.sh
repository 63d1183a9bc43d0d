#!/usr/bin/env bash
# Installs programs that read what the tools write for people to look at, for
# tests: pprof's format description with protoc, DHAT's viewer, speedscope's
# schema, a reader of collapsed stacks, and the browser that opens reports.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(protobuf-compiler golang-github-google-pprof-dev valgrind chromium)
# What reads our packages: what Debian's are made with and judged by, build systems, manual
# pages.
packages+=(dpkg-dev autoconf autoconf-archive file lintian pkg-config meson bazel-bootstrap bazel-rules-java groff-base zsh ccache)
# What changes optimized programs.
packages+=(bolt-22)
# Other packages of Node.js bring npm with them, and do not go with Debian's.
command -v npm >/dev/null || packages+=(nodejs npm)
scripts/install.sh "${packages[@]}"

readers=${THERMOCLINE_BUILD:-build/release}/viewers
wanted="ajv@8.20.0 speedscope@1.25.0 stackvis@0.5.0"
if [ "$(cat "$readers/installed" 2>/dev/null)" != "$wanted" ]; then
  echo "Installing: $wanted"
  mkdir -p "$readers"
  # shellcheck disable=SC2086
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$readers" \
    $wanted >/dev/null
  echo "$wanted" >"$readers/installed"
fi
