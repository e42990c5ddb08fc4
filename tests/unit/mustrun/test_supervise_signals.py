# SPDX-License-Identifier: BSD-3-Clause
"""Signals to mustrun."""
import os
import signal

from supervise import LIMIT, Case, alive, wait_until, main


WITHOUT_ACTION = (signal.SIGKILL, signal.SIGSTOP)


def ignore_all():
    for signo in signal.valid_signals() - set(WITHOUT_ACTION):
        signal.signal(signo, signal.SIG_IGN)


def block_all():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


class Signals(Case):
    def started(self, process):
        self.assertTrue(wait_until(lambda: "mpirun" in self.log()), process.poll())

    def said(self, process, text):
        """mustrun writes this; returns all that came before, too."""
        so_far = b""
        while text not in so_far:
            line = process.stderr.readline()
            self.assertNotEqual(line, b"", so_far)
            so_far += line
        return so_far

    def test_an_interrupt_asks_for_the_state_before_the_job_ends(self):
        for signo in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(signo=signo):
                process = self.start("-np", "2", "sleep", "600")
                self.started(process)
                process.send_signal(signo)
                _, stderr = process.communicate(timeout=LIMIT)
                self.assertEqual(process.returncode, 128 + signo)
                self.assertIn(b"rank 0 is in MPI_Recv", stderr)
                self.assertIn("told interrupt", self.log())
                self.assertIs(self.report()["application"]["ended"], True)
                os.remove(self.path("log"))

    def test_sigusr1_asks_where_the_ranks_are_and_the_run_goes_on(self):
        process = self.start("-np", "2", "sh", "-c", "while ! test -e go; do sleep 0.02; done")
        self.started(process)
        process.send_signal(signal.SIGUSR1)
        self.said(process, b"status: rank 1 is in MPI_Send")
        with open(self.path("work", "go"), "w"):
            pass
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 0)
        self.assertIn("told status", self.log())
        self.assertEqual(self.report()["findings"], [])

    def test_the_state_is_reported_though_the_tool_cannot_complete_it(self):
        for tool, text in (("", "rank 0 is in MPI_Recv at a.c:5"), ("no-stacks", "rank 0 is in MPI_Recv"),
                           ("state-then-die", "rank 0 is in MPI_Recv")):
            with self.subTest(tool=tool):
                process = self.start("-np", "2", "sleep", "600", FAKE_TOOL=tool)
                self.started(process)
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=LIMIT)
                self.assertEqual([finding["message"] for finding in self.report()["findings"]], [text])
                os.remove(self.path("log"))

    def test_a_tool_that_still_works_when_the_job_has_ended_may_finish(self):
        process = self.start("-np", "2", "true", FAKE_TOOL="slow-end")
        self.assertTrue(wait_until(lambda: "told end" in self.log()))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        self.assertEqual((process.returncode, self.report()["notes"]), (128 + signal.SIGTERM, ["a note of the tool"]))

    def test_a_tool_that_does_not_answer_is_not_waited_for_long(self):
        process = self.start("-np", "2", "sleep", "600", FAKE_TOOL="mute")
        self.started(process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)

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
        process.send_signal(signal.SIGTERM)
        self.said(process, b"rank 0 is in MPI_Recv")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        # Of the second signal, and of the end of mpirun. Without it: of the ranks' limit, of mpirun's limit, and of its end.
        self.assertEqual(self.log().count("told kill"), 2)

    def test_a_killed_mustrun_leaves_no_process(self):
        for before in (None, ignore_all, block_all):
            with self.subTest(before=before):
                process = self.start("-np", "2", "sleep", "600", before=before)
                self.started(process)
                pids = self.pids()
                self.assertEqual([len(pids), all(map(alive, pids))], [2, True])
                process.kill()
                self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)
                os.remove(self.path("log"))

    def test_signals_that_were_ignored_or_blocked_at_its_start_change_nothing(self):
        for before in (ignore_all, block_all):
            with self.subTest(before=before):
                process = self.start("-np", "2", "sh", "-c", "exit 3", before=before)
                process.communicate(timeout=LIMIT)
                self.assertEqual((process.returncode, self.report()["application"]["exit_code"]), (3, 3))
                process = self.start("-np", "2", "sleep", "600", before=before, FAKE_TOOL="deadlock")
                process.communicate(timeout=LIMIT)
                self.assertEqual(process.returncode, 66)
                os.remove(self.path("log"))


if __name__ == "__main__":
    main()
