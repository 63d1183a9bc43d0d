//===- toolchain/Program.c - A program of the toolchain -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ld.lld, thermo-lto and thermo-backend share one copy of LLVM, which is in
// ThermoclineLTO.so. What is a program's own is this.
//
//===----------------------------------------------------------------------===//

int PROGRAM_MAIN(int ArgumentCount, char **Arguments);

int main(int ArgumentCount, char **Arguments) {
  return PROGRAM_MAIN(ArgumentCount, Arguments);
}
