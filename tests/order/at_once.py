# SPDX-License-Identifier: BSD-3-Clause
"""Tests whose runs mostly wait: several at a time."""

import concurrent.futures
import unittest

JOBS = 4


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


class Suite(unittest.TestSuite):
    """RATIONALE: a result takes what several threads add to it, but a suite sets up a class when its tests come in a row."""

    def run(self, result, debug=False):
        tests = list(flat(self))
        classes = list(dict.fromkeys(map(type, tests)))
        for class_ in classes:
            class_.setUpClass()
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            list(pool.map(lambda test: test.run(result), tests))
        for class_ in classes:
            class_.tearDownClass()
            class_.doClassCleanups()
        return result


class Loader(unittest.TestLoader):
    suiteClass = Suite


def main(argv):
    unittest.main(argv=argv, testLoader=Loader(), verbosity=1)
