#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files that cannot be replayed: one sentence, the documented exit code, and nothing is started.

usage: test_files.py <mustrun> <mustview> <folder of the programs> [test]
"""
import os
import random
import subprocess
import sys
import unittest

import orders

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, MUSTVIEW, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:4])
USAGE, DATA = 64, 65
LENGTHS = 12  # of truncated files that are replayed; mustview gets all lengths


def program(name):
    return orders.Program(os.path.join(HERE, "programs", f"{name}.c"), os.path.join(PROGRAMS, f"order_{name}"))


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = orders.Lab(MUSTRUN, program("recv_any_source")).__enter__()
        cls.path = cls.lab.path("order")
        cls.recorded = cls.lab.run(orders.noise(1), ("record", cls.path))
        with open(cls.path, "rb") as file:
            cls.content = file.read()

    @classmethod
    def tearDownClass(cls):
        cls.lab.__exit__()

    def written(self, content):
        path = self.lab.path("bad")
        with open(path, "wb") as file:
            file.write(content)
        return path

    def refused(self, path, code, *words, ranks=None, lab=None):
        """Returns the sentence."""
        run = (lab or self.lab).run(("replay", path), ranks=ranks)
        self.assertEqual(run.exit_code, code, run.stderr)
        lines = [line for line in run.stderr.splitlines() if line.strip()]
        self.assertEqual(len(lines), 1, run.stderr)
        self.assertEqual((run.stdout, run.report, run.leftovers), ([], None, []))
        for word in words:
            self.assertIn(word, lines[0])
        return lines[0]

    def test_random_bytes(self):
        rng = random.Random(1)
        for size in (1, 7, 100, 5000):
            self.refused(self.written(rng.randbytes(size)), DATA, "cannot replay")

    def test_an_empty_file(self):
        self.refused(self.written(b""), DATA, "cannot replay")

    def test_a_text(self):
        self.refused(os.path.abspath(__file__), DATA, "not an order")

    def test_no_file(self):
        self.refused(self.lab.path("none"), USAGE, "No such file")

    def test_a_folder(self):
        self.refused(self.lab.folder, USAGE, "irectory")

    def test_another_program(self):
        with orders.Lab(MUSTRUN, program("waitany")) as lab:
            self.refused(self.path, USAGE, "another program", "order_recv_any_source", lab=lab)

    def test_another_number_of_ranks(self):
        self.refused(self.path, USAGE, "4 ranks", "3", ranks=3)

    def test_damaged_bytes(self):
        """A bit anywhere: refused, whether it is in the header or in a block."""
        rng = random.Random(2)
        for _ in range(LENGTHS):
            content = bytearray(self.content)
            at = rng.randrange(len(content))
            content[at] ^= 1 << rng.randrange(8)
            run = self.lab.run(("replay", self.written(content)))
            self.assertIn(run.exit_code, (USAGE, DATA), f"byte {at}: {run.stderr}")
            self.assertEqual((run.stdout, run.report), ([], None), f"byte {at}")

    def test_truncated_files(self):
        """What was cut off is a damaged header, or a recording that ends early: then the run goes on without it."""
        for i in range(LENGTHS):
            size = (len(self.content) - 1) * i // (LENGTHS - 1)
            run = self.lab.run(("replay", self.written(self.content[:size])))
            self.assertIn(run.exit_code, (0, DATA), f"{size} of {len(self.content)} bytes: {run.stderr}")
            if run.exit_code == DATA:
                self.assertEqual((run.stdout, run.report), ([], None), f"{size} bytes")
            else:
                self.assertEqual(run.findings(orders.DIVERGENCE), [], f"{size} bytes")
                self.assertIn("its recording was cut off", run.stderr, f"{size} bytes")
                if " repeated 0 of 0 choices" in run.stderr:
                    self.assertIn("ran freely", run.stderr, f"{size} bytes")

    def test_mustview_shows_or_refuses_every_length(self):
        for size in range(0, len(self.content) + 1, max(1, len(self.content) // 200)):
            done = subprocess.run([MUSTVIEW, "--order", self.written(self.content[:size])], capture_output=True, timeout=900, check=False)
            self.assertIn(done.returncode, (0, USAGE, DATA), f"{size} bytes: {done.stderr}")
            self.assertLessEqual(len(done.stderr.splitlines()), 1)

    def test_mustview_refuses_damaged_files(self):
        rng = random.Random(3)
        for _ in range(200):
            content = bytearray(self.content)
            at = rng.randrange(len(content))
            content[at] ^= 1 << rng.randrange(8)
            done = subprocess.run([MUSTVIEW, "--order", self.written(content)], capture_output=True, timeout=900, check=False)
            self.assertIn(done.returncode, (0, USAGE, DATA), f"byte {at}: {done.stderr}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=1)
