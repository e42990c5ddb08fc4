# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the runner itself: the expectation parser, the comparison, and the processes that a run leaves behind."""

import contextlib
import io
import json
import os
import shutil
import stat
import sys
import tempfile
import unittest

import comparison
import expectation
import folded
import process
import run

SOURCE = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks receive.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * MAYBE: potential; *; *
 * CALL: 0 MPI_Recv HERE
 * LAST: 1: MPI_Test x 12; MPI_Recv HERE
 * ADVISES: swap MPI_Send
 * SAYS: rank 0
 * SAYS_LINE: HERE
 */
#include <mpi.h>
int main(void)
{
    recv(); /* HERE */
    /* RANKS: 9 */
}
"""

CLEAN = "/* RANKS: 2\n * EXPECT: clean */\nint x;\n"


def wait(rank, call="MPI_Recv", line=19, file="dir/a.c"):
    return {"rank": rank, "call": call, "for": [1 - rank], "where": {"function": "main", "file": file, "line": line}}


def last(call, times=1, line=19, iteration=None):
    return {"call": call, "times": times, "iteration": iteration, "where": {"line": line}}


def deadlock(class_="manifest", ranks=(0, 1), roots=((0, 1),)):
    return {
        "id": "deadlock",
        "class": class_,
        "severity": "error",
        "message": "ranks wait for each other",
        "ranks": list(ranks),
        "roots": [list(root) for root in roots],
        "waits": [wait(0), wait(1)],
        "last_calls": [{"ranks": [0, 1], "thread": None, "calls": [last("MPI_Send"), last("MPI_Test", 12), last("MPI_Recv")]}],
        "resolve": [{"message": "Let rank 1 receive: swap MPI_Send and MPI_Recv."}],
        "files": {"dot": "f/d.dot", "svg": "f/d.svg"},
    }


def report(*findings, ranks=2):
    return {
        "schema": 1,
        "tool": {"name": "orknot", "version": "0"},
        "ranks": ranks,
        "complete": True,
        "verdict": "findings" if findings else "clean",
        "findings": list(findings),
        "notes": [],
    }


LEAK = {"id": "request-leak", "class": None, "severity": "warning", "message": "leak", "ranks": [0], "roots": [], "waits": []}
TEXT = "orknot: rank 0: MPI_Recv at a.c:19 in main\n"


class Parsing(unittest.TestCase):
    def test_a_head_comment_becomes_an_expectation(self):
        e = expectation.parse(SOURCE, "a.c")
        self.assertEqual(e.ranks, 2)
        self.assertEqual(e.expect, "deadlock")
        self.assertEqual(e.required[0].ranks, {0, 1})
        self.assertEqual(e.required[0].roots, {frozenset({0, 1})})
        self.assertEqual(e.allowed, [expectation.Deadlock("potential")])
        self.assertEqual(e.calls, [expectation.Call(0, "MPI_Recv", "HERE")])
        self.assertEqual(e.marks, {"HERE": [19]})
        self.assertEqual(e.plain, "hangs")

    def test_fortran_and_python_comments_are_read(self):
        for sign in "!#":
            source = f"{sign} RANKS: 3\n{sign} EXPECT: clean\ncode {sign} HERE\n"
            e = expectation.parse(source)
            self.assertEqual((e.ranks, e.expect, e.marks), (3, "clean", {"HERE": [3]}))

    def test_several_deadlocks_are_read_in_order(self):
        source = "/* RANKS: 4\n * EXPECT: deadlock\n * SEVERAL: potential; 0 1; {0,1}\n * SEVERAL: manifest; 0 1 2 3; {0,1} {2}\n */"
        e = expectation.parse(source)
        self.assertEqual([d.class_ for d in e.required], ["potential", "manifest"])
        self.assertEqual(e.required[1].roots, {frozenset({0, 1}), frozenset({2})})

    def test_last_calls_may_go_on(self):
        e = expectation.parse("/* RANKS: 2\n * EXPECT: no-deadlock\n * LAST: 1: MPI_Test x 12; ...\n */")
        self.assertEqual([(last.may_go_on, len(last.calls)) for last in e.last], [(True, 1)])
        made = [{"call": call, "times": times, "iteration": None, "where": None}
                for call, times in (("MPI_Init", 1), ("MPI_Test", 12), ("MPI_Recv", 1))]
        for calls, complaints in ((made, 0), (made[:2], 0), (made[:1] + made[2:], 1)):
            report = {"findings": [{"last_calls": [{"ranks": [1], "calls": calls}], "messages": []}]}
            with self.subTest(calls=calls):
                self.assertEqual(len(list(comparison.compare_last(e, report))), complaints)

    def test_what_contradicts_itself_is_refused(self):
        bad = {
            "no ranks": "/* EXPECT: clean */",
            "no deadlock described": "/* RANKS: 2\n * EXPECT: deadlock */",
            "deadlock but clean": SOURCE.replace("EXPECT: deadlock", "EXPECT: clean"),
            "unknown key": CLEAN.replace("EXPECT", "EXPEKT: x\n * EXPECT"),
            "unknown verdict": CLEAN.replace("clean", "cleam"),
            "unknown class": SOURCE.replace("CLASS: manifest", "CLASS: manifesto"),
            "roots are missing": SOURCE.replace(" * ROOTS: {0,1}\n", ""),
            "no such rank": SOURCE.replace("DEADLOCKED: 0 1", "DEADLOCKED: 0 2"),
            "ranks are no numbers": SOURCE.replace("DEADLOCKED: 0 1", "DEADLOCKED: zero"),
            "roots are no sets": SOURCE.replace("{0,1}", "{0,1"),
            "no such mark": SOURCE.replace("recv(); /* HERE */", "recv();"),
            "last calls without rank": SOURCE.replace("LAST: 1:", "LAST:"),
            "no mark of a last call": SOURCE.replace("x 12;", "x 12 THERE;"),
            "message of no rank": SOURCE.replace(" * CALL: 0", " * MESSAGES: HERE > 1 HERE\n * CALL: 0"),
            "message to nobody": SOURCE.replace(" * CALL: 0", " * MESSAGES: 0 HERE\n * CALL: 0"),
            "call without rank": SOURCE.replace("CALL: 0 MPI_Recv HERE", "CALL: MPI_Recv"),
            "plain": CLEAN.replace("clean", "clean\n * PLAIN: maybe"),
            "neither yes nor nothing": CLEAN.replace("clean", "clean\n * FOLDS: maybe"),
        }
        for name, source in bad.items():
            with self.subTest(name), self.assertRaises(expectation.BadExpectation):
                expectation.parse(source, "a.c")

    def test_every_program_of_the_suite_has_an_expectation(self):
        folder = os.path.join(os.path.dirname(os.path.realpath(__file__)), "programs")
        count = 0
        for path, _, names in os.walk(folder):
            for name in names:
                if name.endswith((".c", ".cpp", ".f", ".f90", ".py")):
                    with open(os.path.join(path, name), encoding="utf-8") as file:
                        expectation.parse(file.read(), name)
                    count += 1
        self.assertGreater(count, 100)


class Comparing(unittest.TestCase):
    def setUp(self):
        self.e = expectation.parse(SOURCE, "a.c")
        self.clean = expectation.parse(CLEAN, "a.c")

    def problems(self, found, text=TEXT, code=66, e=None, plain=None):
        return comparison.compare(e or self.e, found, text, code, plain)

    def assert_one_problem(self, words, *args, **kwargs):
        problems = self.problems(*args, **kwargs)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])

    def test_the_expected_report_passes(self):
        self.assertEqual(self.problems(report(deadlock())), [])
        self.assertEqual(self.problems(report(deadlock(), deadlock("potential", (0,), ()))), [])
        self.assertEqual(self.problems(report(), "", 3, self.clean, 3), [])

    def test_a_missing_deadlock_is_seen(self):
        self.assert_one_problem("not reported", report(), code=0)

    def test_wrong_class_ranks_and_roots_are_seen(self):
        for wrong in (deadlock("interleaving"), deadlock(ranks=(0,)), deadlock(roots=((0,), (1,)))):
            problems = self.problems(report(wrong))
            self.assertEqual(len(problems), 2, problems)

    def test_a_further_finding_is_seen(self):
        self.assert_one_problem("not expected: interleaving", report(deadlock(), deadlock("interleaving")))
        self.assert_one_problem("not expected: request-leak", report(deadlock(), LEAK))
        self.assert_one_problem("not expected: request-leak", report(LEAK), "", 0, self.clean, 0)

    def test_what_may_be_reported_is_allowed_by_id(self):
        self.clean.allowed_ids.append("request-leak")
        self.assertEqual(self.problems(report(LEAK), "", 0, self.clean, 0), [])

    def test_no_deadlock_allows_other_findings_only(self):
        e = expectation.parse(CLEAN.replace("clean", "no-deadlock"), "a.c")
        self.assertEqual(self.problems(report(LEAK), "", 0, e, 0), [])
        self.assert_one_problem("not expected", report(deadlock()), "", 66, e, 0)

    def test_a_wrong_call_rank_file_or_line_is_seen(self):
        for waits, words in (
            ([wait(0, "MPI_Send")], "is in MPI_Send"),
            ([wait(1)], "not listed"),
            ([wait(0, line=18)], "a.c:18"),
            ([wait(0, file="b.c")], "b.c:19"),
            ([dict(wait(0), where=None)], "?:None"),
        ):
            finding = deadlock()
            finding["waits"] = waits
            self.assert_one_problem(words, report(finding))

    def test_other_last_calls_are_seen(self):
        for calls in (
            [last("MPI_Test", 12), last("MPI_Recv", line=20)],
            [last("MPI_Test", 11), last("MPI_Recv")],
            [last("MPI_Recv")],
            [last("MPI_Test", 12), last("MPI_Send")],
            [last("MPI_Test", 12, iteration={"calls": 2, "times": 3}), last("MPI_Recv")],
        ):
            finding = deadlock()
            finding["last_calls"][0]["calls"] = calls
            self.assert_one_problem("the last calls of rank 1 are", report(finding))
        finding = deadlock()
        finding["last_calls"][0]["ranks"] = [0]
        self.assert_one_problem("no last calls of rank 1", report(finding))

    def test_other_messages_are_seen(self):
        source = SOURCE.replace(" * CALL: 0", " * MESSAGES: 0 HERE > 1 HERE\n * PENDING: 1 HERE\n * CALL: 0")
        e = expectation.parse(source, "a.c")
        line = e.marks["HERE"][0]
        finding = deadlock()
        finding["last_calls"] = [
            {"ranks": [rank], "thread": None, "calls": [{**last("MPI_Recv", line=line), "pending": rank}]} for rank in (0, 1)
        ]
        arrow = {"from_list": 0, "from_call": 0, "to_list": 1, "to_call": 0}
        for messages, pending, problems in (([arrow], 1, 0), ([], 1, 1), ([arrow], 0, 1), ([{**arrow, "to_list": 0}], 0, 2)):
            finding["messages"] = messages
            finding["last_calls"][1]["calls"][0]["pending"] = pending
            self.assertEqual(len(list(comparison.compare_messages(e, report(finding)))), problems)

    def test_calls_that_are_kept_are_seen(self):
        e = expectation.parse(CLEAN.replace("clean", "no-deadlock\n * CALLS_GONE: yes"), "a.c")
        self.assertEqual(list(comparison.compare_gone(e, report({**LEAK, "calls_gone": True}))), [])
        self.assertEqual(len(list(comparison.compare_gone(e, report(LEAK)))), 1)

    def test_other_advice_is_seen(self):
        finding = deadlock()
        finding["resolve"][0]["message"] = "Let rank 1 swap MPI_Recv and MPI_Send."
        self.assert_one_problem("no advice is: swap MPI_Send", report(finding))

    def test_a_text_that_does_not_say_it_is_seen(self):
        self.assert_one_problem("a.c:19", report(deadlock()), "rank 0: a.c:190")
        self.assert_one_problem("rank 0", report(deadlock()), "rank 1: a.c:19")

    def test_a_text_that_says_too_much_is_seen(self):
        e = expectation.parse(CLEAN.replace("clean", "clean\n * NEVER_SAYS: note: .*"), "a.c")
        self.assertEqual(self.problems(report(), "no findings", 0, e, 0), [])
        self.assert_one_problem("the text says: note: x", report(), "a\nnote: x\nb", 0, e, 0)

    def test_a_wrong_exit_code_is_seen(self):
        self.assert_one_problem("exit code 0, expected 66", report(deadlock()), code=0)
        self.assert_one_problem("exit code 66, expected 2", report(), "", 66, self.clean, 2)

    def test_a_report_that_contradicts_itself_is_seen(self):
        for key, value in (("verdict", "clean"), ("ranks", 3), ("complete", False), ("schema", 2)):
            found = report(deadlock())
            found[key] = value
            self.assertEqual(len(self.problems(found)), 1, key)

    def test_a_report_may_have_to_be_incomplete(self):
        e = expectation.parse(CLEAN.replace("clean", "clean\n * INCOMPLETE: yes"), "a.c")
        self.assert_one_problem("the report is complete: []", report(), "", 0, e, 0)
        self.assertEqual(self.problems({**report(), "complete": False, "verdict": "unknown"}, "", 0, e, 0), [])

    def test_missing_files_are_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(list(comparison.compare_files(report(deadlock()), folder))), 3)
            os.mkdir(os.path.join(folder, "f"))
            for name in ("MUST_Output.html", "f/d.dot", "f/d.svg"):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("x")
            self.assertEqual(list(comparison.compare_files(report(deadlock()), folder)), [])

    def test_the_description_names_both_sides(self):
        text = comparison.describe(self.e, report(deadlock("potential")))
        self.assertIn("manifest deadlock of {0,1}", text)
        self.assertIn("potential deadlock of {0,1}", text)
        self.assertIn("a.c:19", text)


class Running(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(lambda: shutil.rmtree(self.folder))

    def script(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, stat.S_IRWXU)
        return path

    def test_output_and_exit_code_come_back(self):
        outcome = process.run(["sh", "-c", "echo out; echo err >&2; exit 5"], self.folder)
        self.assertEqual((outcome.exit_code, outcome.stdout, outcome.stderr), (5, b"out\n", b"err\n"))
        self.assertEqual(outcome.leftovers, [])
        self.assertEqual(process.run(["sh", "-c", "kill -9 $$"], self.folder).exit_code, 137)

    def test_a_hanging_command_is_ended(self):
        outcome = process.run(["sleep", "30"], self.folder, limit=0.2)
        self.assertIsNone(outcome.exit_code)

    def test_of_a_hanging_command_is_shown_where_it_is(self):
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            script = "echo begun; trap 'echo interrupted; exit 1' INT; while :; do sleep 0.1; done"
            process.run(["sh", "-c", script], self.folder, limit=0.5)
        self.assertRegex(shown.getvalue(), r"(?s)\+ sh -c 'echo begun.*still running:\nprocess \d+ thread \d+ \S in \S+: sh -c")
        self.assertRegex(shown.getvalue(), r"exit code None\n--- standard output\nbegun\ninterrupted\n---")

    def test_any_bytes_are_shown(self):
        raw = io.BytesIO()
        shown = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
        with contextlib.redirect_stdout(shown):
            process.run(["printf", b"%s\xff\xc3\xa9", b"\xfe" + 1000 * b"a"], self.folder)
        self.assertIn(b"[...]'\nexit code 0\n--- standard output\n", raw.getvalue())
        shown.close()

    def test_an_interrupt_is_sent(self):
        program = "import time; print(1, flush=True); time.sleep(30)"
        outcome = process.run([sys.executable, "-c", program], self.folder, interrupt=0.5)
        self.assertNotIn(outcome.exit_code, (None, 0))

    def test_a_process_left_behind_is_found_and_killed(self):
        # Popen() returns when the child has become `sleep`: while it does, its environment cannot be read.
        program = ("import subprocess; null = subprocess.DEVNULL; "
                   "subprocess.Popen(['sleep', '31'], start_new_session=True, stdout=null, stderr=null)")
        outcome = process.run([sys.executable, "-c", program], self.folder, patience=0.2)
        self.assertEqual(len(outcome.leftovers), 1)
        self.assertIn("sleep 31", outcome.leftovers[0])

    def run_with_fakes(self, json_text, launcher="exec true\n", source=CLEAN, more=":", options=()):
        """Exit code of run.py with a launcher and a tool that only write what they are told; `more`: what the tool does as well."""
        paths = [os.path.join(self.folder, name) for name in ("a.c", "report.json")]
        for path, text in zip(paths, (source, json_text)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        tool = self.script("tool", f'cp "{paths[1]}" "$2/MUST_Output.json"; : > "$2/MUST_Output.html"; {more}\n')
        mpiexec = self.script("mpiexec", launcher)
        arguments = ["--source", paths[0], "--program", "/bin/true", "--mustrun", tool, "--mpiexec", mpiexec, *options]
        with contextlib.redirect_stdout(io.StringIO()):
            return run.main(arguments)

    def test_a_good_run_passes_and_bad_ones_fail(self):
        good = json.dumps(report())
        self.assertEqual(self.run_with_fakes(good), 0)
        self.assertEqual(self.run_with_fakes("{"), 1)
        self.assertEqual(self.run_with_fakes("{}"), 1)
        self.assertEqual(self.run_with_fakes("[]"), 1)
        self.assertEqual(self.run_with_fakes(good, source="int x;\n"), 2)

    def test_the_program_prints_what_its_head_says_and_no_more(self):
        good = json.dumps(report())
        says = CLEAN.replace(" */", "\n * OUTPUT: more */")
        self.assertEqual(self.run_with_fakes(good, more="echo more"), 1)
        self.assertEqual(self.run_with_fakes(good, source=says), 1)
        self.assertEqual(self.run_with_fakes(good, source=says, more="echo more"), 0)
        self.assertEqual(self.run_with_fakes(good, source=says, more="echo more; echo more"), 1)

    def test_a_program_is_compared_with_a_plain_run_if_its_head_says_so(self):
        good = json.dumps(report())
        source = CLEAN.replace(" */", "\n * PLAIN: compared */")
        self.assertEqual(self.run_with_fakes(good, source=source), 0)
        self.assertEqual(self.run_with_fakes(good, source=source, launcher="echo more\n"), 1)
        self.assertEqual(self.run_with_fakes(good, source=source, launcher="echo more\n", more="echo more"), 0)
        self.assertEqual(self.run_with_fakes(good, source=source, launcher="exit 3\n"), 1)
        self.assertEqual(self.run_with_fakes(good, source=source, launcher="exit 3\n", more="exit 3"), 0)

    def test_a_plain_run_is_checked_alone(self):
        self.assertEqual(self.run_with_fakes("", launcher="exit 0\n", options=["--plain-only"]), 0)
        self.assertEqual(self.run_with_fakes("", launcher="exit 3\n", options=["--plain-only"]), 1)
        self.assertEqual(self.run_with_fakes("", launcher="echo more\n", options=["--plain-only"]), 1)

    def test_what_says_how_a_run_was_started_is_not_compared_with_other_runs(self):
        """Or folded.py would find no equal reports, run each program ten times, and compare the verdict only."""
        schema = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "reference", "report.schema.json")
        with open(schema, encoding="utf-8") as file:
            facts = set(json.load(file)["properties"]["run"]["properties"])
        same = {"host", "launcher", "mpi", "exit_code"}
        first, second = ({fact: "same" if fact in same else f"of run {run}" for fact in facts} for run in (1, 2))
        first, second = (folded.levels({**report(), "statistics": {}, "run": facts}) for facts in (first, second))
        self.assertEqual(first, second)

    def test_a_missing_program_is_skipped(self):
        arguments = ["--source", "a.c", "--program", "/nowhere/program", "--mustrun", "/bin/true"]
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(run.main(arguments), run.SKIPPED)


if __name__ == "__main__":
    unittest.main()
