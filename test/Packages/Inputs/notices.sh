#!/usr/bin/env bash
# notices.sh FOLDER...: each has the notice of the jemalloc that is installed here, word
# by word, and names those of LLVM and what LLVM contains.
set -euo pipefail
paragraph() { # FILE, FIRST LINE: what follows the line, up to the next empty one.
  awk -v first="$2" '$0 == first {on = 1; next} /^$/ {on = 0} on' "$1"
}
jemalloc=/usr/share/doc/libjemalloc-dev/copyright
[ "$(paragraph "$jemalloc" "License: BSD-2-Clause" | wc -l)" -gt 10 ]
for folder; do
  notice=$folder/copyright
  diff <(paragraph "$jemalloc" "License: BSD-2-Clause") \
    <(paragraph "$notice" "License: BSD-2-Clause")
  paragraph "$jemalloc" "Files: *" | sed -n '/^Copyright/,/^License/p' |
    grep -oE '[0-9]{4}-.*' | while read -r holder; do grep -F "$holder" "$notice"; done
  for name in "LLVM Exceptions to the Apache" "University of Illinois" "Henry Spencer" \
    "Todd C. Miller" "Yann Collet" "Unicode, Inc" "/usr/share/common-licenses/Apache-2.0"; do
    tr -s '\n ' ' ' <"$notice" | grep -qF "$name" || { echo "$notice: no $name"; exit 1; }
  done
done
