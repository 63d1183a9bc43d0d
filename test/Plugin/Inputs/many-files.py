"""many-files.py N: writes f0.c … f<N-1>.c, each with a function that adds one, and
main.c, whose program succeeds if all of them were called."""
import sys

count = int(sys.argv[1])
for i in range(count):
    with open("f%d.c" % i, "w") as file:
        file.write("int f%d(int x) { return x + 1; }\n" % i)
with open("main.c", "w") as file:
    for i in range(count):
        file.write("int f%d(int);\n" % i)
    file.write("int main(void) {\n  int sum = 0;\n")
    for i in range(count):
        file.write("  sum = f%d(sum);\n" % i)
    file.write("  return sum != %d;\n}\n" % count)
