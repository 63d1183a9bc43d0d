"""Changes one letter of the notes of the kind in argument 1, wherever they are in the
modules in the other arguments."""
import re
import sys

kind, paths = sys.argv[1], sys.argv[2:]


def damage(match):
    at = len(match[2]) // 2
    other = "A" if match[2][at] != "A" else "B"
    return match[1] + match[2][:at] + other + match[2][at + 1:]


# Packed contexts have an id in front.
note = re.compile(r'("thermocline\.%s\.(?:[0-9a-f]{16}\.)?)([^"]+)' % kind)
found = 0
for path in paths:
    text, number = note.subn(damage, open(path).read())
    open(path, "w").write(text)
    found += number
assert found >= 1
