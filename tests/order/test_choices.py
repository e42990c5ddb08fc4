#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The choices that causality/ finds in the records of a run are those of its order: number, kind, place, posted receive, source and
tag. test_choices.py MUSTRUN CHOICES SOURCE=PROGRAM..."""

import os
import subprocess
import sys
import unittest

import at_once
import orders

mustrun, choices, *pairs = sys.argv[1:]


class Choices(unittest.TestCase):
    def check(self, source, path):
        program = orders.Program(source, path)
        with orders.Lab(mustrun, program) as lab:
            trace = lab.path("trace")
            run = lab.run(orders.noise(1), ("trace", trace))
            self.assertIsNotNone(run.report, run.stderr)
            self.assertTrue(os.path.exists(trace), run.stderr)
            done = subprocess.run([choices, trace], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


def add_test(source, path):
    setattr(Choices, f"test_{os.path.basename(path)}", lambda self: self.check(source, path))


if __name__ == "__main__":
    for pair in pairs:
        add_test(*pair.split("=", 1))
    at_once.main(sys.argv[:1])
