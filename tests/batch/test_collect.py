# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import unittest

from support import Folder, finding


class Collect(Folder):
    def report(self, folder, **keys):
        base = {
            "schema": 1,
            "ranks": 4,
            "command": ["app"],
            "seconds": 1.5,
            "application": {"exit_code": 0},
            "statistics": {"calls": 9},
            "findings": [],
        }
        self.write(f"runs/{folder}/MUST_Output.html", "<!DOCTYPE html>")
        return self.write(f"runs/{folder}/MUST_Output.json", json.dumps(base | keys))

    def collect(self, *words):
        return self.batch("collect", *words, "--output", "out")

    def test_every_report_below_a_folder_is_a_case(self):
        self.report("104.milc/run_1")
        self.report("126.lammps/run_1", findings=[finding(class_="potential")])
        self.report("137.lu/run_1", application={"exit_code": 139})
        self.write("runs/broken/MUST_Output.json", "{")
        ended = self.collect("runs")
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertEqual(self.words(), {"104.milc/run_1": "pass", "126.lammps/run_1": "fail", "137.lu/run_1": "error", "broken": "error"})
        self.assertEqual(self.results()["104.milc/run_1"]["runs"][0]["report"], "../runs/104.milc/run_1/MUST_Output.html")
        self.assertIn('href="../runs/104.milc/run_1/MUST_Output.html"', self.read("out", "summary.html"))

    def test_names_come_from_an_expression(self):
        for folder in ("benchspec/104.milc/run/run_a.0001", "benchspec/104.milc/run/run_a.0002", "benchspec/121.pop2/run/run_a.0001"):
            self.report(folder)
        self.assertEqual(self.collect("runs", "--name-from", r"benchspec/([^/]+)/run/[^/]*\.(\d+)").returncode, 0)
        self.assertEqual(sorted(self.words()), ["104.milc.0001", "104.milc.0002", "121.pop2.0001"])
        self.collect("runs", "--name-from", r"benchspec/([^/]+)")
        self.assertEqual(sorted(self.words()), ["104.milc", "104.milc (2)", "121.pop2"])

    def test_a_list_gives_names_paths_and_expectations(self):
        self.report("a")
        self.report("b", findings=[finding(class_="potential")])
        self.write("list", "# name and report\nmilc\truns/a/MUST_Output.json\nlammps\truns/b\tdeadlock:potential\nlost\truns/c\n")
        self.assertEqual(self.collect("--list", "list").returncode, 1)
        self.assertEqual(self.words(), {"milc": "pass", "lammps": "pass", "lost": "error"})
        self.assertIn("there is no report", self.results()["lost"]["reason"])

    def test_the_expected_verdict_can_be_given(self):
        self.report("b", findings=[finding(class_="potential")])
        self.assertEqual(self.collect("runs", "--expect", "deadlock").returncode, 0)
        self.assertEqual(self.collect("runs", "--expect", "any").returncode, 0)
        self.assertEqual(self.collect("runs", "--expect", "request-leak").returncode, 1)

    def test_wrong_input_is_refused(self):
        os.mkdir(self.path("empty"))
        self.write("list", "only a name\n")
        self.write("list2", "a\tb\tNO\n")
        for words, sentence in (
            (("empty",), "there is no MUST_Output.json below empty"),
            (("nowhere",), "nowhere is not a folder"),
            ((), "needs a folder or --list"),
            (("--list", "list"), "list:1: a line is a name"),
            (("--list", "list2"), "list2:1: 'NO' is not the name"),
            (("empty", "--expect", "fine!"), "--expect"),
            (("empty", "--name-from", "("), "is not a regular expression"),
        ):
            ended = self.collect(*words)
            self.assertEqual(ended.returncode, 64)
            self.assertIn(sentence, ended.stderr)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_the_reports_stay_as_they_are_and_a_foreign_folder_is_refused(self):
        path = self.report("a")
        before = os.stat(path).st_mtime_ns
        ended = self.batch("collect", "runs", "--output", "runs")
        self.assertEqual(ended.returncode, 64)
        self.assertIn("was not made by mustbatch", ended.stderr)
        self.collect("runs")
        self.assertEqual(os.stat(path).st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()
