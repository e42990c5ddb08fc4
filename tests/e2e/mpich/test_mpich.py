# SPDX-License-Identifier: BSD-3-Clause
"""Programs of MPICH are observed; those of a library without a backend run as without the tool; and a launcher of another library than the
program is named.

Usage: test_mpich.py MUSTRUN FOLDER-OF-PROGRAMS MPIEXEC-OF-MPICH"""

import os
import shutil
import signal
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import process  # noqa: E402
import watched  # noqa: E402

MUSTRUN, PROGRAMS, MPIEXEC = sys.argv[1:4]
MPICH = ["--must:mpiexec", MPIEXEC]
# Open MPI's processes do not find their launcher without the variables that it sets, as if another one had started them.
LOST = ["sh", "-c", "for name in $(env | grep -oE '^(PMIX|OMPI|ORTE)_[A-Za-z0-9_]*' | grep -vE 'COMM_WORLD_(SIZE|RANK)|_AS_ROOT'); do "
        "unset $name; done; exec \"$0\" \"$@\""]

needs_mpich = unittest.skipIf(MPIEXEC == "none", "MPICH is not installed")


def program(name):
    return os.path.join(PROGRAMS, "mpich_" + name)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="mpich-")
        self.addCleanup(shutil.rmtree, self.folder)

    mustrun = MUSTRUN

    def run_it(self, *words):
        return watched.Run([self.mustrun, *words], self.folder)

    def finish_observed(self, run, verdict="clean", code=0):
        got, report = run.finish()
        self.assertEqual((got, report["verdict"], report["complete"]), (code, verdict, True), run.text("err"))
        return report

    def finish(self, run, expected=0):
        code, report = run.finish()
        self.assertEqual(code, expected, run.text("err"))
        self.assertEqual((report["verdict"], report["complete"]), ("not-checked", False))
        return report

    def check_round(self, run, size, ranks):
        """Each process has printed its line, as without the tool."""
        total = sum(range(size))
        lines = sorted(f"rank {rank} of {size}: sum {total}" for rank in ranks)
        self.assertEqual(sorted(run.text("out").splitlines()), lines, run.text("err"))

    def check_mismatch(self, report, run, library, launched=2):
        [finding] = report["findings"]
        self.assertEqual((finding["id"], finding["severity"]), ("launcher-mismatch", "warning"))
        self.assertIn(f"although the launcher started {launched} together", finding["message"])
        self.assertIn(library, finding["message"])
        self.assertIn("mpiexec.mpich" if library.startswith("MPICH") else "mpirun of the Open MPI", finding["details"][0])
        self.assertIn("launcher-mismatch", run.text("err"))

    def check_library(self, report, run):
        self.assertRegex(report["notes"][0], r"nothing was observed: \d process(es)? used an MPI library that this version does not "
                                             r"support: MPICH Version: \d.*supports Open MPI")
        self.assertIn("MPICH Version", run.text("err"))


class Told(Case):
    """What --must:info says of the library."""

    def told(self, *words):
        outcome = process.run([MUSTRUN, "--must:info", *words], self.folder)
        self.assertEqual(outcome.exit_code, 0, outcome.stderr.decode())
        return outcome.stdout.decode()

    def test_the_library_of_the_program_is_named_whatever_the_launcher(self):
        text = self.told("-np", "2", program("round_openmpi"))
        self.assertRegex(text, r"MPI library: /\S*/libmpi\.so\.40 \(libmpi\.so\.40\): Open MPI v4")
        self.assertRegex(text, r"its calls: \S*-openmpi\.so\.40, as MPI_Get_library_version names it\n")

    @needs_mpich
    def test_that_of_mpich(self):
        text = self.told("-np", "2", program("round"))
        self.assertRegex(text, r"MPI library: /\S* \(libmpich\.so\.12\): MPICH Version: 4.*\nits calls: \S*-mpich\.so, as ")

    def test_a_program_that_opens_its_library_is_not_run(self):
        self.assertIn("MPI library: not known before", self.told("-np", "2", program("opens"), "x"))


