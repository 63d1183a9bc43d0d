#===- bench/gain/programs/cmark.py - cmark, a tree of a document -----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A document in Markdown, of which headings and links are looked at, and not the text."""

from inputs import made
from program import Program, Size, Unit, driver, files

VERSION = """#define CMARK_VERSION 0
#define CMARK_VERSION_STRING "0"
"""
EXPORT = """#define CMARK_EXPORT
#define CMARK_NO_EXPORT
"""
CONFIG = """#define HAVE_STDBOOL_H
#include <stdbool.h>
#define HAVE___BUILTIN_EXPECT
#define HAVE___ATTRIBUTE__
#define CMARK_ATTRIBUTE(list) __attribute__ (list)
#define CMARK_INLINE inline
"""


def units(tree, generated):
    # What its own build makes.
    for name, text in (("cmark_version.h", VERSION), ("cmark_export.h", EXPORT),
                       ("config.h", CONFIG)):
        (generated / name).write_text(text)
    flags = ("-Wno-everything", f"-I{generated}", "-Isrc")
    return [Unit(path, flags) for path in files(tree, "src/*.c", without=("main.c",))] + \
        [driver("cmark.c", f"-I{generated}", "-Isrc")]


def write_document(out, draw, amount):
    for number in range(amount):
        out.write(f"{'#' * draw.randrange(1, 4)} {draw.text(3)} {number}\n\n")
        for _ in range(draw.randrange(1, 4)):
            parts = []
            for _ in range(draw.randrange(3, 8)):
                kind = draw.randrange(4)
                text = draw.text(draw.randrange(3, 12))
                parts.append(f"[{text}](https://example.com/{draw.word()}/{draw.randrange(9999)})"
                             if kind == 0 else f"*{text}*" if kind == 1 else text)
            out.write(" ".join(parts) + "\n\n")


def arguments(folder, size):
    return made(folder / f"cmark-{size.amount}.md", size, 21, write_document)


PROGRAM = Program(
    name="cmark", package="cmark", units=units, arguments=arguments,
    does="reads a document in Markdown, and looks for links below headings of a level",
    profiled=Size(10000, 200), measured=Size(40000, 60))
