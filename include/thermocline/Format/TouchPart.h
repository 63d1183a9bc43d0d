//===- Format/TouchPart.h - When memory was touched -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two parts of an indexed profile (ProfileParts.h) say when memory was touched.
// The part of windows is read in place, and never compressed:
//
//   head       a TouchPartHeader
//   phases     in the order of their names, for each: runs, windows, their
//              length, bursts, their length in microseconds, runs that were
//              watched by the page table (u64 each), the length of the name
//              (u64), the name; then zeros up to the next multiple of 8
//   table      of contexts of which something lived at the end of a window:
//              their full stack ids, ascending (u64 each), what each saves if
//              it is hinted, in bytes of pages (float each), which ones are
//              cold (a bit each, from the lowest bit of the first byte on), and
//              the same of which ones sampling told too little
//
// The part of touches has, for each context in the same order, its objects of
// less than a page, and the pages of larger ones, by bins of the grid, in the
// form of the raw profile (thermocline/Format/RawSections.h), each followed,
// unless it is empty, by the number of its units, summed over bins, that
// sampling only estimated (LEB128).
//
// A third part, of order, is there if it is known how some small objects lay at
// bursts (RawSections.h). It says what these touch of those that are not cold
// if they lie in order of allocation, and by size class
// (thermocline/Placement/Order.h):
//
//   counts     the number of phases (u64); for each, in the order of their
//              names: bursts (u64); touches, pages and pairs of lines that were
//              touched, in order, and then by size class (double each); objects
//              of less than a page that were born in bursts in place of others,
//              and older ones that were touched there (double each); the length
//              of the name (u64), the name, then zeros up to the next multiple
//              of 8
//   contexts   their number (u64), and their full stack ids, ascending (u64
//              each); 0 stands for those that the profile does not have
//   bursts     of the phases in the same order, for each: a byte with the
//   number
//              of stretches, and these, as raw profiles have them, with numbers
//              in the table for contexts
//
// A fourth part, of samples, is there if runs were sampled. It says how well
// the totals of their contexts are known (thermocline/Profile/Samples.h):
//
//   checksum   of the memory profile that it belongs to (u64)
//   contexts   that are not known exactly, in the order of their full stack
//              ids, for each: the id, the allocations that were not recorded,
//              the variance of their number, and that of their bytes, in
//              (1024 bytes)^2 (u64 each)
//
// | version of windows | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
// | 2 | 0.1 | how many runs were watched by the page table |
// | 3 | 0.1 | errors, and what sampling told too little of |
//
// | version of touches | since | what changed |
// |---|---|---|
// | 1 | 0.1 | the form of version 3 of windows |
// | 2 | 0.1 | the form of version 4 of windows |
// | 3 | 0.1 | the form of version 5 of windows |
//
// | version of order | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
// | 2 | 0.1 | what was replaced in bursts |
//
// | version of samples | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
//
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_TOUCHPART_H
#define THERMOCLINE_FORMAT_TOUCHPART_H

#include <stdint.h>

namespace thermocline::format {

constexpr uint64_t WindowsPartVersion = 3;
constexpr uint64_t TouchesPartVersion = 3;
constexpr uint64_t OrderPartVersion = 2;
constexpr uint64_t SamplesPartVersion = 1;

struct TouchPartHeader {
  /// Where the part begins, in bytes from the beginning of the file.
  uint64_t Offset = 0;
  /// The checksum of the memory profile that it belongs to:
  /// IndexedProfile::checksum().
  uint64_t ProfileChecksum = 0;
  uint64_t NumPhases = 0;
  /// Bytes of the phases, without the zeros behind them.
  uint64_t PhaseBytes = 0;
  uint64_t NumContexts = 0;
  /// What was decided for: PlacementOptions::Goal, 0 or 1; the size of pages;
  /// and the number of its Phase in the order of the phases plus 1, or 0 for
  /// all.
  uint64_t Goal = 0;
  uint64_t PageBytes = 0;
  uint64_t Phase = 0;
  /// The prediction for the contexts that are cold (thermocline/Placement/
  /// Placement.h): working set at bursts, before and after; at windows, before
  /// and after; live bytes of small objects, and of all.
  double Predicted[6] = {};
  /// The standard errors of that, as sampling makes them: of the working set at
  /// bursts, before and after, of what is saved, in bytes and as a part of it;
  /// and the same at windows. 0 if nothing was sampled.
  double Errors[8] = {};
};

static_assert(sizeof(TouchPartHeader) == 22 * 8);

} // namespace thermocline::format

#endif
