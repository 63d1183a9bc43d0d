"""parts.py cut FILE OUT: writes FILE without the parts that say when memory was touched.
parts.py check FILE: fails if these parts make FILE more than a third larger.
"""

import struct
import sys

with open(sys.argv[2], "rb") as file:
    contents = file.read()
before = contents
for kind in (b"tc:windw", b"tc:touch"):
    size, magic = struct.unpack("<Q8s", before[-16:])
    if magic != b"tc:part>" or before[-size:][:8] != kind:
        sys.exit(f"there is no part {kind}")
    before = before[:-size]
if sys.argv[1] == "cut":
    with open(sys.argv[3], "wb") as file:
        file.write(before)
elif 3 * (len(contents) - len(before)) > len(before):
    sys.exit(f"{len(contents) - len(before)} bytes behind {len(before)}")
