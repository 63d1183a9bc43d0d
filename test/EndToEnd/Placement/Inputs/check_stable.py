"""check_stable.py THERMO-PROFDATA ONE:OTHER:PERCENT: checks that cold contexts of two profiles
differ by at most so much of their bytes, and that the decisions of the one bring at least 90 % of
what is to be gained by the other's."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts"))
import exported

tool, case = sys.argv[1:]
one, other, percent = case.split(":")


def cold_bytes(profile):
    text = subprocess.run([tool, "export", "--format=json", profile], check=True,
                          capture_output=True, text=True).stdout
    contexts = exported.loads(text)["contexts"]
    return {c["id"]: c["measures"]["TotalSize"] for c in contexts if c["cold"]}


a, b = cold_bytes(one), cold_bytes(other)
differ = sum(max(a.get(i, 0), b.get(i, 0)) for i in a.keys() ^ b.keys())
share = 100 * differ / sum(a.values())
diff = subprocess.run([tool, "diff", "--top=0", one, other], check=True, capture_output=True,
                      text=True).stdout
gained = float(re.search(r", ([0-9.]+) % of what can be gained", diff).group(1))
print(f"{case}: {share:.1f} % of {sum(a.values())} cold bytes differ, {gained} % gained")
sys.exit(share > float(percent) or gained < 90)
