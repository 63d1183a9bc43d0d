#===- bench/gain/programs/hunspell.py - hunspell, a dictionary -------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A dictionary whose words have descriptions that checking does not need."""

import random

from program import Program, Size, Unit, driver, files

SYLLABLES = [c + v for c in "b d f g k l m n p r s t v z".split() for v in "aeiou"]


def units(tree, generated):
    (generated / "hunvisapi.h").write_text("#define LIBHUNSPELL_DLL_EXPORTED\n")
    (generated / "config.h").write_text("")
    flags = (f"-I{generated}", "-DHUNSPELL_STATIC", "-Wno-everything")
    return [Unit(path, flags) for path in files(tree, "src/hunspell/*.cxx")] + \
        [driver("hunspell.cpp", f"-I{generated}", f"-I{tree}/src/hunspell", "-DHUNSPELL_STATIC")]


def words(draw, amount):
    found = {}
    while len(found) < amount:
        found["".join(draw.choice(SYLLABLES) for _ in range(draw.randrange(2, 6)))] = None
    return list(found)


def arguments(folder, size):
    name = folder / f"hunspell-{size.amount}"
    if not name.with_suffix(".txt").exists():
        draw = random.Random(6)
        known = words(draw, size.amount)
        name.with_suffix(".aff").write_text("SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n"
                                            "SFX D Y 1\nSFX D 0 ed .\nPFX R Y 1\nPFX R 0 re .\n")
        name.with_suffix(".dic").write_text(f"{len(known)}\n" + "".join(
            f"{word}/{draw.choice(['S', 'SD', 'SDR', 'R'])}\tpo:noun is:singular st:{word} "
            f"ts:{draw.randrange(1000)}\n" for word in known))
        asked = [draw.choice(known) + draw.choice(["", "", "s", "ed", "x"])
                 for _ in range(50000)]
        name.with_suffix(".txt").write_text("".join(word + "\n" for word in asked))
    return [str(name), str(size.rounds)]


PROGRAM = Program(
    name="hunspell", package="hunspell", units=units, arguments=arguments, language="C++",
    does="checks the words of a text", profiled=Size(40000, 10), measured=Size(150000, 10))
