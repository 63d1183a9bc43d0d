#!/usr/bin/env bash
# each-linker.sh COMMAND: runs the command for GNU ld, gold and mold, whose name it
# finds in $LINKER. The first that fails ends it and is named.
for LINKER in ${LINKERS:-bfd gold mold}; do
  export LINKER
  bash -euo pipefail -c "$1" || { echo "error: failed with ld.$LINKER: $1" >&2; exit 1; }
done
