// A random program of allocation calls. Checks what holds of every allocator
// (alignment, usable size, contents that nobody else writes, zeroing) and
// prints what may be compared with libc's: a digest of null results and errno.
// Some threads hand allocations to each other. usage: allocation_fuzz SEED
// OPERATIONS THREADS

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <thread>
#include <vector>

namespace {

enum class Freer { Free, Delete, DeleteArray, DeleteAligned };

struct Allocation {
  unsigned char *Bytes = nullptr;
  size_t Size = 0;
  size_t Alignment = 0;
  Freer Method = Freer::Free;
  unsigned char Pattern = 0;
};

std::atomic<Allocation *> Mailbox[64];

class Fuzzer {
public:
  Fuzzer(uint64_t Seed, bool Exchanges)
      : Exchanges(Exchanges), State(Seed * 2 + 1) {}
  void run(long Operations);
  uint64_t digest() const { return Digest; }

private:
  uint64_t random(uint64_t Below) {
    State = State * 6364136223846793005 + 1442695040888963407;
    return (State >> 20) % Below;
  }
  [[noreturn]] void fail(const char *Message, size_t Size) {
    fprintf(stderr, "%s, size %zu, operation %ld\n", Message, Size, Operation);
    abort();
  }
  void note(uint64_t Value) { Digest = (Digest ^ Value) * 0x100000001B3; }

  size_t randomSize() {
    switch (random(16)) {
    case 0:
      return 0;
    case 1:
      return random(300000);
    case 2:
      return 128 * 1024 - 64 + random(128);
    case 3:
    case 4:
      return random(20000);
    case 5:
      return (size_t(1) << random(13)) - random(2);
    default:
      return random(300);
    }
  }
  size_t randomAlignment(unsigned MaxLog = 14) {
    return size_t(1) << random(random(8) ? 7 : MaxLog);
  }
  size_t impossibleSize() {
    return random(2) ? SIZE_MAX - random(10000)
                     : (size_t(1) << (50 + random(13))) + random(5000);
  }

  void check(const Allocation &A);
  void fill(Allocation &A);
  void keep(unsigned char *Bytes, size_t Size, size_t Alignment, Freer Method);
  void release(Allocation &A);
  void allocate();
  void allocateByNew();
  void failToAllocate();
  void reallocate(Allocation &A);
  void exchange();

