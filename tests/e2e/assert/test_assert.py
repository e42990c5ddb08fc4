# SPDX-License-Identifier: BSD-3-Clause
"""A tool process whose invariant does not hold ends and says which; the application runs on to its end.

Usage: test_assert.py MUSTRUN MUST-TOOL INTERCEPTOR STEPS"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import process  # noqa: E402

MUSTRUN, TOOL, INTERCEPTOR, STEPS = sys.argv[1:5]


class Assertion(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="assert-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.mustrun = self.install(MUSTRUN, "mustrun")
        self.install(TOOL, "overlay", "must-tool")
        self.install(INTERCEPTOR, "interceptor")
        for backend in glob.glob(os.path.join(os.path.dirname(INTERCEPTOR), "libmust-interceptor-*.so*")):
            shutil.copy(backend, os.path.join(self.folder, "interceptor"))

    def install(self, source, folder, name=None):
        os.mkdir(os.path.join(self.folder, folder))
        return shutil.copy(source, os.path.join(self.folder, folder, name or os.path.basename(source)))

    def test_the_application_runs_on(self):
        command = [self.mustrun, "--must:rma=off", "--must:fold=off", "--oversubscribe", "-np", "2", STEPS, "100"]
        run = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=900, env=process.environment())
        said = run.stderr.decode()
        self.assertIn(b"sum", run.stdout)
        self.assertEqual(run.returncode, 70, said)
        self.assertRegex(said, r'must-tool: internal error, please report it: "num_feeds < 30" does not hold in '
                               r"count_feeds \(\S*failing\.c:\d+\)")
        self.assertIn("the tool's job ended early: later calls were not observed", said)
        with open(os.path.join(self.folder, "MUST_Output.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertFalse(report["complete"])
        self.assertEqual(report["findings"], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
