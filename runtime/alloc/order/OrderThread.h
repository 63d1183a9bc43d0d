//===- alloc/order/OrderThread.h - What a thread has in order ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread has places where it makes objects, and a short list of freed objects
// of each size, which it gives out first, the last one freed first: so what
// lives for a moment has the same memory again and again. When a list is full,
// its older half goes back to the chunks, whoever owns these.
//
// Problem: an object in a list keeps its chunk from being empty. So lists are
// short, and all are emptied whenever the thread has freed much more.
//
// Problem: what fits into no hole would make a thread pass over hole after hole
// that others would fill. So a request passes over as much as it asks for at
// most; then it is served from another, empty chunk beside.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ORDER_ORDERTHREAD_H
#define THERMOCLINE_ALLOC_ORDER_ORDERTHREAD_H

#include "ChunkPool.h"
#include "Place.h"
#include "heap/Decay.h"
#include "heap/Export.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

class OrderThread {
public:
  /// A record with which nothing can be made at once, or put into a list.
  constexpr OrderThread() = default;
  /// Makes a record of zeros ready, before a thread has it.
  void prepare();

  /// \returns an object, or null if there is none at once.
  void *allocateAtOnce(size_t Granules) {
    List &L = Lists[Granules];
    if (void *Object = L.First) {
      L.First = *static_cast<void **>(Object);
      ++L.Room;
      if (--ReusesToTick == 0)
        lookAtTime();
      return Object;
    }
    return Main.fits(Granules) ? Main.make(Granules) : nullptr;
  }
  /// \returns false if there is no room in a list.
  bool releaseAtOnce(void *Object, size_t Granules) {
    List &L = Lists[Granules];
    if (L.Room == 0)
      return false;
    *static_cast<void **>(Object) = L.First;
    L.First = Object;
    --L.Room;
    return true;
  }
  /// To be called where there is nothing at once. \returns null if there is no
  /// memory.
  void *allocateSlowly(size_t Granules);
  void releaseSlowly(void *Object, size_t Granules);
  /// Makes the object longer where it is, if it is the last one made.
  bool extend(void *Object, size_t OldGranules, size_t NewGranules) {
    return Main.extend(Object, OldGranules, NewGranules) ||
           Side.extend(Object, OldGranules, NewGranules);
  }
  /// Empties the lists.
  void flush();
  /// Gives back all.
  void end();

  /// What became of granules since chunks were counted last, as others may ask
  /// it: those of new objects, less those in lists.
  int64_t liveGranules() const;

  /// Whether a thread has it now.
  std::atomic<bool> IsOwned = false;
  /// The next in the list of all records that were ever made.
  OrderThread *Next = nullptr;

private:
  struct List {
    void *First = nullptr;
    size_t Room = 0;
  };
  /// How many objects a list has at most: as many as programs often free at a
  /// time, since what goes through chunks takes twice as long.
  static constexpr size_t mostOf(size_t Granules) {
    constexpr size_t Bytes = 64 << 10, Most = 128;
    const size_t Count = Bytes / (Granules * GranuleBytes);
    return Count > Most ? Most : Count;
  }
  /// All lists are emptied when so much has gone from full ones.
  static constexpr size_t FlushGranules = (256 << 10) / GranuleBytes;
  /// How often a thread that has nothing at once looks whether time has gone
  /// on, and one that has what it freed before.
  static constexpr unsigned TicksBetween = 64;

  static void giveBack(void *First, size_t Granules);
  static constexpr unsigned ReusesBetween = 4096;
  void lookAtTime();
  void tick() {
    if (++Ticks % TicksBetween == 0)
      lookAtTime();
  }
  bool openMain();
  void close(Place &P);

  /// By granules; the first is for none.
  List Lists[MostGranules + 1] = {};
  Place Main, Side;
  size_t ReleasedGranules = 0;
  unsigned Ticks = 0, ReusesToTick = ReusesBetween;
};

/// What a thread has for a record before it has one, and when it has ended.
extern const OrderThread NoOrderThread THERMOCLINE_HIDDEN;

/// The calling thread's record, or NoOrderThread.
extern __thread OrderThread *OrderThreadOrNone
    __attribute__((tls_model("initial-exec"))) THERMOCLINE_HIDDEN;

/// Gives the calling thread a record, unless it has ended or has stopped, or
/// there is no memory. \returns it, or null.
OrderThread *giveOrderRecord();
/// The first of all records; Next links them.
OrderThread *firstOrderRecord();
/// Prepares for records. It is called once. \returns false if the system does
/// not tell when threads end.
bool startOrderThreads();

/// As long as it lives, the calling thread has nothing in order: its objects
/// come from jemalloc, which counts them (Role.h, reaches).
class WithoutOrder {
public:
  WithoutOrder();
  ~WithoutOrder();
  WithoutOrder(const WithoutOrder &) = delete;
  WithoutOrder &operator=(const WithoutOrder &) = delete;

private:
  OrderThread *Before;
  bool WasBarred;
};

} // namespace thermocline::alloc

#endif
