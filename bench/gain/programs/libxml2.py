#===- bench/gain/programs/libxml2.py - libxml2, a DOM that is searched -----===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A catalogue as a DOM. Elements are found by names; most attributes and texts are never looked at,
but come from the same calls as those that are."""

from bench_error import run
from inputs import made
from program import Program, Size, Unit, driver, files

OFF = ["PYTHON", "LZMA", "ZLIB", "ICONV", "TESTS", "PROGRAMS", "HTTP", "FTP", "SCHEMAS", "SCHEMATRON",
       "READER", "WRITER", "REGEXPS", "MODULES", "XINCLUDE", "DOCB", "LEGACY", "C14N",
       "CATALOG", "HTML", "DEBUG"]
SOURCES = ["buf.c", "chvalid.c", "dict.c", "encoding.c", "entities.c", "error.c", "globals.c",
           "hash.c", "list.c", "parser.c", "parserInternals.c", "pattern.c", "SAX.c", "SAX2.c",
           "threads.c", "tree.c", "uri.c", "valid.c", "xlink.c", "xmlIO.c", "xmlmemory.c",
           "xmlsave.c", "xmlstring.c", "xmlunicode.c", "xpath.c", "xpointer.c"]


def units(tree, generated):
    options = [f"-DLIBXML2_WITH_{part}=OFF" for part in OFF]
    configured = generated / "options"
    if not configured.exists() or configured.read_text() != " ".join(options):
        run(["cmake", "-S", tree, "-B", generated, "-DCMAKE_C_COMPILER=clang-22",
             "-DCMAKE_C_FLAGS=-w", *options])
        configured.write_text(" ".join(options))
    flags = (f"-I{generated}", "-I.", "-Iinclude", "-Wno-everything")
    return [Unit(path, flags) for path in files(tree, *SOURCES)] + \
        [driver("libxml2.c", f"-I{generated}", f"-I{tree}/include")]


def write(out, draw, amount):
    out.write("<catalogue>\n")
    for number in range(amount):
        out.write(f'<item id="{number}" shelf="{draw.randrange(900)}">'
                  f"<name>{draw.text(3)} {number}</name><price>{draw.randrange(10000)}</price>"
                  f"<maker>{draw.text(4)}</maker><description>{draw.text(25)}</description>"
                  f"<origin>{draw.text(6)}</origin></item>\n")
    out.write("</catalogue>\n")


def arguments(folder, size):
    return made(folder / f"libxml2-{size.amount}.xml", size, 2, write)


PROGRAM = Program(
    name="libxml2", package="libxml2", units=units, arguments=arguments,
    does="parses a catalogue into a DOM, and sums prices by walking to elements of that name",
    profiled=Size(10000, 100), measured=Size(40000, 40), libraries=("-lm",))
