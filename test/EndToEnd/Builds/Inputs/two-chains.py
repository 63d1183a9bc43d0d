"""Prints a program in which two allocations have 64 contexts each, and its profile.

Those of one() have more bytes, those of two() live longer. Each has a context, too,
that is not cold: one clone each tells them apart. Lines are for profile.py.
"""

import itertools

CHAINS = {"one": ("short", 300), "two": ("cold", 200)}
print("char *volatile Sink;")
for target in CHAINS:
    print(f"__attribute__((noinline)) char *{target}(unsigned N) {{ return new char[N]; }}")
for target, (kind, size) in CHAINS.items():
    names = [target] + [f"{target}{level}" for level in range(3)]
    for callee, caller in zip(names, names[1:]):
        print(f"__attribute__((noinline)) void {caller}(unsigned N) {{")
        for _ in range(4):
            print(f"  Sink = {callee}(N);" if callee == target else f"  {callee}(N);")
        print("  Sink = nullptr;\n}")
    for lines in itertools.product(range(1, 5), repeat=3):
        stack = [f"_Z3{target}j+0:58", f"_Z4{target}0j+{lines[0]}:10"]
        stack += [f"_Z4{target}{i}j+{lines[i]}:3" for i in (1, 2)]
        print(f"// PROFILE: {kind} {size}: " + " < ".join(stack))
print("int main() {\n  one2(1);\n  two2(1);\n  Sink = one(2);\n  Sink = two(2);\n}")
print("// PROFILE: notcold 1000: _Z3onej+0:58 < main+3:10")
print("// PROFILE: notcold 1000: _Z3twoj+0:58 < main+4:10")
