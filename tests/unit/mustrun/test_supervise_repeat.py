# SPDX-License-Identifier: BSD-3-Clause
"""--must:repeat."""
import os
import re
import signal

from supervise import LIMIT, SANITIZED, Case, wait_until, main


class Repeat(Case):
    """--must:repeat with a program that counts its runs in the file `count`."""
    COUNT = "echo x >> count; test $(wc -l < count) -lt %d || exit 3"
    MANY = 20

    def count(self):
        with open(self.path("work", "count")) as count:
            return len(count.readlines())

    def lines(self, stderr):
        return re.findall(r"^orknot: run (\d+) of (\d+), noise (\d+:\d+), [0-9.]+ s: (.*)$", stderr.decode(), re.M)

    def test_it_ends_with_the_first_run_that_fails(self):
        run = self.run_it("--must:noise", "18446744073709551614:7", "--must:repeat", "9", "-np", "2", "sh", "-c",
                          self.COUNT % 4 + "; echo $ORKNOT_NOISE")
        self.assertEqual((run.returncode, self.count()), (3, 4), run.stderr)
        self.assertEqual(run.stdout.split(), [b"18446744073709551614:7", b"18446744073709551615:7", b"0:7"])
        self.assertEqual([(n, how) for n, _, _, how in self.lines(run.stderr)],
                         [("1", "no error"), ("2", "no error"), ("3", "no error"), ("4", "ended with an error (exit code 3)")])
        self.assertIn(b"orknot: 4 runs; the last one ended with an error, with --must:noise 1:7\n", run.stderr)
        self.assertEqual(run.stderr.count(b"MUST_Output.html"), 1)  # of the last run
        self.assertEqual(run.stderr.count(b": watching "), 1)
        self.assertEqual(self.report()["application"]["exit_code"], 3)

    def test_an_error_that_leaves_the_exit_code_alone_ends_it(self):
        run = self.run_it("--must:repeat", "5", "--must:errorcode", "0", "--must:on", "deadlock=continue", "-np", "2", "sh", "-c",
                          "echo x >> count; sleep 1", FAKE_TOOL="deadlock")
        self.assertEqual((run.returncode, self.count()), (0, 1), run.stderr)
        self.assertIn(b"ended with an error (exit code 0)", run.stderr)

    def test_quiet_says_only_what_failed(self):
        run = self.run_it("--must:quiet", "--must:repeat", "3", "-np", "2", "true")
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        run = self.run_it("--must:quiet", "--must:repeat", "3", "-np", "2", "sh", "-c", self.COUNT % 2)
        self.assertEqual((run.returncode, run.stderr.decode()),
                         (3, "orknot: 2 runs; the last one ended with an error, with --must:noise 2:1000\n"))

    def test_an_interrupt_ends_it(self):
        wait_in_the_second = "echo x >> count; test $(wc -l < count) -lt 2 || exec sleep 600"
        process = self.start("--must:repeat", "1000", "-np", "2", "sh", "-c", wait_in_the_second)
        self.assertTrue(wait_until(lambda: os.path.exists(self.path("work", "count")) and self.count() == 2), process.poll())
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=LIMIT)
        self.assertEqual((process.returncode, self.count()), (128 + signal.SIGINT, 2), stderr)
        self.assertIn(b"orknot: 2 runs; interrupted\n", stderr)
        self.assertEqual(self.report()["application"]["ended_by"], "user")

    def test_a_run_that_cannot_start_is_not_counted(self):
        run = self.run_it("--must:repeat", "5", "--must:output-dir", "missing/folder", "-np", "2", "true")
        self.assertEqual(run.returncode, 64)
        self.assertNotIn(b" run", run.stderr)

    def test_many_runs_need_no_more_than_one(self):
        """Sessions are new; files, memory and children of mustrun, the parent of the program, do not grow."""
        show = "echo $(ls /proc/$PPID/fd | wc -l) $(grep VmRSS /proc/$PPID/status | tr -dc 0-9) $(wc -w < /proc/$PPID/task/$PPID/children)"
        run = self.run_it("--must:repeat", str(self.MANY), "-np", "2", "sh", "-c", show)
        self.assertEqual(run.returncode, 0, run.stderr)
        files, memory, children = zip(*(map(int, line.split()) for line in run.stdout.splitlines()))
        self.assertEqual((len(files), len(set(files)), set(children)), (self.MANY, 1, {2}), run.stdout)
        if not SANITIZED:  # a sanitizer keeps what was freed for a while, and finds leaks itself
            self.assertLess(memory[-1] - memory[9], 500, memory)
        sessions = re.findall(r"^session (\S+)", self.log(), re.M)
        self.assertEqual((len(sessions), len(set(sessions))), (self.MANY, self.MANY))
        self.assertEqual(len(self.lines(run.stderr)), self.MANY)
        self.assertTrue(run.stderr.endswith(f"orknot: {self.MANY} runs; no error\n".encode()), run.stderr)


if __name__ == "__main__":
    main()
