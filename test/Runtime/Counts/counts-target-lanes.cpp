// What the headers of x86 offer for memory: masked, gathered, scattered,
// narrowed on the way. Each active lane counts, at the object that it is in.
// clang's -fmemory-profile counts none of it, so the true numbers are given.
// Where the processor has no such instructions, loops do the same.
// RUN: %clangxx --config=%generate-cfg -O2 -fuse-ld=lld %s -o %t
// RUN: rm -f %t.raw.* %t.each.raw.*
// RUN: env MEMPROF_OPTIONS=log_path=%t.raw %t
// RUN: python3 %S/../Inputs/compare_profiles.py %llvm-profdata %t %t.raw.* %t %t.raw.* --require loaded=405 --require stored=301 --require bytes=601 --require gathered=1101 --require first=301 --require second=101 --require scattered=901 --require narrowed=501 --require whole=101 --require untouched=0
// RUN: %clangxx --config=%generate-cfg -O0 -Xclang -mllvm -Xclang -thermocline-generate-merge=false -fuse-ld=lld %s -o %t.each
// RUN: env MEMPROF_OPTIONS=log_path=%t.each.raw %t.each
// RUN: python3 %S/../Inputs/compare_profiles.py %llvm-profdata %t.each %t.each.raw.* %t.each %t.each.raw.* --require loaded=405 --require stored=301 --require bytes=601 --require gathered=1101 --require first=301 --require second=101 --require scattered=901 --require narrowed=501 --require whole=101 --require untouched=0

#include <cstdlib>
#include <immintrin.h>
#include <initializer_list>

#define ALLOCATE(Name)                                                         \
  extern "C" __attribute__((noinline)) int *Name(size_t Count) {               \
    return static_cast<int *>(malloc(Count * sizeof(int)));                    \
  }
ALLOCATE(loaded)
ALLOCATE(stored)
ALLOCATE(bytes)
ALLOCATE(gathered)
ALLOCATE(first)
ALLOCATE(second)
ALLOCATE(scattered)
ALLOCATE(narrowed)
ALLOCATE(whole)
ALLOCATE(untouched)

static volatile int Sink;

/// \p Lanes as a vector whose elements' highest bits are those, which the
/// compiler does not know.
__attribute__((target("avx2"))) static __m256i mask(int Lanes) {
  static volatile int Unknown;
  Unknown = Lanes;
  int L = Unknown;
  const __m256i Bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(L), Bits), Bits);
}

__attribute__((target("avx2"))) static void consume(__m256i Values) {
  Sink = _mm256_extract_epi32(Values, 0) + _mm256_extract_epi32(Values, 7);
}

/// What loops do where there are no such instructions.
static void touch(void *Memory, int Times) {
  for (int I = 0; I < Times; ++I)
    static_cast<volatile char *>(Memory)[I] = 1;
}

struct Objects {
  int *Loaded = loaded(1024), *Stored = stored(1024), *Bytes = bytes(1024);
  int *Gathered = gathered(1024), *First = first(1024), *Second = second(1024);
  int *Scattered = scattered(1024), *Narrowed = narrowed(1024);
  int *Whole = whole(1024), *Untouched = untouched(1024);
};

