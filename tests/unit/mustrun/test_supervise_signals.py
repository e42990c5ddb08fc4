# SPDX-License-Identifier: BSD-3-Clause
"""Signals to mustrun."""
import os
import signal
import time

from supervise import LIMIT, Case, alive, wait_until, main


class Signals(Case):
    def started(self, process):
        self.assertTrue(wait_until(lambda: "mpirun" in self.log()), process.poll())
        time.sleep(0.3)

    def test_an_interrupt_asks_for_the_state_before_the_job_ends(self):
        for signo in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(signo=signo):
                process = self.start("-np", "2", "sleep", "50")
                self.started(process)
                process.send_signal(signo)
                _, stderr = process.communicate(timeout=LIMIT)
                self.assertEqual(process.returncode, 128 + signo)
                self.assertIn(b"rank 0 is in MPI_Recv", stderr)
                self.assertIn("told interrupt", self.log())
                self.assertIs(self.report()["application"]["ended"], True)
                os.remove(self.path("log"))

    def test_sigusr1_asks_where_the_ranks_are_and_the_run_goes_on(self):
        process = self.start("-np", "2", "sleep", "2")
        self.started(process)
        process.send_signal(signal.SIGUSR1)
        _, stderr = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 0)
        self.assertIn("told status", self.log())
        self.assertIn(b"status: rank 1 is in MPI_Send", stderr)
        self.assertEqual(self.report()["findings"], [])

    def test_a_tool_that_does_not_answer_is_not_waited_for_long(self):
        process = self.start("-np", "2", "sleep", "50", FAKE_TOOL="mute")
        self.started(process)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertLess(time.monotonic() - start, 8)

    def test_sigquit_gives_the_ranks_no_time(self):
        process = self.start("-np", "2", "true", FAKE_MPIRUN="deaf")
        self.started(process)
        process.send_signal(signal.SIGQUIT)
        _, stderr = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 128 + signal.SIGQUIT)
        self.assertIn(b"rank 0 is in MPI_Recv", stderr)
        self.assertIn("told kill", self.log())

    def test_a_second_signal_hastens(self):
        process = self.start("-np", "2", "true", FAKE_MPIRUN="deaf")
        self.started(process)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertLess(time.monotonic() - start, 5)

    def test_a_killed_mustrun_leaves_no_process(self):
        process = self.start("-np", "2", "sleep", "50")
        self.started(process)
        pids = self.pids()
        self.assertEqual([len(pids), all(map(alive, pids))], [2, True])
        process.kill()
        self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)


if __name__ == "__main__":
    main()
