#!/usr/bin/awk -f
# progress.awk -v what=WORD: of the lines by which ninja ("[3/360] ...") and lit
# ("PASS: ... (3 of 637)") count, shows one in ten per cent; all else as it is.
function step(done, all) {
  tenth = int(10 * done / all)
  if (tenth != last || done == all) printf "%s %d of %d\n", what, done, all
  last = tenth
  fflush()
}
BEGIN { last = 0 }
/^\[[0-9]+\/[0-9]+\] / { split($1, n, /[\[\/\]]/); step(n[2], n[3]); next }
/^PASS: .*\([0-9]+ of [0-9]+\)$/ { step(substr($(NF - 2), 2), $NF + 0); next }
{ print; fflush() }
