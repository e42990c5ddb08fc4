# SPDX-License-Identifier: BSD-3-Clause
import os
import subprocess
import sys
import unittest

import support
from mustbatch import process


class Ending(support.Folder):
    def setUp(self):
        super().setUp()
        self.patience, self.linger = process.PATIENCE, process.LINGER
        process.PATIENCE, process.LINGER = 0.5, 0.3
        self.addCleanup(self.restore)

    def restore(self):
        process.PATIENCE, process.LINGER = self.patience, self.linger

    def launch(self, script, limit=30.0):
        with open(os.devnull, "r+b") as null:
            return process.Process([sys.executable, "-c", script], self.folder, dict(os.environ), null, null, null, limit)

    def finish(self, launched, limit=20.0):
        self.wait_until(launched.tick, limit)
        launched.close()

    def is_alive(self, pid):
        return os.path.exists(f"/proc/{pid}") and not process.is_zombie(pid)

    def test_a_program_that_ends_by_itself_gives_its_exit_code_and_time(self):
        launched = self.launch("import time; time.sleep(0.2); raise SystemExit(5)")
        self.finish(launched)
        self.assertEqual((launched.exit_code, launched.reason), (5, None))
        self.assertTrue(0.2 <= launched.seconds < 10)

    def test_a_signal_is_an_exit_code_as_a_shell_shows_it(self):
        launched = self.launch("import os; os.kill(os.getpid(), 11)")
        self.finish(launched)
        self.assertEqual(launched.exit_code, 139)

    def test_the_time_limit_asks_first(self):
        launched = self.launch("import signal, sys, time; signal.signal(15, lambda *_: sys.exit(7)); time.sleep(60)", limit=1.0)
        self.finish(launched)
        self.assertEqual((launched.reason, launched.exit_code, launched.killed), ("timeout", 7, False))

    def test_one_that_does_not_obey_is_killed(self):
        launched = self.launch("import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)", limit=1.0)
        self.finish(launched)
        self.assertEqual((launched.reason, launched.exit_code), ("timeout", 137))

    def test_processes_in_groups_and_sessions_of_their_own_end_too_and_no_others(self):
        child = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"
        script = (
            f"import subprocess, sys, os, time\n"
            f"a = subprocess.Popen([sys.executable, '-c', {child!r}], process_group=0)\n"
            f"b = subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)\n"
            f"open('new', 'w').write(f'{{a.pid}} {{b.pid}}'); os.rename('new', 'pids')\n"
            f"time.sleep(60)\n"
        )
        bystander = subprocess.Popen([sys.executable, "-c", child], process_group=0)
        self.addCleanup(bystander.wait)
        self.addCleanup(bystander.kill)
        launched = self.launch(script)
        pids = self.wait_for("pids").split()
        self.assertTrue(all(self.is_alive(pid) for pid in pids))
        launched.end("interrupted")
        self.finish(launched)
        self.assertFalse(any(self.is_alive(pid) for pid in pids))
        self.assertTrue(self.is_alive(bystander.pid))

    def test_processes_of_a_launch_inside_a_launch_belong_to_both(self):
        inner = (
            "import sys, time; sys.path.insert(0, sys.argv[1]); import os; from mustbatch import process\nnull = open(os.devnull, 'r+b')\n"
            "p = process.Process([sys.executable, '-c', 'import time; time.sleep(60)'], '.', dict(os.environ), null, null, null, 60)\n"
            "open('new', 'w').write(str(p.child.pid)); os.rename('new', 'pids'); os.execlp('sleep', 'sleep', '60')"
        )
        with open(os.devnull, "r+b") as null:
            command = [sys.executable, "-B", "-c", inner, os.path.join(os.environ["BATCH_SOURCE"], "mustbatch")]
            launched = process.Process(command, self.folder, dict(os.environ), null, null, null, 30.0)
        (pid,) = self.wait_for("pids").split()
        launched.kill()
        self.finish(launched)
        self.assertFalse(self.is_alive(pid))

    def test_what_is_left_when_the_program_has_ended_is_ended(self):
        script = (
            "import subprocess, sys\n"
            "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], process_group=0)\n"
            "open('pid', 'w').write(str(p.pid))\n"
        )
        launched = self.launch(script)
        self.finish(launched)
        self.assertEqual(launched.exit_code, 0)
        self.assertFalse(self.is_alive(self.read("pid")))

    def test_a_second_end_kills_at_once(self):
        process.PATIENCE = 60.0
        launched = self.launch("import signal, time; signal.signal(15, signal.SIG_IGN); open('up', 'w').close(); time.sleep(60)")
        self.wait_for("up")
        launched.end("interrupted")
        launched.end("interrupted")
        self.finish(launched, limit=10.0)
        self.assertEqual(launched.exit_code, 137)


if __name__ == "__main__":
    unittest.main()
