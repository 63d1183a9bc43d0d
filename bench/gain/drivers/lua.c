/*===- bench/gain/drivers/lua.c - A Lua script with a steady phase  *- C
-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: lua SCRIPT ARGUMENT...
// Runs a script that calls `begin()` and `finish(sum)`.
//
//===----------------------------------------------------------------------===*/

#include "phase.h"

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static int begin(lua_State *State) {
  (void)State;
  phaseBegin();
  return 0;
}

static int finish(lua_State *State) {
  phaseEnd((unsigned long)luaL_checkinteger(State, 1));
  return 0;
}

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount < 2) {
    fprintf(stderr, "usage: lua SCRIPT ARGUMENT...\n");
    return 1;
  }
  lua_State *State = luaL_newstate();
  luaL_openlibs(State);
  lua_register(State, "begin", begin);
  lua_register(State, "finish", finish);
  if (luaL_loadfile(State, Arguments[1]) != LUA_OK)
    goto failed;
  for (int I = 2; I < ArgumentCount; ++I)
    lua_pushinteger(State, atoi(Arguments[I]));
  if (lua_pcall(State, ArgumentCount - 2, 0, 0) == LUA_OK)
    return 0;
failed:
  fprintf(stderr, "lua: %s\n", lua_tostring(State, -1));
  return 1;
}
