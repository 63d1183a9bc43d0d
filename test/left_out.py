"""Which tests are left out where all of ours is sanitized (scripts/sanitize.sh), and why."""

import os

import lit.formats

NO_SANITIZED_CODE = "what it runs is not sanitized: runtimes, or scripts alone"
ALWAYS_SANITIZED = "fuzzers are sanitized in each build, and run in each"
MOLD = "gold stands in for mold as host of our plugin, and the test tells them apart"
OTHER_MACHINE = "it needs a build for another machine; what it runs of this one others run, too"
LEFT_OUT = {
    "AArch64": OTHER_MACHINE,
    "Alloc": NO_SANITIZED_CODE,
    "Bench": NO_SANITIZED_CODE,
    "Source": NO_SANITIZED_CODE,
    "fuzz": ALWAYS_SANITIZED,
    "Plugin/kinds-of-lto.test": MOLD,
    "Plugin/two-modules.ll": MOLD,
}


class SanitizedTests(lit.formats.ShTest):
    """All tests but these."""

    def __init__(self, root):
        super().__init__(execute_external=True)
        for name in LEFT_OUT:
            if not os.path.exists(os.path.join(root, name)):
                raise FileNotFoundError("test/left_out.py: there is no test " + name)

    def getTestsInDirectory(self, suite, path_in_suite, *configs):
        for test in super().getTestsInDirectory(suite, path_in_suite, *configs):
            path = test.path_in_suite
            names = ["/".join(path[:length]) for length in range(1, len(path) + 1)]
            if LEFT_OUT.keys().isdisjoint(names):
                yield test
