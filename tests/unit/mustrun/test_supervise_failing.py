# SPDX-License-Identifier: BSD-3-Clause
"""Which findings fail a run, and where else they are shown: --must:errors, --must:baseline, --must:on-finding, --must:annotations,
files for services."""
import json
import os
import signal
import sys
import time
import xml.etree.ElementTree as ET

from supervise import Case, main


def leak(line, function="swap", severity="warning", ident="request-leak"):
    place = {"function": function, "file": "/src/halo.c", "line": line}
    return {"id": ident, "severity": severity, "message": "rank 0 leaks at line %d" % line,
            "waits": [{"rank": rank, "call": "MPI_Isend", "where": place} for rank in (0, 1)]}


class Failing(Case):
    def run_with(self, findings, *words, program=("true",), **environment):
        return self.run_it(*words, "-np", "1", *program, FAKE_TOOL="findings", FAKE_FINDINGS=json.dumps(findings), **environment)

    def code(self, findings, *words, **more):
        return self.run_with(findings, *words, **more).returncode

    def fails(self):
        return [f["fails"] for f in self.report()["findings"]]

    def accept(self, name="accepted.json"):
        os.rename(self.path("work", "MUST_Output.json"), self.path("work", name))

    # --must:errors

    def test_errors_fail_a_run_and_warnings_do_not(self):
        self.assertEqual(self.code([leak(40)]), 0)
        self.assertEqual(self.fails(), [False])
        self.assertEqual(self.code([leak(40, severity="error")]), 66)
        self.assertEqual(self.fails(), [True])

    def test_warnings_can_fail_a_run(self):
        self.assertEqual(self.code([leak(40)], "--must:errors", "warnings"), 66)
        self.assertEqual(self.code([leak(40, severity="error")], "--must:errors", "warnings"), 66)
        self.assertEqual(self.code([leak(40, severity="note")], "--must:errors", "warnings"), 0)

    def test_the_ids_that_fail_a_run_can_be_named(self):
        both = [leak(40), leak(50, ident="lost-message"), leak(60, severity="error", ident="invalid-handle")]
        self.assertEqual(self.code(both, "--must:errors", "lost-message,truncation"), 66)
        self.assertEqual(self.fails(), [False, True, False])
        self.assertEqual(self.code(both, "--must:errors", "truncation"), 0)
        self.assertEqual(self.code(both, "--must:errors", "none"), 0)
        self.assertEqual(self.code(both, "--must:errors", "none", program=("sh", "-c", "exit 7")), 7)

    def test_a_class_can_be_named(self):
        deadlock = dict(leak(40, severity="error", ident="deadlock"), **{"class": "potential"})
        self.assertEqual(self.code([deadlock], "--must:errors", "deadlock:potential"), 66)
        self.assertEqual(self.code([deadlock], "--must:errors", "deadlock:interleaving"), 0)
        self.assertEqual(self.code([deadlock], "--must:errors", "deadlock"), 66)

    def test_a_job_that_the_tool_ended_always_fails(self):
        run = self.run_it("--must:errors", "none", "-np", "1", "sleep", "600", FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertEqual(self.fails(), [True])

    def test_a_job_that_survives_the_death_of_a_rank_as_it_is_to_does_not_fail(self):
        died = [{"id": "abnormal-end", "severity": "error", "message": "rank 1 was killed by SIGKILL", "ranks": [1]}]
        self.assertEqual(self.code(died), 66)
        self.assertEqual(self.code(died, "--enable-recovery"), 0)
        self.assertEqual(self.fails(), [False])
        self.assertEqual(self.code(died + [leak(40, severity="error")], "--enable-recovery"), 66)
        self.assertEqual(self.fails(), [False, True])
        self.assertEqual(self.code(died, "--enable-recovery", program=("sh", "-c", "exit 7")), 7)
        self.assertEqual(self.fails(), [True])

    def test_a_run_that_was_not_checked_can_fail(self):
        self.assertEqual(self.run_it("-np", "1", "true", FAKE_TOOL="empty").returncode, 0)
        run = self.run_it("--must:errors", "errors,not-checked", "-np", "1", "true", FAKE_TOOL="empty")
        self.assertEqual(run.returncode, 70)

    def test_an_unknown_word_is_refused(self):
        run = self.run_with([], "--must:errors", "errors,typo")
        self.assertEqual((run.returncode, run.stderr.decode()), (
            64, 'mustrun: --must:errors: "typo" is not errors, warnings, none, not-checked or the id of a finding\n'))

    def test_findings_that_are_only_counted_fail_a_run_too(self):
        many = [leak(line, function="f%d" % line) for line in range(1, 203)]
        self.assertEqual(self.code(many, "--must:errors", "request-leak"), 66)
        self.accept()
        self.assertEqual(self.code(many, "--must:errors", "request-leak", "--must:baseline", "accepted.json"), 0)
        more = many + [leak(300, function="f300")]
        self.assertEqual(self.code(more, "--must:errors", "request-leak", "--must:baseline", "accepted.json"), 66)

    # --must:baseline

    def test_only_new_findings_fail_a_run_and_those_that_are_gone_are_listed(self):
        old = [leak(40, severity="error"), leak(60, function="east", severity="error")]
        self.assertEqual(self.code(old), 66)
        self.accept()
        moved = [leak(47, severity="error"), leak(67, function="east", severity="error")]
        run = self.run_with(moved, "--must:baseline", "accepted.json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(b"orknot: 2 findings (2 errors), 2 in the baseline:", run.stderr)
        self.assertEqual([f["baseline"] for f in self.report()["findings"]], ["known", "known"])
        run = self.run_with([moved[0], leak(70, function="new", severity="error")], "--must:baseline", "accepted.json")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertEqual([f["baseline"] for f in self.report()["findings"]], ["known", "new"])
        self.assertEqual(self.fails(), [False, True])
        gone = [note for note in self.report()["notes"] if "baseline" in note]
        self.assertEqual(gone, ["a finding of the baseline did not occur: request-leak: rank 0 leaks at line 60"])

    def test_a_second_finding_in_a_function_is_new(self):
        self.code([leak(40, severity="error")])
        self.accept()
        two = [leak(40, severity="error"), leak(44, severity="error")]
        self.assertEqual(self.code(two, "--must:baseline", "accepted.json"), 66)
        self.assertEqual(self.fails(), [False, True])

    def test_a_known_deadlock_for_which_the_job_was_ended_still_fails(self):
        run = self.run_it("-np", "1", "sleep", "600", FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 66)
        self.accept()
        run = self.run_it("--must:baseline", "accepted.json", "-np", "1", "sleep", "600", FAKE_TOOL="deadlock")
        self.assertEqual((run.returncode, self.fails()), (66, [True]))

    def test_what_is_no_report_is_no_baseline(self):
        for text, why in (("", ""), ("[]", "accepted.json: this is not a report: a report is a JSON object\n")):
            with open(self.path("work", "accepted.json"), "w") as out:
                out.write(text)
            run = self.run_with([], "--must:baseline", "accepted.json", program=("echo", "started"))
            self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (64, b"", 1))
            self.assertTrue(run.stderr.decode().endswith(why))
        run = self.run_with([], "--must:baseline", "missing.json")
        self.assertEqual((run.returncode, run.stderr), (64, b"mustrun: cannot read missing.json: No such file or directory\n"))

    # --must:on-finding

    def script(self, text):
        path = self.path("work", "told")
        with open(path, "w") as out:
            out.write("#!%s\n%s" % (sys.executable, text))
        os.chmod(path, 0o755)
        return path

    def test_a_command_gets_each_finding_as_json(self):
        told = self.script("import json, sys\nf = json.load(sys.stdin)\nprint(sys.argv[1:], f['message'], f['fingerprint'], f['fails'])\n")
        run = self.run_with([leak(40), leak(40), leak(50)], "--must:on-finding", told + "  a  $HOME;*  'b", program=("echo", "done"))
        self.assertEqual((run.returncode, run.stdout), (0, b"done\n"))
        lines = [line for line in run.stderr.decode().splitlines() if line.startswith("[")]
        names = [f["fingerprint"] for f in self.report()["findings"]]
        words = "['a', '$HOME;*', \"'b\"]"
        self.assertEqual(lines, ["%s rank 0 leaks at line %d %s False" % (words, line, name) for line, name in zip((40, 50), names)])

    def test_a_command_that_takes_too_long_is_killed_and_the_others_are_left_out(self):
        told = self.script("import time\nopen('runs', 'a').write('x')\ntime.sleep(600)\n")
        start = time.monotonic()
        run = self.run_with([leak(40), leak(50)], "--must:on-finding", told)
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"mustrun: the command of --must:on-finding was killed", run.stderr)
        self.assertLess(time.monotonic() - start, 300)
        with open(self.path("work", "runs")) as runs:
            self.assertEqual(runs.read(), "x")

    def test_a_command_need_not_read_and_may_fail(self):
        run = self.run_with([leak(40), leak(50)], "--must:on-finding", "false")
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"mustrun: the command of --must:on-finding failed for 2 of 2 findings\n", run.stderr)
        run = self.run_with([leak(40), leak(50)], "--must:on-finding", "/no/such/program")
        self.assertEqual((run.returncode, run.stderr.count(b"cannot start /no/such/program")), (0, 1))

    # At the finding

    def lines_until(self, run, words):
        """What mustrun says, up to a line with these words."""
        lines = []
        for line in run.stderr:
            lines.append(line.decode())
            if words in lines[-1]:
                return lines
        self.fail(lines)

    def test_a_deadlocked_job_can_be_kept_for_a_debugger(self):
        run = self.start("--must:on", "deadlock=stop", "-np", "1", "sleep", "600", FAKE_TOOL="deadlock")
        lines = self.lines_until(run, "to attach a debugger")
        self.assertIn("orknot: the deadlocked job is kept for a debugger\n", lines)
        self.assertIn("    rank 0: host node7, process 4711, inside MPI_Recv at a.c:5\n", lines)
        self.assertIn("kill -USR2 %d" % run.pid, lines[-1])
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGUSR2)
        self.assertEqual(run.wait(), 66)
        self.assertEqual(self.report()["application"]["ended_by"], "tool")

    def test_a_deadlocked_job_that_goes_on_says_where(self):
        run = self.start("--must:on", "deadlock=continue", "-np", "1", "sleep", "600", FAKE_TOOL="deadlock")
        lines = self.lines_until(run, "the job still runs")
        self.assertIn("mustrun is process %d on %s, and mustview --live " % (run.pid, os.uname().nodename), lines[-1])
        run.send_signal(signal.SIGTERM)
        run.wait()
        self.assertIn("the job was deadlocked and was not ended (--must:on deadlock=continue): mustrun is process %d on %s"
                      % (run.pid, os.uname().nodename), self.report()["notes"])

    def test_a_long_time_without_progress_is_told_and_withdrawn(self):
        run = self.start("-np", "1", "sh", "-c", "until test -e done; do sleep 0.1; done", FAKE_TOOL="still")
        lines = self.lines_until(run, "no rank has made progress")
        self.assertIn("orknot: note: no rank has made progress for 10 minutes; the run goes on, and mustview --live ", lines[-1])
        open(self.path("log.go"), "w").close()
        self.lines_until(run, "orknot: note: the ranks make progress again")
        open(self.path("work", "done"), "w").close()
        self.assertEqual(run.wait(), 0)
        self.assertEqual(self.report()["findings"], [])

    def test_the_tool_is_told_of_the_watchdog_only_if_the_user_decides(self):
        for value, expected in ((None, None), ("0", "--still-after=0"), ("5m", "--hang-after=300")):
            self.run_it(*(["--must:hang-after", value] if value else []), "-np", "1", "true")
            arguments = [line for line in self.log().splitlines() if line.startswith("arguments ")][-1]
            found = [word for word in arguments.split() if "-after" in word]
            self.assertEqual(found, [expected] if expected else [])

    # Option files

    def test_the_file_in_the_folder_is_told_and_may_not_run_a_command(self):
        with open(self.path("work", ".orknotrc"), "w") as out:
            out.write("sends = eager=64K\nhang-after 5m\n")
        run = self.run_it("--must:quiet", "-np", "1", "echo", "done", HOME=self.path("work", "none"))
        self.assertEqual((run.returncode, run.stdout), (0, b"done\n"))
        self.assertEqual(run.stderr, b"orknot: ./.orknotrc sets sends=eager=64K, hang-after=5m\n")
        for line in ("on-finding touch evil", "mpiexec ./evil", "output-dir /tmp", "suppress all.txt", "nodl", "quiet", "errors none",
                     "on deadlock=continue", "baseline b.json", "options more", "checks none"):
            with open(self.path("work", ".orknotrc"), "w") as out:
                out.write(line + "\n")
            run = self.run_it("-np", "1", "echo", "started", HOME=self.path("work", "none"))
            self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (64, b"", 1), line)
            self.assertIn(b"mustrun: ./.orknotrc:1: ", run.stderr)
            self.assertIn(line.split()[0].encode(), run.stderr)

    # --must:annotations, and files

    def test_github_gets_a_line_for_each_finding(self):
        evil = dict(leak(50, severity="error"), message="100%\n::error::fake", details=["a,b:c\r\n::set-output"])
        evil["waits"][0]["where"] = dict(evil["waits"][0]["where"], file="/src/a,b:c.c")
        run = self.run_with([leak(40), evil, leak(60, severity="note")], "--must:annotations", "github", "--must:quiet",
                            "--must:source-root", "/")
        lines = [line for line in run.stderr.decode().splitlines() if line.startswith("::")]
        self.assertEqual(lines, [
            "::warning file=src/halo.c,line=40,title=request-leak::rank 0 leaks at line 40",
            "::error file=src/a%2Cb%3Ac.c,line=50,title=request-leak::100%25\\x0A::error::fake%0Aa,b:c\\x0D\\x0A::set-output",
            "::notice file=src/halo.c,line=60,title=request-leak::rank 0 leaks at line 60"])
        self.assertEqual(run.stdout, b"")

    def test_gitlab_gets_a_file(self):
        run = self.run_with([leak(40), leak(50, severity="error")], "--must:annotations", "gitlab", "--must:source-root", "/")
        self.assertEqual(run.returncode, 66, run.stderr)
        with open(self.path("work", "MUST_Output-quality.json")) as file:
            issues = json.load(file)
        names = [f["fingerprint"] for f in self.report()["findings"]]
        self.assertEqual([(i["severity"], i["fingerprint"], i["location"]) for i in issues], [
            ("minor", names[0], {"path": "src/halo.c", "lines": {"begin": 40}}),
            ("critical", names[1], {"path": "src/halo.c", "lines": {"begin": 50}})])
        self.assertEqual(self.code([], "--must:annotations", "gitlab"), 0)
        self.assertEqual(self.code([], "--must:annotations", "gitlab"), 0)  # an empty list is replaced

    def test_other_annotations_are_refused(self):
        for words in ("jenkins", "github,", "github,github", ""):
            run = self.run_with([], "--must:annotations=" + words)
            self.assertEqual((run.returncode, run.stderr.decode()), (
                64, 'mustrun: --must:annotations: "%s" is not github, gitlab or both\n' % words))

    def junit(self, *words, findings=(), program=("true",), tool="findings"):
        self.run_it("--must:output", "junit,json", *words, "-np", "1", *program, FAKE_TOOL=tool, FAKE_FINDINGS=json.dumps(list(findings)))
        root = ET.parse(self.path("work", "MUST_Output.xml")).getroot()
        counts = tuple(int(root.get(name)) for name in ("tests", "failures", "errors"))
        return counts, root.find("testsuite/testcase")

    def test_junit_has_one_case(self):
        counts, case = self.junit(findings=[leak(40)], program=("echo", "<&>"))
        self.assertEqual((counts, case.get("name")), ((1, 0, 0), "echo <&>"))
        self.assertIn("rank 0 leaks at line 40", case.find("system-out").text)
        counts, case = self.junit(findings=[leak(40), leak(50, severity="error")])
        self.assertEqual(counts, (1, 1, 0))
        failure = case.find("failure")
        self.assertEqual((failure.get("type"), failure.get("message")), ("request-leak", "rank 0 leaks at line 50"))
        self.assertNotIn("line 40", case.find("failure").text)
        counts, case = self.junit("--must:errors", "warnings", findings=[leak(40)])
        self.assertEqual(counts, (1, 1, 0))
        counts, case = self.junit(program=("sh", "-c", "exit 3"))
        self.assertEqual((counts, case.find("error").get("message")), ((1, 0, 1), "exit code 3"))
        counts, case = self.junit(tool="empty")
        self.assertEqual((counts, case.find("error").get("type")), ((1, 0, 1), "not-checked"))


if __name__ == "__main__":
    main()
