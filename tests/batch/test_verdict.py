# SPDX-License-Identifier: BSD-3-Clause
import unittest

import support
from mustbatch import cases, launcher, report, suite, verdict


def parse(**keys):
    base = {"schema": 1, "statistics": {"calls": 5}, "application": {"exit_code": 0, "signal": None, "ended": True}}
    return report.parse(base | keys)


class Report(support.Folder):
    def unreadable(self, text):
        with self.assertRaises(report.Unreadable):
            report.read(self.write("r.json", text))

    def test_what_does_not_follow_the_schema_is_refused(self):
        for text in (
            "",
            "[]",
            "{",
            "[" * 100000,
            '{"schema": 2}',
            '{"findings": {}}',
            '{"findings": [1]}',
            '{"notes": [1]}',
            '{"complete": 1}',
            '{"findings": [{"severity": "fatal"}]}',
            '{"findings": [{"message": 3}]}',
            '{"findings": [{"waits": [0]}]}',
            '{"findings": [{"waits": [{"where": "a.c"}]}]}',
            '{"seconds": "long"}',
            '{"application": {"exit_code": true}}',
        ):
            with self.subTest(text[:40]):
                self.unreadable(text)

    def test_missing_and_unknown_keys_are_no_fault(self):
        found = report.read(self.write("r.json", '{"new": 1, "findings": [{"id": "x", "later": []}], "application": null}'))
        self.assertEqual((found.findings[0]["severity"], found.complete, found.exit_code), ("error", True, 0))

    def test_long_findings_are_cut(self):
        waits = [{"rank": rank, "call": "MPI_Barrier", "where": {"file": "a.c", "line": 3, "function": "main"}} for rank in range(100)]
        (found,) = parse(findings=[support.finding(waits=waits)]).findings
        self.assertEqual((len(found["waits"]), found["more_waits"]), (16, 84))
        self.assertIn("rank 15: MPI_Barrier at a.c:3 in main\n    ... and 84 more ranks", report.text([found]))


class Verdict(unittest.TestCase):
    def judge(self, found, **keys):
        return verdict.judge_report(suite.Case(name="a", ranks=2, command=["x"], **keys), found)

    def test_an_application_that_crashed_is_an_error(self):
        self.assertEqual(
            self.judge(parse(application={"exit_code": None, "signal": 11})), ("error", "the application was killed by signal 11 (SIGSEGV)")
        )
        self.assertEqual(self.judge(parse(application={"exit_code": 139})), ("error", "the application ended with signal 11 (SIGSEGV)"))
        self.assertEqual(self.judge(parse(application={"exit_code": 255})), ("error", "the application ended with exit code 255"))
        self.assertIsNone(self.judge(parse(application={"exit_code": 3}), exit_code=3))

    def test_an_application_that_the_tool_ended_is_no_crash(self):
        hung = parse(findings=[support.finding()], application={"exit_code": 1})
        self.assertIsNone(self.judge(hung, expect="deadlock"))

    def test_a_deadlock_of_the_ranks_that_a_crash_left_behind_names_the_crash(self):
        found = parse(findings=[support.finding(message="rank 0 ended")], application={"exit_code": 139})
        self.assertEqual(
            self.judge(found), ("fail", "error: deadlock (manifest): rank 0 ended; the application was killed by signal 11 (SIGSEGV)")
        )

    def test_a_crash_after_a_potential_deadlock_is_still_an_error(self):
        found = parse(findings=[support.finding(class_="potential")], application={"exit_code": 139})
        self.assertEqual(self.judge(found, expect="deadlock")[0], "error")

    def test_a_report_that_lost_records_is_not_clean(self):
        self.assertEqual(self.judge(parse(complete=False, notes=["lost"])), ("error", "the report is not complete: lost"))

    def test_a_program_without_mpi_is_not_clean(self):
        self.assertEqual(self.judge(parse(statistics={"calls": 0}))[0], "error")


class Slowdown(unittest.TestCase):
    def runs(self, *seconds, found=None):
        rows = []
        for number, (plain, tool) in enumerate(seconds, 1):
            rows.append(cases.Run("plain", number, "", seconds=plain, end="ended"))
            rows.append(cases.Run("tool", number, "", seconds=tool, end="ended", report=found or parse()))
        return rows

    def test_it_is_the_ratio_of_the_medians_with_the_range_of_the_turns(self):
        self.assertEqual(verdict.slowdown(self.runs((1, 1.5), (2, 2), (4, 10))), {"ratio": 1.0, "low": 1.0, "high": 2.5})

    def test_there_is_none_without_plain_runs_or_where_a_run_was_cut_short(self):
        self.assertIsNone(verdict.slowdown(self.runs((1, 1))[1:]))
        self.assertIsNone(verdict.slowdown(self.runs((1, 1), found=parse(findings=[support.finding()]))))
        late = self.runs((1, 1))
        late[0].end = "timeout"
        self.assertIsNone(verdict.slowdown(late))


class Words(unittest.TestCase):
    def test_the_tools_options_do_not_reach_mpirun(self):
        words = ["--must:sends=buffered", "--oversubscribe", "--must:sends", "eager=10", "--must:quiet", "-x", "A=1"]
        self.assertEqual(launcher.without_tool(words), ["--oversubscribe", "-x", "A=1"])


if __name__ == "__main__":
    unittest.main()
