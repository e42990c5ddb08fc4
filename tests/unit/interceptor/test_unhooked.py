# SPDX-License-Identifier: BSD-3-Clause
"""A function without a hook: its calls are counted, and the rank relies on nothing that it knew before."""

import tempfile
import unittest

import harness as h


def run(*flags):
    with tempfile.TemporaryDirectory() as directory:
        return h.run([h.compile_program("unhooked.c", directory)], 1, directory, mpirun_flags=flags)


class Unhooked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.known = run()
        cls.run_ = run("-x", "ORKNOT_UNHOOKED=MPI_Barrier")

    def test_the_program_ends_well(self):
        for one in self.known, self.run_:
            self.assertEqual((one.code, one.stdout, one.stderr), (0, "", ""))

    def test_calls_are_counted_at_powers_of_two_and_in_finalize(self):
        records = [r for r in self.run_.calls(0) if r.kind in ("UNHOOKED", "SEND", "COLL", "FINALIZE")]
        self.assertEqual([(r.kind, r.call) for r in records[:4]], [("SEND", "MPI_Send"), *[("UNHOOKED", "MPI_Barrier")] * 3])
        self.assertEqual([r.kind for r in records[-2:]], ["UNHOOKED", "FINALIZE"])
        self.assertEqual([r.extra for r in self.run_.of(0, "UNHOOKED")], [1, 2, 4, 5])
        self.assertEqual(self.known.of(0, "UNHOOKED"), [])

    def test_the_library_is_not_asked_about_a_request_that_may_be_gone(self):
        self.assertEqual(len(self.known.of(0, "EARLY")), 1)
        self.assertEqual(self.run_.of(0, "EARLY"), [])

    def test_no_leak_is_reported(self):
        self.assertTrue(any(r.kind == "USAGE" for r in self.known.records))
        self.assertFalse(any(r.kind == "USAGE" for r in self.run_.records))


if __name__ == "__main__":
    unittest.main()
