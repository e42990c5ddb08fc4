# SPDX-License-Identifier: BSD-3-Clause
"""mustrun under the real mpirun, and under MPICH's hydra."""
import os
import pty
import re
import shutil
import signal
import subprocess
import unittest

from supervise import INTERCEPTOR, LIMIT, SANITIZED, Case, alive, wait_until, main


class RealMpirun(Case):
    """Under the machine's own mpirun."""

    def test_stdout_and_stdin_are_untouched(self):
        data = bytes(range(256)) * 4000
        run = self.run_it("-np", "1", "cat", fake=False, stdin=data)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, data)

    def environments(self, *words, **environment):
        run = self.run_it("--oversubscribe", *words, fake=False, **environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        return sorted(run.stdout.decode().split("\n"))[1:]

    SHOW = ["sh", "-c", 'echo "$OMPI_COMM_WORLD_RANK $LD_PRELOAD ${#ORKNOT_TOKEN} $A $B"']

    def test_all_contexts_get_the_interceptor(self):
        lines = self.environments("-np", "2", *self.SHOW, ":", "-np", "1", *self.SHOW)
        self.assertEqual(lines, ["%d %s 32  " % (rank, self.interceptor) for rank in range(3)])

    def test_exports_of_the_user_stay(self):
        lines = self.environments("-x", "A", "-np", "1", *self.SHOW, ":", "-np", "1", "-x", "B=2", *self.SHOW, A="1")
        self.assertEqual(lines, ["0 %s 32 1 " % self.interceptor, "1 %s 32 1 2" % self.interceptor])

    @unittest.skipIf(SANITIZED, "the sanitizer wants to be preloaded first")
    def test_a_library_preloaded_by_the_user_comes_second(self):
        own = self.install(INTERCEPTOR, self.path("own"), "own.so")
        both = self.interceptor + ":" + own
        self.assertEqual(self.environments("-x", "LD_PRELOAD=" + own, "-np", "1", *self.SHOW), ["0 %s 32  " % both])
        self.assertEqual(self.environments("-np", "1", *self.SHOW, LD_PRELOAD=own), ["0 %s 32  " % both])

    def test_a_list_of_variables_stays(self):
        line = "0 %s 32  7" % self.interceptor
        self.assertEqual(self.environments("--mca", "mca_base_env_list", "B=7", "-np", "1", *self.SHOW), [line])
        self.assertEqual(self.environments("-np", "1", *self.SHOW, OMPI_MCA_mca_base_env_list="B=7"), [line])
        self.assertIn("LD_PRELOAD=None", self.log())

    def test_an_appfile_gets_the_interceptor_in_each_line(self):
        script = self.path("show.sh")
        with open(script, "w") as out:
            out.write(self.SHOW[2] + "\n")
        with open(self.path("appfile"), "w") as out:
            out.write("# two\n-np 1 -x B=5 sh %s\n\n-np 1 sh %s # second\n" % (script, script))
        lines = self.environments("--app", self.path("appfile"))
        self.assertEqual(lines, ["0 %s 32  5" % self.interceptor, "1 %s 32  " % self.interceptor])

    def test_a_program_that_cannot_be_started_is_mpiruns_affair(self):
        run = self.run_it("-np", "1", "./no-such-program", fake=False)
        plain = subprocess.run(["mpirun", "-np", "1", "./no-such-program"], capture_output=True, timeout=LIMIT,
                               env=self.environment)
        self.assertEqual(run.returncode, plain.returncode)
        self.assertIn(b"no-such-program", run.stderr)

    def ranks_of(self, process):
        """Start of two ranks that write their numbers into the log and sleep."""
        self.assertTrue(wait_until(lambda: len(re.findall("^rank", self.log(), re.M)) == 2), process)
        return self.pids()

    SLEEP = ["-np", "2", "sh", "-c", 'echo "rank $$" >>$FAKE_LOG; exec sleep 600']

    def test_a_killed_mustrun_leaves_no_rank(self):
        process = self.start("--oversubscribe", *self.SLEEP, fake=False)
        pids = self.ranks_of(process)
        process.kill()
        self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)

    def test_a_deadlock_leaves_no_rank(self):
        process = self.start("--oversubscribe", *self.SLEEP, fake=False, FAKE_TOOL="deadlock", FAKE_RANKS="2")
        pids = self.ranks_of(process)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 66)
        self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)

    def test_ctrl_c_on_a_terminal_shows_the_state_first(self):
        try:
            pid, terminal = pty.fork()
        except OSError as error:
            self.skipTest(f"no pseudo-terminals here: {error}")
        if pid == 0:
            os.chdir(self.path("work"))
            os.execve(self.mustrun, self.command("--oversubscribe", *self.SLEEP, fake=False), self.environment)
        pids = self.ranks_of(pid)
        os.write(terminal, b"\x03")
        said = b""
        try:
            while True:
                said += os.read(terminal, 65536)
        except OSError:
            pass
        os.close(terminal)
        _, status = os.waitpid(pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 128 + signal.SIGINT, said)
        self.assertIn(b"rank 0 is in MPI_Recv", said)
        self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)


@unittest.skipIf(shutil.which("mpiexec.hydra") is None, "MPICH's hydra is not installed")
class RealHydra(Case):
    """Its SIGTERM goes to the ranks, and it waits for them."""

    def start_sleepers(self, script, **environment):
        """With the process numbers of all that is to end."""
        process = self.start("--must:mpiexec", "mpiexec.hydra", "-n", "2", "sh", "-c", script, fake=False, **environment)
        self.assertTrue(wait_until(lambda: len(re.findall("^rank", self.log(), re.M)) == 2), process)
        return process, self.pids()

    def check_gone(self, pids):
        self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)

    def test_a_deadlock_leaves_no_rank_though_they_ignore_signals(self):
        script = 'trap "" TERM; echo "rank $$" >>$FAKE_LOG; while :; do sleep 1; done'
        process, pids = self.start_sleepers(script, FAKE_TOOL="deadlock", FAKE_RANKS="2")
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 66)
        self.check_gone(pids)

    def test_a_killed_mustrun_leaves_no_rank(self):
        process, pids = self.start_sleepers('echo "rank $$" >>$FAKE_LOG; exec sleep 600')
        process.kill()
        self.check_gone(pids)

    def test_a_rank_that_died_gives_its_signal_though_the_tool_ended_the_others(self):
        run = self.run_it("--must:mpiexec", "mpiexec.hydra", "-n", "2", "sleep", "30", fake=False, FAKE_TOOL="death-and-stuck")
        self.assertEqual(run.returncode, signal.SIGSEGV, run.stderr)
        self.assertEqual(self.report()["application"]["ended_by"], "tool")


if __name__ == "__main__":
    main()
