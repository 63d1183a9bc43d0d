#===- bench/gain/programs/redis.py - redis, a store of sessions ------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A server that is mostly asked which keys it has, and for the values of few. With libc's functions
in place of the jemalloc that it brings along."""

import random
import re

from program import Program, Size, Unit, files
from server import Server

# Of the commands in a batch, so many ask for values; these are of one in so many keys.
GETS, POPULAR = 0.1, 20
BATCH = 1000
LUA_FLAGS = ("-DLUA_ANSI", "-DENABLE_CJSON_GLOBAL", "-DREDIS_STATIC=", "-DLUA_USE_MKSTEMP",
             "-D__C99FEATURES__=1", "-Wno-everything")


def units(tree, generated):
    (generated / "release.h").write_text('#define REDIS_GIT_SHA1 "0"\n#define REDIS_GIT_DIRTY "0"\n'
                                         '#define REDIS_BUILD_ID "0"\n')
    listed = re.search(r"^REDIS_SERVER_OBJ=(.*)$", (tree / "src/Makefile").read_text(), re.M)[1]
    flags = ("-std=gnu11", "-DREDIS_STATIC=", "-DUSE_LIBC", "-Ideps/hiredis", "-Ideps/linenoise",
             "-Ideps/lua/src", "-Ideps/hdr_histogram", f"-I{generated}", "-pthread",
             "-Wno-everything")
    hiredis = ("alloc.c", "async.c", "hiredis.c", "net.c", "read.c", "sds.c", "sockcompat.c")
    return [Unit(path, flags) for path in files(
        tree, *(f"src/{object[:-2]}.c" for object in listed.split()))] + \
        [Unit(path, ("-std=gnu11", "-D_GNU_SOURCE", "-Wno-everything")) for path in files(
            tree, *(f"deps/hiredis/{name}" for name in hiredis))] + \
        [Unit(path, ("-std=gnu11", "-Wno-everything",
                     '-DHDR_MALLOC_INCLUDE="hdr_redis_malloc.h"'))
         for path in files(tree, "deps/hdr_histogram/hdr_histogram.c")] + \
        [Unit(path, LUA_FLAGS) for path in files(tree, "deps/lua/src/*.c",
                                                 without=("lua.c", "luac.c", "print.c"))]


def command(*words):
    parts = [f"*{len(words)}\r\n".encode()]
    for word in words:
        word = word if isinstance(word, bytes) else word.encode()
        parts.append(b"$%d\r\n%s\r\n" % (len(word), word))
    return b"".join(parts)


def batches(commands):
    batch = []
    for number, one in enumerate(commands, 1):
        batch.append(one)
        if number % BATCH == 0:
            mark = f"batch {number}"
            yield (b"".join(batch) + command("ECHO", mark),
                   f"${len(mark)}\r\n{mark}\r\n".encode())
            batch = []


def key(number):
    return f"session:{number:09}"


def load(size):
    draw = random.Random(4)
    return batches(command("SET", key(number), draw.randbytes(6).hex()) for number in
                   range(size.amount))


def work(size):
    draw = random.Random(5)

    def ask():
        if draw.random() < GETS:
            return command("GET", key(draw.randrange(size.amount // POPULAR) * POPULAR))
        return command("EXISTS", key(draw.randrange(size.amount)))
    return batches(ask() for _ in range(size.rounds))


PROGRAM = Program(
    name="redis", package="redis", units=units, arguments=lambda folder, size: [],
    does="a server on the loopback interface, asked which sessions there are, and for some",
    profiled=Size(60000, 60000), measured=Size(300000, 150000),
    libraries=("-lm", "-ldl", "-lpthread", "-rdynamic"),
    client=Server(arguments=lambda port: ["--port", str(port), "--bind", "127.0.0.1", "--save", "",
                                          "--appendonly", "no", "--disable-thp", "no",
                                          "--daemonize", "no"],
                  load=load, work=work, quit=command("SHUTDOWN", "NOSAVE")))
