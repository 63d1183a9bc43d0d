"""make_contexts.py: prints a program with 10,000 calling contexts, whose objects are touched at
different times.
"""

LEVELS, CALLS = 4, 10

print("""#include <cstdlib>
#include <vector>

extern "C" bool __thermocline_pass_time(unsigned long Microseconds)
    __attribute__((weak));

struct Object {
  long Values[4];
};
static std::vector<Object *> All;
static volatile long Sink;
static unsigned State = 1;
static unsigned next() { return (State = State * 1664525u + 1013904223u) >> 8; }
__attribute__((noinline)) void leaf() {
  for (unsigned I = next() % 4 + 1; I; --I) {
    All.push_back(static_cast<Object *>(malloc(sizeof(Object) + next() % 4 * 16)));
    All.back()->Values[0] = 1;
  }
}""")
for level in range(LEVELS):
    print(f"__attribute__((noinline)) void level{level}(int Which) {{\n  switch (Which) {{")
    for call in range(CALLS):
        callee = f"for (int I = 0; I != {CALLS}; ++I) level{level - 1}(I)" if level else "leaf()"
        print(f"  case {call}: {callee}; break;")
    print("  }\n}")
print(f"""int main() {{
  for (int I = 0; I != {CALLS}; ++I)
    level{LEVELS - 1}(I);
  constexpr size_t Length = 40;
  for (size_t Ms = 0; Ms != Length; ++Ms) {{
    for (int I = 0; I != 20000; ++I) {{
      // Most often the objects in a part of the heap that moves on.
      size_t At = next() % All.size();
      if (next() % 8)
        At = At / 8 + All.size() / 2 * Ms / Length;
      Sink += All[At]->Values[0];
    }}
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }}
}}""")
