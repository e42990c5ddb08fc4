# SPDX-License-Identifier: BSD-3-Clause
"""Starts that are hard or fail: what runs under the tool all the same, and what is said of a run that was not observed.

Usage: test_start.py MUSTRUN FOLDER-OF-PROGRAMS"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import process  # noqa: E402

MUSTRUN, PROGRAMS = sys.argv[1:3]
LIMIT = process.FAR


def program(name):
    return os.path.join(PROGRAMS, "start_" + name)


def needs(name):
    return unittest.skipUnless(os.path.exists(program(name)), "the sanitizer's library is missing")


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *words, oversubscribe=True, **environment):
        """Exit code, stderr and report of a run."""
        first = ["--oversubscribe"] if oversubscribe else []
        environment = {"ASAN_OPTIONS": "detect_leaks=0", "LSAN_OPTIONS": "", **environment}
        run = subprocess.run([MUSTRUN, *first, *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
                             env=process.environment(environment))
        self.printed = run.stdout.decode()
        with open(os.path.join(self.folder, "MUST_Output.json"), encoding="utf-8") as report:
            return run.returncode, run.stderr.decode(), json.load(report)


class Sanitizers(Case):
    def finds_the_deadlock(self, *words, **environment):
        code, said, report = self.run_it("-np", "2", *words, **environment)
        self.assertEqual((code, report["ranks"]), (66, 2), said)
        self.notes = report["notes"]
        self.assertEqual([(f["id"], f["class"], f["ranks"]) for f in report["findings"]], [("deadlock", "manifest", [0, 1])])
        self.assertEqual({row["call"] for row in report["findings"][0]["waits"]}, {"MPI_Recv"})

    def runs_clean(self, *words, **environment):
        code, said, report = self.run_it("-np", "2", *words, **environment)
        self.assertEqual((code, report["ranks"], report["verdict"]), (0, 2, "clean"), said)

    @needs("address")
    def test_address_sanitizer(self):
        self.finds_the_deadlock(program("address"))
        self.assertEqual(self.notes, [])
        self.runs_clean(program("address"), "x")

    @needs("address")
    def test_address_sanitizer_is_found_in_path_and_working_directory(self):
        self.runs_clean("start_address", "x", PATH=PROGRAMS + ":" + os.environ["PATH"])
        self.runs_clean("-wdir", PROGRAMS, "./start_address", "x")

    @needs("address")
    def test_address_sanitizer_behind_a_script(self):
        self.finds_the_deadlock("sh", "-c", program("address"))

    @needs("address")
    def test_address_sanitizer_with_a_list_of_variables(self):
        self.runs_clean(program("address"), "x", OMPI_MCA_mca_base_env_list="A=1")

    @needs("undefined")
    def test_undefined_behaviour_sanitizer(self):
        self.finds_the_deadlock(program("undefined"))

    @needs("thread")
    def test_thread_sanitizer(self):
        self.finds_the_deadlock(program("thread"), TSAN_OPTIONS="report_bugs=0")
        self.assertEqual([note.partition(":")[0] for note in self.notes], ["the loads and stores of the program were not seen"])

    @needs("memory")
    def test_the_library_for_loads_and_stores_in_place_of_the_sanitizer(self):
        self.finds_the_deadlock(program("memory"))
        self.assertEqual(self.notes, [])


DEEP = program("deep"), program("plugin.so")


class Unobserved(Case):
    def explains(self, text, code, *words, **keys):
        got, said, report = self.run_it(*words, **keys)
        self.assertEqual((report["ranks"], report["verdict"], report["complete"]), (0, "not-checked", False))
        reason = report["notes"][0]
        self.assertTrue(reason.startswith("nothing was observed: ") and text in reason, report["notes"])
        verdict = [line for line in said.splitlines() if line.startswith("orknot: ")][0]
        self.assertEqual(verdict, "orknot: not checked: " + reason)
        self.assertNotIn("no findings", said)
        if code is not None:
            self.assertEqual(got, code)
        else:
            self.assertNotEqual(got, 0)

    def test_a_program_that_does_not_exist(self):
        self.explains("./no-such-program does not exist", None, "-np", "2", "./no-such-program")

    def test_a_program_that_may_not_be_executed(self):
        path = os.path.join(self.folder, "plain")
        shutil.copy(program("static"), path)
        os.chmod(path, 0o644)
        self.explains("./plain may not be executed", None, "-np", "2", "./plain")
        self.explains(f"{self.folder} is a folder", None, "-np", "2", self.folder)

    def test_a_static_program(self):
        self.explains("is linked statically", 0, "-np", "2", program("static"))
        self.explains("is linked statically", 70, "--must:on", "unchecked=fail", "-np", "2", program("static"))

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a program to another user")
    def test_a_program_with_other_rights(self):
        path = os.path.join(self.folder, "privileged")
        shutil.copy("/bin/true", path)
        os.chown(path, 65534, 65534)
        os.chmod(path, 0o4755)
        os.chmod(self.folder, 0o755)
        self.explains("runs with the rights of another user", 0, "-np", "2", path)

    def test_more_processes_than_slots(self):
        processes = str(os.cpu_count() + 1)
        words = ["-np", processes, "true"]
        self.explains("add --oversubscribe before -np", 1, *words, oversubscribe=False, OMPI_MCA_rmaps_base_oversubscribe="0")

    def test_a_plugin_that_finds_the_library_first(self):
        self.explains("2 processes initialized MPI, but not through the tool's library", 0, "-np", "2", *DEEP)
        # The launcher may kill a process while it ends, because the other one has ended with 5.
        self.explains("initialized MPI, but not through the tool's library", 5, "-np", "2", *DEEP, "5")

    def test_a_library_that_is_preloaded_before_the_tool(self):
        script = f'LD_PRELOAD="{program("front.so")}:$LD_PRELOAD" exec "$0" x'
        self.explains("2 processes initialized MPI", 0, "-np", "2", "sh", "-c", script, program("plain"))

    def test_a_layer_that_translates_for_the_library(self):
        for name in "of_layer", "of_layer_early":
            self.explains("2 processes used an MPI library that this version does not support: Layer 1.0", 0, "-np", "2", program(name))
            self.assertEqual(sorted(self.printed.split("\n")), ["", "rank 0", "rank 1"])

    def test_some_ranks_of_which_no_call_is_seen(self):
        code, said, report = self.run_it("-np", "1", program("plain"), "x", ":", "-np", "1", *DEEP)
        self.assertEqual((code, report["ranks"], report["verdict"], report["complete"]), (0, 2, "unknown", False), said)
        self.assertIn("1 of 2 ranks were not observed", report["notes"])
        unseen = [note for note in report["notes"] if note.startswith("1 process initialized MPI, but not through")]
        self.assertEqual(len(unseen), 1, report["notes"])

    def test_a_forked_child_is_not_a_process_that_used_mpi(self):
        code, said, report = self.run_it("-np", "2", *DEEP, "0", "fork")
        self.assertEqual((code, report["verdict"]), (0, "not-checked"), said)
        self.assertIn("2 processes initialized MPI", report["notes"][0])

    def test_a_program_that_contains_its_mpi_library(self):
        self.explains("contains its MPI library", 0, "-np", "2", program("contains"))

    def test_a_program_without_mpi(self):
        self.explains("no rank called MPI_Init", 0, "-np", "2", "true")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
