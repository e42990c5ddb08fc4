# SPDX-License-Identifier: BSD-3-Clause
"""How a supervised run ends: exit codes, findings, and a tool on the same node."""
import os
import re
import signal
import socket
import unittest

from supervise import HYDRA, LIMIT, Case, wait_until, main


class Ends(Case):
    def test_a_clean_run_has_the_exit_code_of_the_application(self):
        run = self.run_it("-np", "2", "sh", "-c", "exit 3")
        self.assertEqual(run.returncode, 3, run.stderr)
        report = self.report()
        self.assertEqual(report["application"], {"exit_code": 3, "signal": None, "ended": True, "ended_by": None})
        self.assertEqual((report["complete"], report["verdict"], report["ranks"]), (True, "clean", 2))
        self.assertEqual(report["command"], ["sh", "-c", "exit 3"])
        self.assertEqual(report["statistics"]["records"], 9)
        self.assertEqual(report["notes"], ["a note of the tool"])

    def test_a_rank_that_died_gives_the_exit_code_though_the_tool_ended_the_others(self):
        run = self.run_it("-np", "2", "sleep", "30", FAKE_TOOL="death-and-stuck")
        self.assertEqual(run.returncode, 128 + signal.SIGSEGV, run.stderr)
        self.assertEqual(self.report()["application"]["ended_by"], "tool")

    def test_an_exit_code_of_a_rank_is_as_its_launcher_would_give_it(self):
        run = self.run_it("-n", "2", "sleep", "30", FAKE_TOOL="death-and-stuck", FAKE_VERSION=HYDRA)
        self.assertEqual(run.returncode, signal.SIGSEGV, run.stderr)

    def test_the_tool_is_told_of_a_signal_that_the_launcher_knows(self):
        for version, code, told in ((HYDRA, 9, 137), (HYDRA, 3, 3), ("mpirun (Open MPI) 5.0.3", 9, 9)):
            run = self.run_it("-n", "2", "sh", "-c", f"exit {code}", FAKE_VERSION=version)
            self.assertEqual(run.returncode, code, run.stderr)
            self.assertIn(f"told exit {told}\n", self.log())

    def test_a_job_that_is_to_go_on_when_a_rank_died_is_not_ended(self):
        for words, version in ((["--enable-recovery", "-np"], None), (["--with-ft=ulfm", "-np"], "mpirun (Open MPI) 5.0.3"),
                               (["-disable-auto-cleanup", "-n"], HYDRA)):
            environment = {"FAKE_VERSION": version} if version is not None else {}
            run = self.run_it(*words, "2", "sh", "-c", "sleep 1; exit 4", FAKE_TOOL="death-and-stuck", **environment)
            self.assertEqual(run.returncode, 4, run.stderr)
            self.assertIn(b"the launcher's options say that the job goes on", run.stderr)
            report = self.report()
            self.assertEqual(report["application"], {"exit_code": 4, "signal": None, "ended": True, "ended_by": None})
            self.assertTrue([n for n in report["notes"] if "others wait for it" in n])

    def test_a_report_of_a_run_that_goes_on_is_not_complete(self):
        copy = 'until cp MUST_Output.json MUST_Output.html copy; do sleep 0.05; done 2>/dev/null'
        os.mkdir(self.path("work", "copy"))
        run = self.run_it("-np", "1", "sh", "-c", copy, FAKE_TOOL="split")
        interim = self.report("work/copy")
        self.assertEqual((interim["application"]["ended"], interim["complete"], interim["verdict"]), (False, False, "findings"))
        with open(self.path("work", "copy", "MUST_Output.html")) as page:
            self.assertIn("was still running when this was written", page.read())
        self.assertEqual((self.report()["application"]["ended"], self.report()["complete"]), (True, True), run.stderr)

    def unobserved(self, *words, code, **environment):
        """What the report says of a run in which no rank reached the tool."""
        run = self.run_it("-np", "2", *words, FAKE_TOOL="empty", **environment)
        self.assertEqual(run.returncode, code, run.stderr)
        report = self.report()
        self.assertEqual((report["complete"], report["verdict"], report["findings"]), (False, "not-checked", []))
        self.assertEqual(len(report["notes"]), 2)  # with that of the tool
        self.assertNotIn(b"no findings", run.stderr)
        self.assertNotIn(b"not all calls were looked at", run.stderr)
        reason = report["notes"][0]
        said = [line for line in run.stderr.decode().splitlines() if line.startswith("orknot: ")]
        self.assertEqual(said[0], "orknot: not checked: " + reason)
        with open(self.path("work", "MUST_Output.html")) as page:
            self.assertIn('<h1 class="warning">Not checked</h1>', page.read())
        return reason

    def test_a_run_in_which_no_rank_was_observed_is_not_clean(self):
        self.assertEqual(self.unobserved("true", code=0),
                         "nothing was observed: no rank called MPI_Init, or stderr shows why ranks ran unobserved")
        note = self.unobserved("sh", "-c", "exit 3", code=3)
        self.assertIn("the application ended with exit code 3 before MPI_Init had returned in any rank", note)
        note = self.unobserved("sh", "-c", "exit 9", code=9, FAKE_VERSION=HYDRA)
        self.assertIn("exit code 9 (mpiexec.hydra's way to report SIGKILL, too) before MPI_Init", note)

    def test_the_launcher_is_named_with_what_it_says_it_is(self):
        for version, text in ((HYDRA, "MPICH (hydra), version 4.0.2"),
                              ("prterun (PRRTE) 3.0.2", "Open MPI 5 and later (prterun), version 3.0.2"),
                              ("?", "Open MPI 4 (orterun); it does not say what it is (--version)")):
            run = self.run_it("--must:info", "-n", "2", "true", FAKE_VERSION=version)
            self.assertEqual(run.stdout.decode().splitlines()[0], f"launcher: {self.fake_mpirun}: {text}")

    def test_a_run_that_was_not_checked_can_be_made_to_fail(self):
        for code, own in ((70, 0), (3, 3)):
            run = self.run_it("--must:on", "unchecked=fail", "-np", "2", "sh", "-c", f"exit {own}", FAKE_TOOL="empty")
            self.assertEqual(run.returncode, code, run.stderr)

    def test_a_run_that_was_not_checked_says_so_though_it_is_quiet(self):
        run = self.run_it("--must:quiet", "-np", "2", "true", FAKE_TOOL="empty")
        self.assertTrue(run.stderr.startswith(b"orknot: not checked: nothing was observed: "), run.stderr)

    def test_a_program_that_cannot_be_observed_is_named(self):
        os.mkdir(self.path("work", "folder"))
        with open(self.path("work", "denied"), "w") as out:
            out.write("#!/bin/sh\n")
        for name, text in (("denied", "may not be executed"), ("folder", "is a folder"), ("missing", "does not exist")):
            run = self.run_it("-np", "2", "./" + name, FAKE_TOOL="empty", FAKE_MPIRUN="refuse")
            self.assertEqual(run.returncode, 131)
            self.assertIn(f"orknot: not checked: nothing was observed: ./{name} {text}".encode(), run.stderr)
            self.assertEqual(self.report()["verdict"], "not-checked")

    def test_more_processes_than_cores_are_named(self):
        def names_them(code, *words):
            run = self.run_it(*words, "-np", "100000", "sh", "-c", f"exit {code}", FAKE_TOOL="empty")
            self.assertEqual(run.returncode, code, run.stderr)
            return b"add --oversubscribe before -np" in run.stderr

        self.assertTrue(names_them(1))
        self.assertFalse(names_them(1, "--oversubscribe"))
        self.assertFalse(names_them(14))  # that of a program; mpirun refuses with 1

    def test_a_deadlock_ends_the_job_and_gives_the_error_code(self):
        run = self.run_it("-np", "2", "sleep", "600", FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertIn(b"both ranks wait for each other", run.stderr)
        report = self.report()
        self.assertEqual([f["class"] for f in report["findings"]], ["manifest"])
        self.assertEqual(report["application"], {"exit_code": None, "signal": None, "ended": True, "ended_by": "tool"})
        self.assertIn(b"the tool ended the job", run.stderr)

    def test_a_hang_because_of_an_error_ends_the_job(self):
        run = self.run_it("-np", "2", "sleep", "600", FAKE_TOOL="hang-of-error")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertEqual(self.report()["application"]["ended_by"], "tool")
        run = self.run_it("--must:on", "deadlock=continue", "-np", "2", "sh", "-c", "sleep 1; exit 4", FAKE_TOOL="hang-of-error")
        self.assertEqual(self.report()["application"]["exit_code"], 4, run.stderr)

    def test_a_finding_that_has_become_another_one_leaves_the_report(self):
        run = self.run_it("-np", "2", "sleep", "50", FAKE_TOOL="superseded")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertEqual([(f["class"], f["message"]) for f in self.report()["findings"]],
                         [("manifest", "both ranks wait for each other"), ("potential", "two others could wait for each other")])
        said = run.stderr.decode()
        self.assertIn("note: the potential deadlock above has become this one:\norknot: error: deadlock (manifest)", said)
        self.assertIn("2 findings (2 errors)", said)

    def test_a_hang_that_a_deadlock_explains_leaves_the_report(self):
        run = self.run_it("-np", "2", "sleep", "50", FAKE_TOOL="explained")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertEqual([f["id"] for f in self.report()["findings"]], ["deadlock"])
        self.assertIn(b"note: this explains the hang above:\norknot: error: deadlock (manifest)", run.stderr)

    def test_a_root_on_the_same_node_talks_over_the_socket(self):
        run = self.run_it("-np", "2", "sh", "-c", "exit 3", FAKE_NEAR="1")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertEqual(self.report()["notes"], ["a note of the tool"])
        run = self.run_it("-np", "2", "true", FAKE_NEAR="1", FAKE_TOOL="deadlock", FAKE_MPIRUN="deaf")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertIn("near", self.log())
        self.assertIn("told kill", self.log())
        run = self.run_it("-np", "2", "true", FAKE_NEAR="1", FAKE_TOOL="split")
        self.assertEqual((run.returncode, len(self.report()["findings"])), (0, 1))

    def test_a_root_on_the_same_node_that_dies_is_a_tool_that_dies(self):
        run = self.run_it("-np", "2", "sh", "-c", "sleep 1; echo done", FAKE_NEAR="1", FAKE_TOOL="die")
        self.assertEqual((run.returncode, run.stdout), (70, b"done\n"))
        self.assertIn(b"the tool's job ended early", run.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_another_user_at_the_socket_is_not_heard(self):
        process = self.start("-np", "2", "true", FAKE_TOOL="late-and-near")
        self.assertTrue(wait_until(lambda: "arguments " in self.log()))
        session = re.search(r"^session (\S+)", self.log(), re.M).group(1)
        other = socket.socket(socket.AF_UNIX)
        self.addCleanup(other.close)
        os.seteuid(65534)
        try:
            other.connect("\0orknot-direct-0-" + session)
        finally:
            os.seteuid(0)
        with open(self.path("log.go"), "w"):
            pass
        self.assertEqual(other.recv(1), b"")
        self.assertEqual(process.wait(LIMIT), 0, process.stderr.read())
        self.assertIn("near", self.log())

    def test_a_deadlock_is_left_alone_when_asked_for(self):
        run = self.run_it("--must:on", "deadlock=continue", "-np", "2", "sh", "-c", "sleep 1; exit 4", FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 66)
        self.assertEqual(self.report()["application"]["exit_code"], 4)

    def test_the_error_code_is_the_users(self):
        words = ["--must:on", "deadlock=continue", "-np", "2", "sh", "-c", "sleep 1; exit 4"]
        run = self.run_it("--must:errorcode", "17", *words, FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 17)
        run = self.run_it("--must:errorcode", "0", *words, FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 4)

    def test_a_warning_keeps_the_exit_code_and_long_lines_come_whole(self):
        run = self.run_it("-np", "2", "sleep", "1", FAKE_TOOL="split")
        self.assertEqual(run.returncode, 0)
        self.assertEqual([len(f["message"]) for f in self.report()["findings"]], [300000])

    def test_a_tool_that_talks_nonsense_is_an_internal_fault(self):
        run = self.run_it("-np", "2", "sh", "-c", "sleep 0.5", FAKE_TOOL="nonsense")
        self.assertEqual(run.returncode, 70)
        self.assertIn(b"this is no JSON", run.stderr)

    def test_quiet_says_nothing_of_a_clean_run(self):
        self.assertEqual(self.run_it("--must:quiet", "-np", "2", "true").stderr, b"")
        self.assertIn(b"watching true", self.run_it("-np", "2", "true").stderr)


if __name__ == "__main__":
    main()
