"""trailer.py cut FILE OUT: writes FILE without the trailer that says when memory was touched.
trailer.py check FILE: fails if the trailer makes FILE more than a third larger.
"""

import struct
import sys

with open(sys.argv[2], "rb") as file:
    contents = file.read()
size, magic = struct.unpack("<Q8s", contents[-16:])
if magic != b"tctrfoot":
    sys.exit("there is no trailer")
before = contents[:-size]
if sys.argv[1] == "cut":
    with open(sys.argv[3], "wb") as file:
        file.write(before)
elif 3 * size > len(before):
    sys.exit(f"{size} bytes behind {len(before)}")
