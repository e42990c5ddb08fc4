# SPDX-License-Identifier: BSD-3-Clause
"""specmpi-configs/collect on trees like SPEC's, with a stand-in that writes down how mustbatch was called."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

COLLECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "specmpi-configs", "collect")
STAND_IN = """#!{python}
import shutil, sys
folder = {folder!r}
with open(folder + "/arguments", "w") as file:
    file.write("\\n".join(sys.argv[1:]))
shutil.copy(sys.argv[3], folder + "/list")
sys.exit({code})
"""


def report_of(*classes, calls=9):
    return json.dumps({"findings": [{"id": "deadlock", "class": word} for word in classes], "statistics": {"calls": calls}})


class Collect(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.top = os.path.join(self.folder, "spec")
        os.makedirs(os.path.join(self.top, "benchspec"))

    def path(self, suite, code, run, start, name="MUST_Output.json"):
        return os.path.join(self.top, "benchspec", suite, code, "run", run, start, name)

    def add(self, suite, code, run, start, when, is_written=True, text="{}"):
        path = self.path(suite, code, run, start)
        os.makedirs(os.path.dirname(path))
        if is_written:
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
        os.utime(os.path.dirname(path), ns=(when, when))

    def stand_in(self, code=0):
        path = os.path.join(self.folder, "mustbatch")
        with open(path, "w", encoding="utf-8") as file:
            file.write(STAND_IN.format(python=sys.executable, folder=self.folder, code=code))
        os.chmod(path, 0o755)
        return path

    def run_collect(self, *arguments, spec=None):
        env = {key: value for key, value in os.environ.items() if key != "SPEC"} | ({"SPEC": spec} if spec else {})
        command = [sys.executable, COLLECT, *arguments]
        return subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, timeout=900, check=False)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def names(self, *arguments):
        return [line.split("\t")[0] for line in self.run_collect(self.top, "--list", *arguments).stdout.splitlines()]

    def test_a_report_is_named_after_code_tuning_data_set_build_and_run_directory(self):
        self.add("MPI2007", "104.milc", "run_base_mtest_orknot.0000", "must-a1", 1)
        self.add("HPC", "532.sph_exa_t", "run_peak_ref_orknot_mpi.0012", "must-a2", 1)
        self.assertEqual(self.names(), ["104.milc.base.mtest.orknot.0000", "532.sph_exa_t.peak.ref.orknot_mpi.0012"])

    def test_several_starts_in_one_run_directory_are_numbered_in_the_order_of_time(self):
        for start, when in (("must-zz", 1), ("must-aa", 3), ("must-mm", 2)):
            self.add("MPI2007", "128.GAPgeofem", "run_base_mref_orknot.0001", start, when)
        lines = [line.split("\t") for line in self.run_collect(self.top, "--list").stdout.splitlines()]
        self.assertEqual(
            [(line[0][-7:], line[1].split(os.sep)[-2]) for line in lines],
            [(".0001.1", "must-zz"), (".0001.2", "must-mm"), (".0001.3", "must-aa")],
        )

    def test_a_start_without_a_report_is_passed_on_too(self):
        self.add("MPI2007", "137.lu", "run_base_mtest_orknot.0000", "must-a", 1, is_written=False)
        self.assertEqual(self.names(), ["137.lu.base.mtest.orknot.0000"])

    def test_what_is_no_folder_of_a_start_is_not_taken(self):
        for suite, code, run, start in (
            ("CPU", "104.milc", "run_base_mtest_orknot.0000", "must-a"),
            ("MPI2007", "104.milc", "build_base_orknot.0000", "must-a"),
            ("MPI2007", "104.milc", "run_base_mtest_orknot.0000", "other"),
        ):
            self.add(suite, code, run, start, 1)
        result = self.run_collect(self.top)
        self.assertEqual(result.returncode, 64)
        self.assertIn("no run directory in", result.stderr)

    def test_only_chooses_codes(self):
        self.add("MPI2007", "104.milc", "run_base_mtest_orknot.0000", "must-a", 1)
        self.add("MPI2007", "126.lammps", "run_base_mtest_orknot.0000", "must-a", 1)
        self.assertEqual(self.names("--only", "126*"), ["126.lammps.base.mtest.orknot.0000"])

    def test_mustbatch_gets_the_list_with_what_is_expected_of_each_code(self):
        self.add("MPI2007", "104.milc", "run_base_mtest_orknot.0000", "must-a", 1)
        self.add("MPI2007", "126.lammps", "run_base_mtest_orknot.0000", "must-b", 1, text=report_of("potential"))
        result = self.run_collect("--mustbatch", self.stand_in(), "--output", "summary", spec=self.top)
        self.assertEqual(result.returncode, 0, result.stderr)
        arguments = self.read("arguments").splitlines()
        self.assertEqual(arguments[:2] + arguments[3:], ["collect", "--list", "--output", "summary"])
        milc, lammps = (line.split("\t") for line in self.read("list").splitlines())
        self.assertEqual(milc[1:], [self.path("MPI2007", "104.milc", "run_base_mtest_orknot.0000", "must-a"), "clean"])
        self.assertEqual([lammps[0], lammps[2]], ["126.lammps.base.mtest.orknot.0000", "deadlock:potential"])
        self.assertFalse(os.path.exists(arguments[2]))

    def expectation(self, code, text):
        self.add("MPI2007", code, "run_base_mtest_orknot.0000", "must-a", 1, text=text)
        return self.run_collect(self.top, "--list", "--only", code).stdout.rstrip("\n").split("\t")[2]

    def test_a_known_finding_is_expected_of_its_code_only_and_no_other_one(self):
        self.assertEqual(self.expectation("126.lammps", report_of("potential", "manifest")), "deadlock:potential")
        self.assertEqual(self.expectation("104.milc", report_of("potential")), "clean")

    def test_a_known_finding_need_not_be_there(self):
        self.assertEqual(self.expectation("126.lammps", report_of()), "clean")

    def test_a_program_without_mpi_is_no_failure_where_there_are_some(self):
        self.assertEqual(self.expectation("128.GAPgeofem", report_of(calls=0)), "any")
        self.assertEqual(self.expectation("137.lu", report_of(calls=0)), "clean")

    def test_a_report_that_cannot_be_read_is_left_to_mustbatch(self):
        for number, text in enumerate(("", "[]", "{", '{"findings": 3}', '{"findings": [null], "statistics": {}}')):
            self.assertEqual(self.expectation(f"{number}.x", text), "clean", text)

    def test_the_exit_code_is_that_of_mustbatch(self):
        self.add("MPI2007", "104.milc", "run_base_mtest_orknot.0000", "must-a", 1)
        self.assertEqual(self.run_collect(self.top, "--mustbatch", self.stand_in(code=1)).returncode, 1)

    def test_a_missing_mustbatch_is_said(self):
        self.add("MPI2007", "104.milc", "run_base_mtest_orknot.0000", "must-a", 1)
        result = self.run_collect(self.top, "--mustbatch", os.path.join(self.folder, "nothing"))
        self.assertEqual(result.returncode, 69)
        self.assertIn("is not there", result.stderr)

    def test_a_wrong_command_line_is_refused(self):
        for arguments, message in (((), "say where SPEC is"), ((self.folder,), "has no folder benchspec"), (("--what",), "unrecognized")):
            result = self.run_collect(*arguments)
            self.assertEqual(result.returncode, 64, arguments)
            self.assertIn(message, result.stderr)


if __name__ == "__main__":
    unittest.main()
