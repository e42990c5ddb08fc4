# SPDX-License-Identifier: BSD-3-Clause
"""Deaths, full rings, lost or refusing leaves, and programs that are no ranks."""

import os
import subprocess
import sys
import tempfile
import time
import unittest

import harness as h


ENDS = {"_exit", "_Exit", "ompi_errhandler_invoke"} | {f"ompi_mpi_errors_are_fatal_{of}_handler" for of in ("comm", "file", "win")}
ENDS |= {"MPIR_Err_return_comm", "MPIR_Err_return_win"}
HANDLERS = {"sigaction", "signal", "bsd_signal", "ssignal", "sysv_signal", "__sysv_signal", "sigset"}
RELEASES = {"free", "realloc", "munmap"}
THREADS = {"pthread_create"}
# What a loop that polls may do in between without working.
NAPS_AND_CLOCKS = ["clock", "clock_gettime", "clock_nanosleep", "gettimeofday", "nanosleep",
                   "sched_yield", "sleep", "thrd_sleep", "time", "usleep"]


def under_interceptor(command, **variables):
    return subprocess.run(h.LIMIT + command, capture_output=True, text=True, check=False,
                          env=h.environment(LD_PRELOAD=h.INTERCEPTOR, **variables))


class Threads(unittest.TestCase):
    def come_and_go(self, level):
        run = h.run_program("come_and_go.c", 1, level)
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(len(run.of(0, "SENDRECV")), 100)
        self.assertLessEqual(max(r.thread for r in run.calls(0)), 1)
        return len(run.of(0, "THREAD_END"))

    def test_the_number_of_a_thread_that_ended_is_given_to_the_next(self):
        self.assertEqual(self.come_and_go("multiple"), 100)

    def test_without_multiple_the_next_thread_tells_of_the_end(self):
        self.assertEqual(self.come_and_go("serialized"), 99)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.program = h.compile_program("death.c", cls.directory.name)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()


class Deaths(Case):
    def die(self, how):
        run = h.run([self.program, how], 1, self.directory.name)
        sends = run.of(0, "SEND")
        self.assertEqual([s.tag for s in sends], list(range(1000)), run.stderr)
        return run

    def test_nothing_is_lost_by_a_segmentation_fault(self):
        self.assertNotEqual(self.die("segv").code, 0)

    def test_nothing_is_lost_by_a_kill(self):
        self.assertNotEqual(self.die("kill").code, 0)

    def test_nothing_is_lost_by_abort(self):
        self.assertNotEqual(self.die("abort").code, 0)

    def test_nothing_is_lost_by_exit_without_finalize(self):
        self.assertEqual(self.die("_exit").calls(0)[-1].kind, "SEND")

    def test_mpi_abort_is_the_last_record(self):
        run = self.die("mpi_abort")
        self.assertEqual((run.calls(0)[-1].kind, run.calls(0)[-1].arg), ("ABORT", 6))
        self.assertEqual(run.code, 6)

    def test_a_forked_child_is_no_rank(self):
        """The leaf ends, so the child, which still lives, does not hold the socket."""
        go = os.path.join(self.directory.name, "go")
        try:
            self.die("fork")
        finally:
            with open(go, "w", encoding="utf-8"):
                pass

    def test_a_full_ring_waits_and_loses_nothing(self):
        run = h.run([self.program, "many"], 1, self.directory.name, leaf_words=["late"])
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual([s.tag for s in run.of(0, "SEND")],
                         list(range(1000)) + list(range(100000)))
        self.assertNotIn("waits=0 ", run.ends[0])
        self.assertNotRegex(run.ends[0], "wakeups=[01] ")

    def test_few_records_wake_the_leaf_once_by_mpi_init(self):
        run = h.run([self.program], 1, self.directory.name)
        self.assertIn("wakeups=1 ", run.ends[0])


