"""The GoogleTest programs, one lit test for each test case."""

import os

import lit.formats

config.name = "Thermocline-Unit"
config.suffixes = []
config.test_exec_root = os.path.join(config.build_root, "test", "unit")
config.test_source_root = config.test_exec_root
config.test_format = lit.formats.GoogleTest(".", "Tests")
