using size_t = decltype(sizeof(0));
static void *sameName(size_t N) { return new long[N]; }
__attribute__((noinline)) void *otherFile(size_t N, bool Touch) {
  return Touch ? sameName(N) : new int[N];
}