@needs_mpich
class OfMpich(Case):
    def test_a_program_that_is_right(self):
        run = self.run_it(*MPICH, "-n", "3", program("round"))
        report = self.finish_observed(run)
        self.check_round(run, 3, range(3))
        self.assertEqual((report["ranks"], report["findings"]), (3, []))

    def test_its_exit_code_is_kept(self):
        run = self.run_it(*MPICH, "-n", "2", "sh", "-c", '"$0" && exit 7', program("round"))
        code, report = run.finish()
        self.assertEqual((code, report["ranks"]), (7, 2), run.text("err"))

    def test_both_receive_first(self):
        run = self.run_it(*MPICH, "-n", "2", program("round"), "x")
        report = self.finish_observed(run, "findings", 66)
        [finding] = report["findings"]
        self.assertEqual((finding["id"], finding["class"], finding["ranks"]), ("deadlock", "manifest", [0, 1]))
        self.assertEqual([row["call"] for row in finding["waits"]], ["MPI_Recv"] * 2)
        self.assertIn("round.c:", run.text("err"))

    def test_a_library_that_is_opened_late(self):
        run = self.run_it(*MPICH, "-n", "2", program("opens"), program("round.so"))
        report = self.finish_observed(run)
        self.check_round(run, 2, range(2))
        self.assertEqual(report["ranks"], 2)

    def test_a_deadlock_in_a_library_that_python_opens(self):
        path = os.path.join(self.folder, "calls.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"import ctypes\nctypes.CDLL({program('round.so')!r}).go_round(2, None)\n")
        run = self.run_it(*MPICH, "-n", "2", "/usr/bin/python3", path)
        report = self.finish_observed(run, "findings", 66)
        self.assertEqual([finding["ranks"] for finding in report["findings"]], [[0, 1]])

    def test_the_text_of_an_error_is_one_line(self):
        run = self.run_it(*MPICH, "-n", "2", program("negative_count"))
        [finding] = self.finish_observed(run, "findings")["findings"]
        self.assertEqual(finding["id"], "invalid-argument")
        self.assertRegex(run.text("err"), "The error was returned to the application: [^,\\n]*count[^,\\n]*\n")

    def test_a_function_without_a_hook(self):
        self.check_later("later")

    def test_a_function_without_a_hook_in_a_program_at_a_fixed_address(self):
        self.check_later("later_no_pie")

    def check_later(self, name):
        run = self.run_it(*MPICH, "-n", "2", program(name))
        code, report = run.finish()
        self.assertEqual(sorted(run.text("out").splitlines()), ["rank 0: got 1", "rank 1: got 0"])
        self.assertEqual((code, report["verdict"], report["findings"]), (0, "unknown", []), run.text("err"))
        self.assertEqual(report["notes"], ["2 calls of MPI_Isendrecv were not looked at: from the first one on, ranks 0 and 1 may have "
                                           "done anything, so no finding depends on them"])

    def run_newer(self, ranks, what, code=0):
        run = self.run_it(*MPICH, "-n", str(ranks), program("newer"), what)
        got, report = run.finish()
        self.assertEqual(got, code, run.text("err"))
        return run, report

    def check_newer(self, what, note):
        run, report = self.run_newer(2, what)
        self.assertEqual(sorted(run.text("out").splitlines()), ["rank 0: done", "rank 1: done"])
        self.assertEqual((report["verdict"], report["findings"]), ("unknown", []), run.text("err"))
        self.assertTrue(report["notes"][0].startswith(note), report["notes"])

    def test_a_request_of_a_function_without_a_hook(self):
        self.check_newer("requests", "2 calls of MPI_Barrier_init were not looked at")

    def test_a_type_of_a_function_without_a_hook(self):
        self.check_newer("types", "6 calls of MPI_Type_contiguous_c were not looked at")

    def test_a_session(self):
        run, report = self.run_newer(2, "session")
        self.assertEqual(sorted(run.text("out").splitlines()), ["rank 0: done", "rank 1: done"])
        self.assertEqual((report["verdict"], report["findings"]), ("not-checked", []), run.text("err"))
        self.assertIn("2 processes may call a function of MPI that this version does not look at (MPI_Session_init)", report["notes"][0])

    def test_a_deadlock_of_others(self):
        run, report = self.run_newer(3, "deadlock", 66)
        [finding] = report["findings"]
        self.assertEqual((finding["id"], finding["class"], finding["ranks"]), ("deadlock", "manifest", [1, 2]), run.text("err"))
        self.assertTrue(report["notes"][0].startswith("2 calls of MPI_Send_c were not looked at: from the first one on, rank 0 "))

    def test_a_function_that_only_returns_a_value(self):
        run = self.run_it(*MPICH, "-n", "2", program("newer"), "ask")
        self.finish_observed(run)

    def test_under_the_launcher_of_open_mpi(self):
        run = self.run_it("--oversubscribe", "-np", "2", program("round"))
        report = self.finish(run)
        self.check_round(run, 1, [0, 0])
        self.check_mismatch(report, run, "MPICH Version")


@needs_mpich
class WithoutBackend(Case):
    """The files of the tool without the backend for MPICH."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.mkdtemp(prefix="mpich-")
        built = os.path.dirname(os.path.dirname(os.path.realpath(MUSTRUN)))
        for part, name in ("mustrun", "mustrun"), ("overlay", "must-tool"), ("interceptor", "libmust-interceptor.so"):
            os.mkdir(os.path.join(cls.place, part))
            shutil.copy(os.path.join(built, part, name), os.path.join(cls.place, part, name))
        cls.mustrun = os.path.join(cls.place, "mustrun", "mustrun")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.place)

    def test_under_its_own_launcher(self):
        run = self.run_it(*MPICH, "-n", "3", program("round"))
        report = self.finish(run)
        self.check_round(run, 3, range(3))
        self.check_library(report, run)
        self.assertEqual(report["findings"], [])

    def test_its_exit_code_is_kept(self):
        run = self.run_it(*MPICH, "-n", "2", "sh", "-c", '"$0" && exit 7', program("round"))
        report = self.finish(run, 7)
        self.check_library(report, run)

    def test_a_deadlock_is_not_seen_and_the_user_can_stop_it(self):
        run = self.run_it(*MPICH, "-n", "2", program("round"), "x")
        run.wait_for("err", "watching")
        while sum(program("round") in command for command in process.processes_of(run.name).values()) < 2:
            time.sleep(0.02)
        run.process.send_signal(signal.SIGINT)
        report = self.finish(run, 130)
        self.assertEqual([finding["id"] for finding in report["findings"] if finding["id"] != "state"], [])

    def test_under_the_launcher_of_open_mpi(self):
        run = self.run_it("--oversubscribe", "-np", "2", program("round"))
        report = self.finish(run)
        self.check_round(run, 1, [0, 0])
        self.check_library(report, run)
        self.check_mismatch(report, run, "MPICH Version")

    def test_a_single_process_is_no_mismatch(self):
        run = self.run_it("-np", "1", program("round"))
        report = self.finish(run)
        self.check_round(run, 1, [0])
        self.assertEqual(report["findings"], [])

    def test_a_library_that_is_opened_late(self):
        run = self.run_it(*MPICH, "-n", "2", program("opens"), program("round.so"))
        report = self.finish(run)
        self.check_round(run, 2, range(2))
        self.check_library(report, run)

    def test_a_library_that_python_opens(self):
        path = os.path.join(self.folder, "calls.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"import ctypes\nctypes.CDLL({program('round.so')!r}).go_round(0, None)\n")
        run = self.run_it(*MPICH, "-n", "2", "/usr/bin/python3", path)
        report = self.finish(run)
        self.check_round(run, 2, range(2))
        self.check_library(report, run)


class OfOpenMpi(Case):
    def test_a_library_that_is_opened_late(self):
        run = self.run_it("--oversubscribe", "-np", "2", program("opens"), program("round_openmpi.so"))
        report = self.finish_observed(run)
        self.check_round(run, 2, range(2))
        self.assertEqual(report["ranks"], 2)

    def test_a_process_without_mpi_loads_nothing_of_it(self):
        run = self.run_it("--oversubscribe", "-np", "1", "cat", "/proc/self/maps")
        run.finish()
        self.assertIn("libmust-interceptor.so", run.text("out"))
        self.assertNotRegex(run.text("out"), "libmpi|libopen-|libmust-interceptor-")

    @needs_mpich
    def test_under_the_launcher_of_mpich(self):
        run = self.run_it(*MPICH, "-n", "2", program("round_openmpi"))
        report = self.finish(run)
        self.check_round(run, 1, [0, 0])
        self.check_mismatch(report, run, "Open MPI v")

    def test_processes_that_do_not_find_their_launcher(self):
        run = self.run_it("--oversubscribe", "-np", "2", *LOST, program("round_openmpi"))
        report = self.finish(run)
        self.check_round(run, 1, [0, 0])
        self.check_mismatch(report, run, "Open MPI v")

    def test_a_hang_of_such_processes_has_the_mismatch_as_its_cause(self):
        run = self.run_it("--oversubscribe", "-np", "2", *LOST, program("round_openmpi"), "x")
        run.wait_for("err", "launcher-mismatch")
        run.process.send_signal(signal.SIGINT)
        report = self.finish(run, 130)
        self.check_mismatch(dict(report, findings=[f for f in report["findings"] if f["id"] != "state"]), run, "Open MPI v")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[4:])