__attribute__((target("avx2"))) static void withAvx2(const Objects &O) {
  const __m256i Numbers = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  for (int I = 0; I < 100; ++I) {
    consume(_mm256_maskload_epi32(O.Loaded + I * 8, mask(0xb2)));
    _mm256_maskstore_ps(reinterpret_cast<float *>(O.Stored) + I * 8, mask(0x0e),
                        _mm256_setzero_ps());
    _mm_maskmoveu_si128(
        _mm256_castsi256_si128(Numbers),
        _mm_unpacklo_epi64(_mm_setr_epi32(0x00ff00ff, 0x000000ff, 0, 0),
                           _mm_cvtsi64_si128(0x8080800000000000)),
        reinterpret_cast<char *>(O.Bytes) + I);
    // Eight, two of four, and one of the two that have an index.
    consume(_mm256_i32gather_epi32(O.Gathered, Numbers, 4));
    __m256d Some = _mm256_mask_i32gather_pd(
        _mm256_setzero_pd(), reinterpret_cast<double *>(O.Gathered),
        _mm_set1_epi32(I), _mm256_castsi256_pd(mask(0xf0)), 8);
    consume(_mm256_castpd_si256(Some));
    __m128 Two = _mm_mask_i64gather_ps(
        _mm_setzero_ps(), reinterpret_cast<float *>(O.Gathered),
        _mm_set1_epi64x(I),
        _mm256_castps256_ps128(_mm256_castsi256_ps(mask(0xfd))), 4);
    Sink = static_cast<int>(Two[0]);
    // The addresses themselves, which are of two objects.
    const auto *Null = static_cast<const long long *>(nullptr);
    consume(_mm256_i64gather_epi64(
        Null,
        _mm256_setr_epi64x(reinterpret_cast<long long>(O.First),
                           reinterpret_cast<long long>(O.First + 8),
                           reinterpret_cast<long long>(O.Second + I),
                           reinterpret_cast<long long>(O.First + I)),
        1));
    consume(_mm256_lddqu_si256(reinterpret_cast<__m256i *>(O.Whole + I)));
    // Masks without a lane, at addresses of nothing.
    auto *Nothing = reinterpret_cast<int *>(0x8000000000000000);
    consume(_mm256_maskload_epi32(Nothing, mask(0)));
    consume(
        _mm256_mask_i32gather_epi32(Numbers, O.Untouched, Numbers, mask(0), 4));
  }
  // Lanes that are not active may lie in front of the object, or behind it.
  for (int I = 0; I < 4; ++I)
    consume(_mm256_maskload_epi32(O.Loaded - 4 + 1024 * (I & 1) - (I & 1) * 8,
                                  mask(1 << (4 + I))));
}

static void withoutAvx2(const Objects &O) {
  touch(O.Loaded, 404);
  touch(O.Stored, 300);
  touch(O.Bytes, 600);
  touch(O.Gathered, 1100);
  touch(O.First, 300);
  touch(O.Second, 100);
  touch(O.Whole, 100);
}

__attribute__((target("avx512f,avx512vl"))) static void
withAvx512(const Objects &O) {
  static volatile unsigned char Unknown;
  const __m512i Numbers = _mm512_set1_epi64(3);
  for (int I = 0; I < 100; ++I) {
    Unknown = 0x1f;
    _mm512_mask_i32scatter_epi64(O.Scattered, Unknown, _mm256_set1_epi32(I),
                                 Numbers, 8);
    Unknown = 0xf7;
    _mm256_mask_i64scatter_epi32(O.Scattered, Unknown, _mm256_set1_epi64x(I),
                                 _mm_setzero_si128(), 4);
    Unknown = 0xf2;
    _mm512_mask_cvtepi64_storeu_epi16(O.Narrowed + I, Unknown, Numbers);
    Sink = static_cast<int>(
        _mm512_mask_i64gather_epi64(Numbers, 0, Numbers, O.Untouched, 8)[0]);
    Unknown = 0x10;
    Sink = static_cast<int>(_mm512_mask_i64gather_epi64(
        Numbers, Unknown, _mm512_set1_epi64(I), O.Scattered, 8)[0]);
  }
}

static void withoutAvx512(const Objects &O) {
  touch(O.Scattered, 900);
  touch(O.Narrowed, 500);
}

int main() {
  Objects O;
  // One access more each, so that a loop cannot be all that there is.
  for (int *Object : {O.Loaded, O.Stored, O.Bytes, O.Gathered, O.First,
                      O.Second, O.Scattered, O.Narrowed, O.Whole})
    touch(Object, 1);
  __builtin_cpu_supports("avx2") ? withAvx2(O) : withoutAvx2(O);
  __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
      ? withAvx512(O)
      : withoutAvx512(O);
  for (int *Object : {O.Loaded, O.Stored, O.Bytes, O.Gathered, O.First,
                      O.Second, O.Scattered, O.Narrowed, O.Whole, O.Untouched})
    free(Object);
}
