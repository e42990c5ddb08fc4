# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import signal
import subprocess
import unittest

from mustbatch import process
import support
from support import Folder, case

WAIT = "echo $$ > {0}.new; mv {0}.new {0}; exec sleep 600"
# The program with another patience: how long before its last resort, and its name and arguments.
PATIENT = f"""
import runpy, sys
sys.path.insert(0, {os.path.join(os.environ["BATCH_SOURCE"], "mustbatch")!r})
from mustbatch import process
process.PATIENCE = float(sys.argv[1])
del sys.argv[:2]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class Interrupted(Folder):
    def start(self, *words, patience=process.PATIENCE):
        python, program, *others = self.command(*self.run_words(*words))
        command = [python, "-c", PATIENT, str(patience), program, *others]
        return subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)

    def wait_until_gone(self, pid):
        self.wait_until(lambda: not os.path.exists(f"/proc/{pid}") or process.is_zombie(pid))

    def three(self):
        """One that ends, one that waits at first, one behind it. Each run is counted."""
        log = self.path("log")
        second = f"echo second >> {log}; test -e {self.path('go')} && exit 0; " + WAIT.format(self.path("pid"))
        self.suite(case("first", f"echo first >> {log}"), case("second", second), case("third", f"echo third >> {log}"))

    def runs(self):
        return self.read("log").split()

    def test_ctrl_c_ends_the_running_case_and_writes_the_summary_so_far(self):
        self.three()
        started = self.start()
        pid = self.wait_for("pid").strip()
        started.send_signal(signal.SIGINT)
        text = started.communicate(timeout=support.LIMIT)[0]
        self.assertEqual(started.returncode, 130)
        self.wait_until_gone(pid)
        self.assertEqual(self.words(), {"first": "pass", "second": "skipped", "third": "skipped"})
        self.assertTrue(self.summary()["interrupted"])
        self.assertIn("The case is as expected; interrupted before 2 more.", text)
        self.assertIn("--resume", self.read("out", "summary.html"))
        self.assertEqual(self.runs(), ["first", "second"])

    def test_resume_goes_on_where_it_was(self):
        self.three()
        started = self.start()
        self.wait_for("pid")
        started.send_signal(signal.SIGTERM)
        started.communicate(timeout=support.LIMIT)
        self.assertEqual(started.returncode, 143)
        self.write("go", "")
        ended = self.run_suite("--resume")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertEqual(self.runs(), ["first", "second", "second", "third"])
        self.assertEqual(self.words(), {"first": "pass", "second": "pass", "third": "pass"})

    def test_resume_after_it_was_killed_and_nothing_of_the_case_lives_on(self):
        self.three()
        started = self.start()
        pid = self.wait_for("pid").strip()
        started.kill()
        started.communicate(timeout=support.LIMIT)
        self.wait_until_gone(pid)
        self.assertEqual(list(json.loads(self.read("out", "state.json"))["done"]), ["first"])
        self.write("go", "")
        self.assertEqual(self.run_suite("--resume").returncode, 0)
        self.assertEqual(self.runs(), ["first", "second", "second", "third"])

    def test_resume_runs_again_what_has_changed(self):
        log = self.path("log")
        self.suite(case("a", f"echo a >> {log}"), case("b", f"echo b >> {log}"))
        self.run_suite()
        self.suite(case("a", f"echo a >> {log}"), case("b", f"echo b2 >> {log}"))
        self.run_suite("--resume")
        self.assertEqual(self.runs(), ["a", "b", "b2"])
        self.run_suite("--resume", "--repeat", "2")
        self.assertEqual(self.runs(), ["a", "b", "b2", "a", "a", "b2", "b2"])

    def test_without_resume_all_run_again(self):
        self.suite(case("a", f"echo a >> {self.path('log')}"))
        self.run_suite()
        self.run_suite()
        self.assertEqual(self.runs(), ["a", "a"])

    def test_resume_keeps_a_failure_in_the_summary(self):
        self.suite(case("a", "exit 1"), case("b", "true"))
        self.run_suite("--only", "a")
        ended = self.run_suite("--resume", "--only", "b")
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(self.words(), {"a": "error", "b": "pass"})
        self.assertEqual(self.summary()["resumed"], 1)

    def test_a_second_signal_kills(self):
        """One kills at last, too, but the patience is longer than the test waits."""
        deaf = f"trap 'touch {self.path('asked')}' TERM; touch {self.path('up')}; while :; do sleep 0.1; done"
        self.suite(case("a", deaf))
        started = self.start(patience=2 * support.LIMIT)
        self.wait_for("up")
        started.send_signal(signal.SIGINT)
        self.wait_for("asked")
        started.send_signal(signal.SIGINT)
        started.communicate(timeout=support.LIMIT)
        self.assertEqual(started.returncode, 130)


if __name__ == "__main__":
    unittest.main()
