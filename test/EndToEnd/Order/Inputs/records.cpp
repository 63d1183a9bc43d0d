//===- Records of several sizes, used by record or by size ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// records trees|strides|replaced [TIMES] makes records of a head, four fields
// of other sizes and a note that nobody reads. Then it serves requests: each
// reads all fields of one record (trees), or the heads of many records made one
// after the other (strides). With replaced, it serves as with trees, and a
// fourth as many records are replaced meanwhile, but for their notes.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

extern "C" void __thermocline_phase(const char *Name) __attribute__((weak));
extern "C" bool __thermocline_pass_time(unsigned long Microseconds)
    __attribute__((weak));

namespace {

constexpr size_t NumFields = 4;
constexpr size_t FieldBytes[NumFields] = {24, 72, 104, 144};

struct Record {
  uint64_t Key;
  uint64_t *Fields[NumFields];
  void *Note;
};

constexpr size_t NumRecords = 8000;
Record *Records[NumRecords];
std::mt19937 Random(1);
uint64_t Sum;

/// All objects of the program come from here.
extern "C" __attribute__((noinline)) void *make(size_t Bytes) {
  void *Made = malloc(Bytes);
  memset(Made, 1, Bytes);
  return Made;
}

extern "C" __attribute__((noinline)) void *makeNote() { return make(104); }

extern "C" __attribute__((noinline)) Record *makeRecord(uint64_t Key) {
  auto *Made = static_cast<Record *>(make(sizeof(Record)));
  Made->Key = Key;
  for (size_t I = 0; I != NumFields; ++I)
    Made->Fields[I] = static_cast<uint64_t *>(make(FieldBytes[I]));
  return Made;
}

void serveTrees() {
  for (int Requests = 40; Requests; --Requests) {
    const Record *Asked = Records[Random() % NumRecords];
    for (const uint64_t *Field : Asked->Fields)
      Sum += *Field + Asked->Key;
  }
}

void replaceSome() {
  for (int Times = 10; Times; --Times) {
    Record *&Old = Records[Random() % NumRecords];
    Record *Made = makeRecord(Old->Key);
    Made->Note = Old->Note;
    for (uint64_t *Field : Old->Fields)
      free(Field);
    free(Old);
    Old = Made;
  }
}

void serveStrides() {
  constexpr size_t Length = 64;
  for (int Requests = 4; Requests; --Requests) {
    const size_t First = Random() % (NumRecords - Length);
    for (size_t I = First; I != First + Length; ++I)
      Sum += Records[I]->Key;
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  const std::string How = argv[1];
  for (size_t I = 0; I != NumRecords; ++I) {
    Records[I] = makeRecord(I);
    Records[I]->Note = makeNote();
  }
  if (__thermocline_phase)
    __thermocline_phase("serve");
  for (int Times = argc == 3 ? atoi(argv[2]) : 600; Times; --Times) {
    How == "strides" ? serveStrides() : serveTrees();
    if (How == "replaced")
      replaceSome();
    if (__thermocline_pass_time)
      __thermocline_pass_time(250);
  }
  printf("%llu\n", static_cast<unsigned long long>(Sum));
}
