"""Prints a C++ program: LEVELS functions, each with FAN_OUT calls of the next; the last
allocates. What a call in sixteen leads to lives to the end, untouched."""
import random
import sys

levels, fan_out = int(sys.argv[1]), int(sys.argv[2])
random.seed(1)
print("""extern "C" __attribute__((weak)) bool __thermocline_pass_time(unsigned long);
static char *Kept[%d]; static unsigned Count; static volatile long Sum;
__attribute__((noinline)) void allocate(bool Cold) {
  char *P = new char[16 + (Count & 15)];
  for (int I = 0; I < (Cold ? 1 : 64); I++) ((volatile char *)P)[I & 15]++;
  if (Cold) Kept[Count++] = P; else delete[] P;
}""" % fan_out**levels)
for level in range(levels):
    callee = f"f{level - 1}" if level else "allocate"
    print(f"__attribute__((noinline)) void f{level}(bool Cold) {{")
    for _ in range(fan_out):
        print(f"  {callee}({'true' if random.random() < 1 / 16 else 'Cold'});")
    print("  Sum++;\n}")
print(f"""int main() {{
  f{levels - 1}(false);
  if (__thermocline_pass_time) __thermocline_pass_time(300000);
  for (unsigned I = 0; I != Count; I++) delete[] Kept[I];
}}""")
