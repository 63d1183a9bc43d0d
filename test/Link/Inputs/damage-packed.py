"""Changes one bit of the packed contexts of the module in argument 1: of the last
whole word."""
import re
import sys

path = sys.argv[1]
text = open(path).read()
words = [m for m in re.finditer(r"!\{i64 (-?\d+), i64 0\}", text) if int(m[1]) < 0]
at = words[-2]
value = int(at[1]) ^ (1 << 20)
open(path, "w").write(text[: at.start(1)] + str(value) + text[at.end(1):])
