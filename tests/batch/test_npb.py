# SPDX-License-Identifier: BSD-3-Clause
import json
import os

import support
from mustbatch import npb

GOOD = "#!/bin/sh\necho ' Verification    =               SUCCESSFUL'\n"
BAD = "#!/bin/sh\necho ' Verification    =             UNSUCCESSFUL'\n"


class Npb(support.Folder):
    def build(self, name, text=GOOD):
        os.chmod(self.write(f"bin/{name}", text), 0o755)

    def npb(self, *words):
        return self.batch("npb", "--bin", "bin", "--output", "out", "--mustrun", support.STANDIN, "--mpiexec", support.STANDIN, *words)

    def test_kernels_take_the_ranks_that_they_take(self):
        takes = {kernel: [ranks for ranks in range(1, 18) if npb.takes(kernel, ranks) is None] for kernel in npb.KERNELS}
        self.assertEqual(takes["bt"], [1, 4, 9, 16])
        self.assertEqual(takes["sp"], takes["bt"])
        self.assertEqual(takes["ep"], list(range(1, 18)))
        for kernel in ("cg", "ft", "is", "lu", "mg"):
            self.assertEqual(takes[kernel], [1, 2, 4, 8, 16])

    def test_cases_run_with_their_verification_and_the_others_say_why_not(self):
        self.build("cg.S.x")
        self.build("bt.S.x")
        self.build("ep.S.3")
        self.build("mg.S.x", BAD)
        ended = self.npb("--class", "S,W", "--ranks", "3,4", "--kernels", "bt,cg,ep,mg", "--", "--oversubscribe")
        self.assertEqual(ended.returncode, 1, ended.stderr)
        words = self.words()
        self.assertEqual(
            {name: word for name, word in words.items() if word != "skipped"},
            {"ep.S.3": "pass", "cg.S.4": "pass", "bt.S.4": "pass", "mg.S.4": "fail"},
        )
        reasons = {name: entry["reason"] for name, entry in self.results().items()}
        self.assertEqual(reasons["bt.S.3"], "bt needs a square number of ranks")
        self.assertEqual(reasons["cg.S.3"], "cg needs a power of two of ranks")
        self.assertIn("ep.S.x is not in", reasons["ep.S.4"])
        self.assertIn("cg.W.x is not in", reasons["cg.W.4"])
        self.assertIn("nothing in the output matches", reasons["mg.S.4"])
        self.assertIn("--oversubscribe", self.results()["cg.S.4"]["runs"][0]["command"])

    def test_a_communicator_that_is_never_freed_is_a_fault_except_of_is(self):
        leak = {"id": "resource-leak", "class": None, "severity": "warning", "message": "1 communicator was not freed"}
        lost = {"id": "lost-message", "class": None, "severity": "warning", "message": "a message was not received"}
        for name, report in (("is.S.x", {"findings": [leak]}), ("mg.S.x", {"findings": [leak]}), ("is.W.x", {"findings": [leak, lost]}),
                             ("is.A.x", {"complete": False}), ("is.B.x", {})):
            self.build(name, f"{GOOD}echo '{json.dumps(report)}' > report.json\n")
        self.npb("--class", "S,W,A,B", "--ranks", "4", "--kernels", "is,mg")
        words = {name: word for name, word in self.words().items() if word != "skipped"}
        self.assertEqual(words, {"is.S.4": "pass", "mg.S.4": "fail", "is.W.4": "fail", "is.A.4": "error", "is.B.4": "pass"})

    def test_a_launcher_without_slots_says_what_helps(self):
        self.build("cg.S.x")
        self.write("launcher", "#!/bin/sh\necho 'There are not enough slots available in the system' >&2\nexit 1\n")
        os.chmod(self.path("launcher"), 0o755)
        self.batch("npb", "--bin", "bin", "--output", "out", "--mustrun", self.path("launcher"), "--kernels", "cg")
        self.assertEqual(self.results()["cg.S.4"]["reason"], "mpirun does not have enough slots for 4 ranks: add -- --oversubscribe")

    def test_wrong_lists_are_refused(self):
        self.build("cg.S.x")
        for words, sentence in (
            (("--class", "Q"), "'Q' is not a known class"),
            (("--kernels", "xx"), "'xx' is not a known kernel"),
            (("--ranks", "four"), "'four' is not a valid LIST"),
            (("--class", "A"), "none of these benchmarks is in bin"),
        ):
            ended = self.npb(*words)
            self.assertEqual(ended.returncode, 64)
            self.assertIn(sentence, ended.stderr)
        self.assertIn("needs --bin", self.batch("npb").stderr)


if __name__ == "__main__":
    import unittest

    unittest.main()
