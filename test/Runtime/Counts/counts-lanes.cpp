// Vectors accessed under masks, gathered, scattered, expanded and compressed:
// each active lane counts, at the object that it is in, and nothing is touched
// where no lane is active. clang's -fmemory-profile counts masked loads and
// stores only, so the true numbers are given.
// RUN: %clangxx --config=%generate-cfg -O2 -fuse-ld=lld %s -o %t
// RUN: rm -f %t.raw.* %t.each.raw.*
// RUN: env MEMPROF_OPTIONS=log_path=%t.raw %t
// RUN: python3 %S/../Inputs/compare_profiles.py %llvm-profdata %t %t.raw.* %t %t.raw.* --require loaded=405 --require stored=301 --require gathered=1201 --require expanded=401 --require compressed=501 --require untouched=0
// RUN: %clangxx --config=%generate-cfg -O0 -Xclang -mllvm -Xclang -thermocline-generate-merge=false -fuse-ld=lld %s -o %t.each
// RUN: env MEMPROF_OPTIONS=log_path=%t.each.raw %t.each
// RUN: python3 %S/../Inputs/compare_profiles.py %llvm-profdata %t.each %t.each.raw.* %t.each %t.each.raw.* --require loaded=405 --require stored=301 --require gathered=1201 --require expanded=401 --require compressed=501 --require untouched=0

#include <cstdlib>

typedef bool B __attribute__((ext_vector_type(8)));
typedef int E __attribute__((ext_vector_type(8)));

#define ALLOCATE(Name)                                                         \
  extern "C" __attribute__((noinline)) int *Name(size_t Count) {               \
    return static_cast<int *>(malloc(Count * sizeof(int)));                    \
  }
ALLOCATE(loaded)
ALLOCATE(stored)
ALLOCATE(gathered)
ALLOCATE(expanded)
ALLOCATE(compressed)
ALLOCATE(untouched)

static volatile unsigned char Bits;
static volatile int Sink;

/// The lanes whose bits are set, which the compiler does not know.
static B mask(unsigned char Lanes) {
  Bits = Lanes;
  unsigned char Known = Bits;
  return __builtin_bit_cast(B, Known);
}

static void consume(E Values) { Sink = Values[0] + Values[7]; }

int main() {
  const E Numbers = {7, 6, 5, 4, 3, 2, 1, 0};
  int *Loaded = loaded(1024), *Stored = stored(1024),
      *Gathered = gathered(1024);
  int *Expanded = expanded(1024), *Compressed = compressed(1024);
  int *Untouched = untouched(1024);
  // One access more each, so that a loop cannot be all that there is.
  Loaded[0] = Stored[0] = Gathered[0] = Expanded[0] = Compressed[0] = 1;
  for (int I = 0; I < 100; ++I) {
    consume(__builtin_masked_load(mask(0xb2), Loaded + I * 8));
    __builtin_masked_store(mask(0x0e), Numbers, Stored + I * 8);
    consume(__builtin_masked_gather(mask(0xff), Numbers * 100, Gathered));
    __builtin_masked_scatter(mask(0x1e), Numbers * 20, Numbers, Gathered + I);
    consume(__builtin_masked_expand_load(mask(0xf0), Expanded + I));
    __builtin_masked_compress_store(mask(0xf1), Numbers, Compressed + I);
    // Masks without a lane, at addresses of nothing.
    int *Nothing = reinterpret_cast<int *>(mask(0)[0] ? 1 : 0x8000000000000000);
    consume(__builtin_masked_load(mask(0), Nothing));
    __builtin_masked_compress_store(mask(0), Numbers, Nothing);
    consume(__builtin_masked_gather(mask(0), Numbers, Untouched));
  }
  // Lanes that are not active may lie in front of the object, or behind it.
  for (int I = 0; I < 4; ++I)
    consume(
        __builtin_masked_load(mask(static_cast<unsigned char>(1 << (4 + I))),
                              Loaded - 4 + 1024 * (I & 1) - (I & 1) * 8));
  free(Loaded);
  free(Stored);
  free(Gathered);
  free(Expanded);
  free(Compressed);
  free(Untouched);
}
