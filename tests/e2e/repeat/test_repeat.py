# SPDX-License-Identifier: BSD-3-Clause
"""--must:repeat finds an order in which a program fails, and none in a program without a race.

Usage: test_repeat.py MUSTRUN RACE NO_RACE"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import process  # noqa: E402

MUSTRUN, RACE, NO_RACE = sys.argv[1:4]
LIMIT = process.FAR
NOISE = "100000"  # microseconds: longer than the program's margin


class Repeat(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *words):
        """Exit code, stderr, report and what the program wrote in each run."""
        run = subprocess.run([MUSTRUN, *words, os.path.join(self.folder, "runs")], cwd=self.folder, stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=LIMIT, env=process.environment({}))
        with open(os.path.join(self.folder, "MUST_Output.json"), encoding="utf-8") as report:
            found = json.load(report)
        with open(os.path.join(self.folder, "runs"), encoding="utf-8") as runs:
            return run.returncode, run.stderr.decode(), found, [int(line) for line in runs]

    def test_a_rare_order_is_found(self):
        code, said, report, runs = self.run_it("--must:noise", "1:" + NOISE, "--must:repeat", "60", "--oversubscribe", "-np", "3", RACE)
        self.assertEqual(code, 3, said)
        self.assertEqual((report["application"]["exit_code"], report["ranks"]), (3, 3))
        self.assertTrue(runs[-1] > 0 and set(runs[:-1]) <= {0}, runs)
        last = f"run {len(runs)} of 60, noise {len(runs)}:{NOISE}, "
        self.assertRegex(said, re.escape(last) + r"[0-9.]+ s: ended with an error \(exit code 3\)\n")
        self.assertIn(f"the last one ended with an error, with --must:noise {len(runs)}:{NOISE}\n", said)

    def test_a_program_without_a_race_is_run_as_often_as_wanted(self):
        code, said, report, runs = self.run_it("--must:repeat", "8", "--oversubscribe", "-np", "3", NO_RACE)
        self.assertEqual((code, report["verdict"], runs), (0, "clean", [0] * 8), said)
        self.assertEqual(re.findall(r"run (\d+) of 8, noise (\d+):1000, [0-9.]+ s: no error\n", said),
                         [(str(n), str(n)) for n in range(1, 9)])
        self.assertRegex(said, r"orknot: 8 runs(, \d+ different orders?)?; no error\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
