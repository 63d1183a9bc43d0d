//===- bench/gain/drivers/leveldb.cpp - Keys read at random  --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: leveldb KEYS READS
// Fills a store whose files are in memory, then reads keys at random.
//
//===----------------------------------------------------------------------===//

#include "phase.h"

#include "helpers/memenv/memenv.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"

#include <random>
#include <string>

static std::string keyOf(unsigned Number) {
  char Key[32];
  std::snprintf(Key, sizeof(Key), "key%09u", Number);
  return Key;
}

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    std::fprintf(stderr, "usage: leveldb KEYS READS\n");
    return 1;
  }
  unsigned Keys = std::atoi(Arguments[1]), Reads = std::atoi(Arguments[2]);
  std::mt19937 Draw(1);
  leveldb::Options Options;
  Options.create_if_missing = true;
  Options.env = leveldb::NewMemEnv(leveldb::Env::Default());
  Options.block_cache = leveldb::NewLRUCache(16 << 20);
  Options.compression = leveldb::kNoCompression;
  leveldb::DB *Store;
  if (!leveldb::DB::Open(Options, "/store", &Store).ok())
    return 1;
  for (unsigned I = 0; I != Keys; ++I)
    Store->Put({}, keyOf(Draw() % Keys), std::string(80, 'a' + I % 26));
  Store->CompactRange(nullptr, nullptr);
  unsigned long Sum = 0;
  std::string Value;
  phaseBegin();
  for (unsigned I = 0; I != Reads; ++I)
    if (Store->Get({}, keyOf(Draw() % Keys), &Value).ok())
      Sum = Sum * 31 + Value[0];
  phaseEnd(Sum);
  return 0;
}
