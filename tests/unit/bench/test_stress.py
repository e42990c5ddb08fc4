# SPDX-License-Identifier: BSD-3-Clause
"""What bench/stress says of a run: which run it is, and whether its outcome is right."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
STRESS = pathlib.Path(__file__).resolve().parents[3] / "bench/stress"
sys.path.insert(0, str(STRESS))
import kinds


def kind(name):
    return next(k for k in kinds.KINDS if k.name == name)


def report(*findings, complete=True):
    return {"complete": complete, "findings": [{"id": i, "class": c, "severity": s} for i, c, s in findings]}


MANIFEST = ("deadlock", "manifest", "error")
POTENTIAL = ("deadlock", "potential", "error")
STATE = ("state", None, "note")


class Runs(unittest.TestCase):
    def test_a_run_is_the_same_each_time(self):
        self.assertEqual(kinds.run_of(7, 1), kinds.run_of(7, 1))
        self.assertNotEqual([kinds.run_of(i, 1) for i in range(20)], [kinds.run_of(i, 2) for i in range(20)])

    def test_every_kind_comes_and_its_program_is_there(self):
        self.assertEqual({kinds.run_of(i, 1).kind.name for i in range(2000)}, {k.name for k in kinds.KINDS})
        source = (STRESS / "subject.c").read_text(encoding="utf-8")
        for k in kinds.KINDS:
            self.assertIn(f"KIND({k.program})", source)


class Judging(unittest.TestCase):
    def assert_wrong(self, wrong, name, exit_code, outcome):
        self.assertEqual(bool(kinds.judge(kind(name), exit_code, outcome)), wrong, name)

    def test_a_correct_program_has_no_finding(self):
        self.assert_wrong(False, "ring", 0, report())
        self.assert_wrong(True, "ring", 0, report(MANIFEST))
        self.assert_wrong(True, "ring", 66, report())
        self.assert_wrong(True, "ring", 0, report(complete=False))
        self.assert_wrong(True, "ring", 0, None)

    def test_a_deadlock_has_to_be_found_as_what_it_is(self):
        self.assert_wrong(False, "recv_recv", 66, report(MANIFEST))
        self.assert_wrong(True, "recv_recv", 66, report(POTENTIAL))
        self.assert_wrong(True, "recv_recv", 66, report())

    def test_what_is_only_stopped_is_never_manifest(self):
        self.assert_wrong(False, "stopped_flood", 66, report(POTENTIAL))
        self.assert_wrong(False, "stopped_flood", 0, report())
        self.assert_wrong(True, "stopped_flood", 66, report(MANIFEST))

    def test_a_rank_that_dies_is_no_deadlock(self):
        self.assert_wrong(False, "die_crash", 139, report(("abnormal-end", None, "error")))
        self.assert_wrong(True, "die_crash", 66, report(("abnormal-end", None, "error")))
        self.assert_wrong(True, "die_crash", 139, report(MANIFEST))

    def test_a_call_that_cannot_be_right_is_named_instead_of_the_end_that_it_leads_to(self):
        self.assert_wrong(False, "die_fatal_error", 66, report(("invalid-argument", None, "error")))
        self.assert_wrong(True, "die_fatal_error", 66, report(("abnormal-end", None, "error")))
        self.assert_wrong(True, "die_fatal_error", 6, report(("invalid-argument", None, "error")))

    def test_a_cancelled_job_has_no_error_and_may_have_been_too_early_for_a_report(self):
        self.assert_wrong(False, "long_ring+SIGTERM", 143, report(STATE))
        self.assert_wrong(False, "long_ring+SIGTERM", 143, None)
        self.assert_wrong(True, "long_ring+SIGTERM", 143, report(MANIFEST))
        self.assert_wrong(True, "long_ring+SIGTERM", 66, report(STATE))


if __name__ == "__main__":
    unittest.main()
