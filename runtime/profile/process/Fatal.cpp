//===- profile/process/Fatal.cpp - Errors that end the program ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fatal.h"
#include "ProgramSymbols.h"
#include "platform/System.h"
#include "platform/Text.h"
#include <signal.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;
using sys::asLong;

void sys::fatal(const char *Message) {
  TextWriter(2) << "Thermocline: " << Message << "\n";
  struct {
    void (*Handler)(int);
    unsigned long Flags;
    void (*Restorer)();
    unsigned long Mask;
  } Default = {SIG_DFL, 0, nullptr, 0};
  sys::call(SYS_rt_sigaction, SIGABRT, asLong(&Default), 0,
            sizeof(unsigned long));
  sys::call(SYS_tgkill, sys::processId(), sys::threadId(), SIGABRT);
  sys::exitProcess(134);
}

static Atomic<void (*)()> DeathCallback;

void sys::setDeathCallback(void (*Callback)()) {
  DeathCallback.store(Callback);
}

void sys::fatalMisuse(const char *Message) {
  if (auto *OnError = programSymbols().OnError)
    OnError();
  if (auto *Callback = DeathCallback.load())
    Callback();
  sys::fatal(Message);
}
