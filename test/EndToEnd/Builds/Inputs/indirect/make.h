#include <atomic>
#include <cstddef>

struct Maker {
  virtual ~Maker() = default;
  virtual char *make(size_t Size) = 0;
};
struct Bytes : Maker {
  char *make(size_t Size) override;
};
struct Letters : Maker {
  char *make(size_t Size) override;
};
char *makePlain(size_t Size);

using MakeFunction = char *(*)(size_t);