  /// Whether to hand allocations to other threads.
  bool Exchanges;
  uint64_t State;
  uint64_t Digest = 0;
  long Operation = 0;
  std::vector<Allocation> Live;
};

void Fuzzer::check(const Allocation &A) {
  // All of small ones, the ends and some between of others.
  size_t Step = A.Size < 2000 ? 1 : 509;
  for (size_t I = 0; I < A.Size; I += Step)
    if (A.Bytes[I] != static_cast<unsigned char>(A.Pattern + I))
      fail("contents were overwritten", A.Size);
  if (A.Size &&
      A.Bytes[A.Size - 1] != static_cast<unsigned char>(A.Pattern + A.Size - 1))
    fail("the end was overwritten", A.Size);
}

void Fuzzer::fill(Allocation &A) {
  A.Pattern = static_cast<unsigned char>(random(256));
  for (size_t I = 0; I < A.Size; ++I)
    A.Bytes[I] = static_cast<unsigned char>(A.Pattern + I);
}

void Fuzzer::keep(unsigned char *Bytes, size_t Size, size_t Alignment,
                  Freer Method) {
  if (!Bytes)
    fail("no memory", Size);
  if (Alignment < 16)
    Alignment = 16;
  if (reinterpret_cast<uintptr_t>(Bytes) % Alignment)
    fail("wrong alignment", Size);
  if (malloc_usable_size(Bytes) < Size)
    fail("usable size below the size", Size);
  Live.push_back({Bytes, Size, Alignment, Method, 0});
  fill(Live.back());
}

void Fuzzer::release(Allocation &A) {
  check(A);
  errno = 77;
  switch (A.Method) {
  case Freer::Free:
    free(A.Bytes);
    break;
  case Freer::Delete:
    if (random(2))
      operator delete(A.Bytes);
    else
      operator delete(A.Bytes, A.Size);
    break;
  case Freer::DeleteArray:
    operator delete[](A.Bytes);
    break;
  case Freer::DeleteAligned:
    if (random(2))
      operator delete(A.Bytes, std::align_val_t(A.Alignment));
    else
      operator delete(A.Bytes, A.Size, std::align_val_t(A.Alignment));
    break;
  }
  if (errno != 77)
    fail("free() changed errno", A.Size);
  A = Live.back();
  Live.pop_back();
}

void Fuzzer::allocate() {
  size_t Size = randomSize(), Alignment = randomAlignment();
  void *P = nullptr;
  switch (random(9)) {
  case 0: {
    size_t Count = 1 + random(7);
    auto *Bytes = static_cast<unsigned char *>(calloc(Count, Size / Count));
    Size = Size / Count * Count;
    for (size_t I = 0; Bytes && I < Size; ++I)
      if (Bytes[I])
        fail("calloc() left a byte that is not zero", Size);
    return keep(Bytes, Size, 1, Freer::Free);
  }
  case 1:
    note(static_cast<uint64_t>(
        posix_memalign(&P, Alignment < 8 ? 8 : Alignment, Size)));
    return keep(static_cast<unsigned char *>(P), Size, Alignment, Freer::Free);
  case 2:
    return keep(static_cast<unsigned char *>(aligned_alloc(Alignment, Size)),
                Size, Alignment, Freer::Free);
  case 3:
    // Takes any alignment and rounds it up.
    return keep(
        static_cast<unsigned char *>(memalign(Alignment - Alignment / 3, Size)),
        Size, Alignment, Freer::Free);
  case 4:
    if (random(4) == 0)
      return keep(static_cast<unsigned char *>(valloc(Size)), Size, 4096,
                  Freer::Free);
    if (random(4) == 0)
      return keep(static_cast<unsigned char *>(pvalloc(Size)),
                  Size + 4095 & ~size_t(4095), 4096, Freer::Free);
    [[fallthrough]];
  case 5:
    return keep(static_cast<unsigned char *>(realloc(nullptr, Size)), Size, 1,
                Freer::Free);
  default:
    return keep(static_cast<unsigned char *>(malloc(Size)), Size, 1,
                Freer::Free);
  }
}

void Fuzzer::allocateByNew() {
  size_t Size = randomSize(), Alignment = randomAlignment(12);
  if (Alignment < 32)
    Alignment = 32;
  auto Aligned = std::align_val_t(Alignment);
  auto Keep = [&](void *P, size_t Guaranteed, Freer Method) {
    keep(static_cast<unsigned char *>(P), Size, Guaranteed, Method);
  };
  switch (random(5)) {
  case 0:
    return Keep(operator new(Size, std::nothrow), 1, Freer::Delete);
  case 1:
    return Keep(operator new[](Size), 1, Freer::DeleteArray);
  case 2:
    return Keep(operator new(Size, Aligned), Alignment, Freer::DeleteAligned);
  case 3:
    return Keep(operator new(Size, Aligned, std::nothrow), Alignment,
                Freer::DeleteAligned);
  default:
    return Keep(operator new(Size), 1, Freer::Delete);
  }
}

void Fuzzer::failToAllocate() {
  size_t Size = impossibleSize();
  void *P = nullptr;
  int Status = 0;
  errno = 0;
  switch (random(8)) {
  case 0:
    P = malloc(Size);
    break;
  case 1:
    P = calloc(Size / 3, 1 + random(9) + 3);
    break;
  case 2:
    // errno is unspecified after it.
    Status = posix_memalign(&P, 8 + random(100), Size);
    errno = 0;
    break;
  case 3:
    P = memalign(randomAlignment(), Size);
    break;
  case 4:
    P = reallocarray(nullptr, Size, 1 + random(9));
    break;
  case 5:
    P = operator new(Size, std::nothrow);
    errno = 0;
    break;
  case 6:
    P = pvalloc(Size);
    break;
  case 7:
    try {
      P = operator new(Size);
    } catch (const std::bad_alloc &) {
      Status = 99;
    }
    errno = 0;
    break;
  }
  if (P)
    fail("the impossible was allocated", Size);
  note(static_cast<uint64_t>(errno) << 8 | static_cast<uint64_t>(Status));
}

void Fuzzer::reallocate(Allocation &A) {
  check(A);
  size_t Size = random(3) ? randomSize() : A.Size + random(40);
  if (random(20) == 0) {
    errno = 0;
    if (realloc(A.Bytes, impossibleSize()))
      fail("realloc() to the impossible", A.Size);
    note(static_cast<uint64_t>(errno));
    return check(A);
  }
  auto *New = static_cast<unsigned char *>(
      random(4) ? realloc(A.Bytes, Size) : reallocarray(A.Bytes, 1, Size));
  if (Size == 0) {
    note(New != nullptr);
    A = Live.back();
    Live.pop_back();
    return;
  }
  if (!New || reinterpret_cast<uintptr_t>(New) % 16 ||
      malloc_usable_size(New) < Size)
    fail("realloc() failed", Size);
  for (size_t I = 0; I < Size && I < A.Size; ++I)
    if (New[I] != static_cast<unsigned char>(A.Pattern + I))
      fail("realloc() lost contents", Size);
  A.Bytes = New;
  A.Size = Size;
  fill(A);
}

/// Puts one into the mailbox and goes on with what was there.
void Fuzzer::exchange() {
  auto *Mine = new Allocation(Live.back());
  Live.pop_back();
  if (Allocation *Other = Mailbox[random(64)].exchange(Mine)) {
    check(*Other);
    Live.push_back(*Other);
    delete Other;
  }
}

void Fuzzer::run(long Operations) {
  for (; Operation < Operations; ++Operation) {
    uint64_t Kind = random(16);
    if (Kind == 0)
      failToAllocate();
    else if (Live.size() < 10 || (Kind < 8 && Live.size() < 400))
      random(3) ? allocate() : allocateByNew();
    else if (Kind < 14) {
      Allocation &A = Live[random(Live.size())];
      if (A.Method == Freer::Free && random(3) == 0)
        reallocate(A);
      else
        release(A);
    } else if (Exchanges) {
      exchange();
    }
  }
  while (!Live.empty())
    release(Live.back());
}

} // namespace

int main(int, char **Arguments) {
  uint64_t Seed = strtoull(Arguments[1], nullptr, 10);
  long Operations = atol(Arguments[2]);
  int NumThreads = atoi(Arguments[3]);
  // Threads come and go: four rounds.
  for (int Round = 0; Round < 4; ++Round) {
    std::vector<std::thread> Threads;
    std::vector<uint64_t> Digests(NumThreads);
    for (int T = 0; T < NumThreads; ++T)
      Threads.emplace_back([&, T] {
        Fuzzer F(Seed * 1000 + Round * 100 + T, NumThreads > 1);
        F.run(Operations);
        Digests[T] = F.digest();
      });
    for (std::thread &T : Threads)
      T.join();
    // What threads do depends on what they are handed.
    if (NumThreads == 1)
      printf("%016llx\n", static_cast<unsigned long long>(Digests[0]));
  }
  puts("done");
}
