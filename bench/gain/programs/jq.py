#===- bench/gain/programs/jq.py - jq, one large document -------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A document of issues, of which few fields are asked for."""

import json
import re

from inputs import made, write_issues
from program import Program, Size, Unit, driver, files


def units(tree, generated):
    # What jq's own build makes: its library in jq's language, as a string.
    lines = (tree / "src/builtin.jq").read_text().splitlines()
    (generated / "src").mkdir(exist_ok=True)
    (generated / "src/builtin.inc").write_text(
        "".join(json.dumps(line + "\n") + "\n" for line in lines))
    math = set(re.findall(r"\bHAVE_\w+", (tree / "src/libm.h").read_text())) - {"HAVE_POW10"}
    flags = ("-D_GNU_SOURCE", "-DIEEE_8087", "-DHAVE_MEMMEM", "-DHAVE_TM_TM_GMT_OFF",
             "-DHAVE_STRPTIME", "-DHAVE_STRFTIME", "-DHAVE_TIMEGM", "-DHAVE_GMTIME_R",
             "-DHAVE_MKTIME", "-DHAVE_LOCALTIME_R", "-DHAVE_SETLOCALE", "-DHAVE_ISATTY",
             "-DHAVE_PTHREAD_KEY_CREATE", "-DHAVE_PTHREAD_ONCE", "-pthread", "-Isrc",
             f"-I{generated}", "-Wno-everything", *(f"-D{name}" for name in sorted(math)))
    return [Unit(path, flags)
            for path in files(tree, "src/*.c", without=("main.c", "jq_test.c",
                                                        "inject_errors.c"))] + \
        [driver("jq.c", "-Isrc")]


def arguments(folder, size):
    return made(folder / f"jq-{size.amount}.json", size, 1, write_issues)


PROGRAM = Program(
    name="jq", package="jq", units=units, arguments=arguments,
    does="reads a list of issues and selects by state and number of comments",
    profiled=Size(15000, 20), measured=Size(40000, 16), libraries=("-lm", "-lpthread"))
