# SPDX-License-Identifier: BSD-3-Clause
import os
import subprocess
import sys
import time
import types
import unittest
from unittest import mock

import support
from mustbatch import process

LIMIT = 30.0  # of the launched programs
UP_AND_SLEEP = "open('up', 'w').close(); time.sleep(600)"


class Ending(support.Folder):
    def setUp(self):
        super().setUp()
        self.now = 1000.0
        clock = mock.patch.object(process, "time", types.SimpleNamespace(monotonic=lambda: self.now))
        clock.start()
        self.addCleanup(clock.stop)

    def launch(self, script):
        with open(os.devnull, "r+b") as null:
            return process.Process([sys.executable, "-c", script], self.folder, dict(os.environ), null, null, null, LIMIT)

    def let_pass(self, launched, seconds):
        """Time passes here only, and something is due."""
        self.now += seconds
        self.assertFalse(launched.tick())

    def finish(self, launched):
        """Without any time passing."""
        self.wait_until(launched.tick)
        launched.close()

    def finish_lingering(self, launched):
        """The launched process ends, and what it has started gets its time."""
        self.wait_until(launched.has_ended)
        self.assertFalse(launched.tick())
        self.now += process.LINGER
        self.finish(launched)

    def is_alive(self, pid):
        return os.path.exists(f"/proc/{pid}") and not process.is_zombie(pid)

    def check_is_ended(self, pid):
        """A process that was killed may still be dying."""
        end = time.monotonic() + LIMIT
        while self.is_alive(pid) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertFalse(self.is_alive(pid))

    def test_a_program_that_ends_by_itself_gives_its_exit_code_and_time(self):
        launched = self.launch("raise SystemExit(5)")
        self.now += 3.0
        self.finish(launched)
        self.assertEqual((launched.exit_code, launched.reason, launched.seconds), (5, None, 3.0))

    def test_a_signal_is_an_exit_code_as_a_shell_shows_it(self):
        launched = self.launch("import os; os.kill(os.getpid(), 11)")
        self.finish(launched)
        self.assertEqual(launched.exit_code, 139)

    def test_the_time_limit_asks_first(self):
        launched = self.launch(f"import signal, sys, time; signal.signal(15, lambda *_: sys.exit(7)); {UP_AND_SLEEP}")
        self.wait_for("up")
        self.let_pass(launched, LIMIT)
        self.finish(launched)
        self.assertEqual((launched.reason, launched.exit_code, launched.killed), ("timeout", 7, False))

    def test_one_that_does_not_obey_is_killed(self):
        launched = self.launch(f"import signal, time; signal.signal(15, signal.SIG_IGN); {UP_AND_SLEEP}")
        self.wait_for("up")
        self.let_pass(launched, LIMIT)
        self.let_pass(launched, process.PATIENCE)
        self.finish(launched)
        self.assertEqual((launched.reason, launched.exit_code), ("timeout", 137))

    def test_processes_in_groups_and_sessions_of_their_own_end_too_and_no_others(self):
        child = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
        script = (
            f"import subprocess, sys, os, time\n"
            f"a = subprocess.Popen([sys.executable, '-c', {child!r}], process_group=0)\n"
            f"b = subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)\n"
            f"open('new', 'w').write(f'{{a.pid}} {{b.pid}}'); os.rename('new', 'pids')\n"
            f"time.sleep(600)\n"
        )
        bystander = subprocess.Popen([sys.executable, "-c", child], process_group=0)
        self.addCleanup(bystander.wait)
        self.addCleanup(bystander.kill)
        launched = self.launch(script)
        pids = self.wait_for("pids").split()
        self.assertTrue(all(self.is_alive(pid) for pid in pids))
        launched.end("interrupted")
        self.finish_lingering(launched)
        for pid in pids:
            self.check_is_ended(pid)
        self.assertTrue(self.is_alive(bystander.pid))

    def test_processes_of_a_launch_inside_a_launch_belong_to_both(self):
        inner = (
            "import sys, time; sys.path.insert(0, sys.argv[1]); import os; from mustbatch import process\nnull = open(os.devnull, 'r+b')\n"
            "p = process.Process([sys.executable, '-c', 'import time; time.sleep(600)'], '.', dict(os.environ), null, null, null, 60)\n"
            "open('new', 'w').write(str(p.child.pid)); os.rename('new', 'pids'); os.execlp('sleep', 'sleep', '600')"
        )
        with open(os.devnull, "r+b") as null:
            command = [sys.executable, "-B", "-c", inner, os.path.join(os.environ["BATCH_SOURCE"], "mustbatch")]
            launched = process.Process(command, self.folder, dict(os.environ), null, null, null, LIMIT)
        (pid,) = self.wait_for("pids").split()
        launched.kill()
        self.finish(launched)
        self.check_is_ended(pid)

    def test_what_is_left_when_the_program_has_ended_is_ended(self):
        script = (
            "import subprocess, sys\n"
            "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], process_group=0)\n"
            "open('pid', 'w').write(str(p.pid))\n"
        )
        launched = self.launch(script)
        self.finish_lingering(launched)
        self.assertEqual(launched.exit_code, 0)
        self.check_is_ended(self.read("pid"))

    def test_a_second_end_kills_at_once(self):
        launched = self.launch(f"import signal, time; signal.signal(15, signal.SIG_IGN); {UP_AND_SLEEP}")
        self.wait_for("up")
        launched.end("interrupted")
        launched.end("interrupted")
        self.finish(launched)
        self.assertEqual(launched.exit_code, 137)


if __name__ == "__main__":
    unittest.main()