class Leaves(Case):
    def test_a_wrong_token_makes_an_unobserved_run(self):
        run = h.run([self.program], 1, self.directory.name, token="f" * 32)
        self.assertEqual((run.code, run.dump), (0, "refused\n"))
        self.assertEqual(run.stderr.count("\n"), 1)
        self.assertIn("runs unobserved", run.stderr)

    def test_a_leaf_that_dies_leaves_the_application_running(self):
        session = "orphan-%d" % os.getpid()
        with subprocess.Popen([h.RINGDUMP, session, h.TOKEN, "1"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True,
                              env=h.environment(ORKNOT_TOKEN=h.TOKEN)) as leaf:
            leaf.stderr.readline()
            done = subprocess.run(
                h.LIMIT + h.MPIRUN + ["-np", "1", "-x", "LD_PRELOAD=" + h.INTERCEPTOR, "-x",
                                      "ORKNOT_SESSION", "-x", "ORKNOT_TOKEN", self.program,
                                      "orphan", str(leaf.pid)],
                capture_output=True, text=True, check=False,
                env=h.environment(ORKNOT_SESSION=session, ORKNOT_TOKEN=h.TOKEN))
            leaf.kill()
        self.assertEqual((done.returncode, done.stdout), (0, "still here\n"), done.stderr)

    def test_without_a_leaf_the_run_is_unobserved_after_a_while(self):
        start = time.monotonic()
        done = subprocess.run(
            h.LIMIT + h.MPIRUN + ["-np", "1", "-x", "LD_PRELOAD=" + h.INTERCEPTOR, "-x",
                                  "ORKNOT_SESSION", "-x", "ORKNOT_TOKEN", self.program],
            capture_output=True, text=True, check=False,
            env=h.environment(ORKNOT_SESSION="nobody", ORKNOT_TOKEN=h.TOKEN))
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("runs unobserved: cannot connect to the tool: none of its processes has the host name", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertGreater(time.monotonic() - start, 9)

    def test_without_a_session_nobody_is_asked(self):
        done = subprocess.run(
            h.LIMIT + h.MPIRUN + ["-np", "1", "-x", "LD_PRELOAD=" + h.INTERCEPTOR, self.program],
            capture_output=True, text=True, check=False, env=h.environment())
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class Untouched(unittest.TestCase):
    def test_programs_without_mpi(self):
        session = {"ORKNOT_SESSION": "nobody", "ORKNOT_TOKEN": h.TOKEN, "PMIX_RANK": "0",
                   "PMIX_NAMESPACE": "job"}
        for command, output in ((["/bin/true"], ""), (["bash", "-c", "echo $((6 * 7))"], "42\n"),
                                ([sys.executable, "-c", "print(6 * 7)"], "42\n")):
            done = under_interceptor(command, **session)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, output, ""))

    def test_only_names_of_mpi_naps_clocks_ends_releases_threads_and_lookups_are_exported(self):
        told = subprocess.run(["nm", "-D", "--defined-only", h.INTERCEPTOR], capture_output=True,
                              text=True, check=True).stdout
        names = [line.split()[-1] for line in told.splitlines()]
        self.assertGreater(len(names), 200)
        others = {n for n in names if not n.startswith(("MPI_", "MPIX_", "PMPI_", "PMPIX_", "ork_"))}  # those are for backends
        self.assertEqual(others, set(NAPS_AND_CLOCKS) | ENDS | HANDLERS | RELEASES | THREADS | {"dlsym", "orknot_memory_attach"})

    def test_no_library_comes_with_it_but_c(self):
        told = subprocess.run(["objdump", "-p", h.INTERCEPTOR], capture_output=True, text=True,
                              check=True).stdout
        needed = [line.split()[1] for line in told.splitlines() if "NEEDED" in line]
        self.assertEqual([n for n in needed if not n.startswith(("libc.", "ld-"))], [])


if __name__ == "__main__":
    unittest.main()
