"""cold-by-stock-clang.py FILE.ll: prints the functions own<N> in the IR that stock
clang wrote whose call of operator new has the attribute of cold memory."""

import re
import sys

text = open(sys.argv[1]).read()
cold = set(re.findall(r'^attributes (#\d+) = .*"memprof"="cold"', text, re.M))
for function in re.finditer(r"^define [^\n]*@_Z3ownILi(\d+)EEvv\(.*?^}", text, re.M | re.S):
    call = re.search(r"@_Znam\([^\n]*?\) (#\d+)", function[0])
    if call[1] in cold:
        print(f"own<{function[1]}>")
