# SPDX-License-Identifier: BSD-3-Clause
"""Runs under other launchers than mpirun: srun and prterun (stand-ins, see there), hydra, orterun, a wrapper around mpirun.

Usage: test_launchers.py MUSTRUN STEPS [CLASS]"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import process  # noqa: E402

MUSTRUN, STEPS = sys.argv[1:3]
SRUN = os.path.join(HERE, "srun")
HYDRA = shutil.which("mpiexec.hydra")


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="orknot-launchers-")
        self.addCleanup(shutil.rmtree, self.folder)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SRUN_"))}
        clean["STAND_IN_FOLDER"] = self.folder
        patch = unittest.mock.patch.dict(os.environ, clean, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def start(self, launcher, *words, interrupt=None):
        command = [MUSTRUN, "--must:mpiexec", launcher, "--must:output-dir", self.folder, *words]
        return process.run(command, self.folder, interrupt=interrupt)

    def report(self):
        with open(os.path.join(self.folder, "MUST_Output.json"), encoding="utf-8") as file:
            return json.load(file)

    def check_clean(self, outcome, ranks, tool_processes=1):
        self.assertEqual(outcome.exit_code, 0, outcome.stderr.decode())
        self.assertEqual(outcome.leftovers, [])
        self.assertIn(f"sum {sum(range(ranks))}", outcome.stdout.decode())
        report = self.report()
        self.assertEqual((report["findings"], report["ranks"], report["complete"]), ([], ranks, True))
        self.assertEqual(report["statistics"]["tool_ranks"], tool_processes)

    def check_deadlock(self, outcome, ranks):
        self.assertEqual(outcome.exit_code, 66, outcome.stderr.decode())
        self.assertEqual(outcome.leftovers, [])
        [finding] = self.report()["findings"]
        self.assertEqual((finding["id"], finding["class"]), ("deadlock", "manifest"))
        self.assertEqual(finding["ranks"], list(range(ranks)))


class Srun(Case):
    nodes = 1

    def setUp(self):
        super().setUp()
        os.environ.update(SLURM_JOB_ID="7", SLURM_JOB_NUM_NODES=str(self.nodes))

    def steps(self):
        with open(os.path.join(self.folder, "steps"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_a_run_without_findings(self):
        self.check_clean(self.start(SRUN, "--mpi=pmix", "-n", "3", STEPS, "5"), 3, self.nodes)
        tool, application = self.steps()
        self.assertIn("--overlap", tool["words"])
        self.assertNotIn("--overlap", application["words"])
        self.assertEqual((tool["preload"], application["preload"]), (None, None))

    def test_a_deadlock(self):
        self.check_deadlock(self.start(SRUN, "--mpi=pmix", "-n3", STEPS, "5", "deadlock"), 3)

    def test_several_leaves_on_a_node(self):
        words = ["--must:leaf-ranks", "1", "--must:fanin", "2", "--mpi=pmix", "-n", "4"]
        self.check_clean(self.start(SRUN, *words, STEPS, "5"), 4, 4)
        self.check_deadlock(self.start(SRUN, *words, STEPS, "5", "deadlock"), 4)

    def test_variables_of_the_batch_script_do_not_disturb_the_tool(self):
        os.environ.update(SLURM_NTASKS="3", SLURM_LABELIO="1")
        outcome = self.start(SRUN, STEPS, "5")
        self.assertIn(b"<stdout>:begun", outcome.stdout)
        self.check_clean(outcome, 3, self.nodes)

    def test_ranks_are_seen_whatever_is_exported(self):
        for choice in ("ALL", "ALL,A=1", "NONE", "A", "A=2,LD_PRELOAD"):
            with self.subTest(choice):
                self.check_clean(self.start(SRUN, "-n", "2", "--export", choice, STEPS, "5"), 2, self.nodes)

    def test_the_users_own_preload_is_kept(self):
        show = ["sh", "-c", "echo $LD_PRELOAD"]
        for words, own in (([], ":libm.so.6"), (["--export=B"], ""), (["--export=LD_PRELOAD=libdl.so.2"], ":libdl.so.2")):
            with unittest.mock.patch.dict(os.environ, LD_PRELOAD="libm.so.6"):
                outcome = self.start(SRUN, "-n1", *words, shutil.which("env"), "PATH=/bin:/usr/bin", *show)
            [line] = outcome.stdout.decode().splitlines()
            self.assertRegex(line, f"^/[^:]*libmust-interceptor.so{own}$")

    def test_an_interrupt_shows_where_the_ranks_are(self):
        outcome = self.start(SRUN, "-n", "2", STEPS, "2000", interrupt=1.0)
        self.assertEqual((outcome.exit_code, outcome.leftovers), (130, []), outcome.stderr.decode())
        [finding] = self.report()["findings"]
        self.assertEqual(finding["id"], "state")

    def test_outside_of_an_allocation_nothing_is_started(self):
        del os.environ["SLURM_JOB_ID"], os.environ["SLURM_JOB_NUM_NODES"]
        outcome = self.start(SRUN, "-n", "2", STEPS, "5")
        self.assertEqual((outcome.exit_code, outcome.stdout), (64, b""))
        self.assertIn(b"no Slurm allocation", outcome.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "steps")))


class SrunNodes(Srun):
    """On two nodes, of which the first one gets more tasks."""

    nodes = 2

    def setUp(self):
        if subprocess.run(["unshare", "--uts", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("a process may not have a host name of its own here")
        super().setUp()

    def test_leaves_that_are_spread_in_another_way_than_ranks(self):
        words = ["--must:leaf-ranks", "1", "--must:fanin", "2", "-m", "cyclic", "-n", "6"]
        self.check_clean(self.start(SRUN, *words, STEPS, "5"), 6, 6)  # the tool's: 5 and 1, the ranks: 3 and 3


class Mpirun(Case):
    def test_orterun_with_an_option_of_its_own_for_the_ranks(self):
        outcome = self.start("orterun", "--must:np", "--n", "--oversubscribe", "--n", "3", STEPS, "5")
        self.check_clean(outcome, 3)

    def test_a_wrapper_starts_the_application(self):
        outcome = self.start(os.path.join(HERE, "wrapper"), "-np", "3", STEPS, "5", "deadlock")
        self.check_deadlock(outcome, 3)
        with open(os.path.join(self.folder, "wrapped"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 1)

    def test_an_mpirun_that_sleeps_before_it_ends_the_ranks_is_woken(self):
        outcome = self.start(os.path.join(HERE, "sleeper"), "-np", "2", STEPS, "5", "deadlock")
        self.check_deadlock(outcome, 2)
        with open(os.path.join(self.folder, "signals"), encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["SIGTERM", "SIGCHLD"])


class AnyPrterun(Case):
    """With LAUNCHER, which answers to --version as Open MPI 5's mpirun."""

    LAUNCHER = None
    TOO_FEW = 213  # its exit code if there are too few cores

    def show(self, *words, variable="LD_PRELOAD"):
        """What each rank has as this variable."""
        outcome = self.start(self.LAUNCHER, *words, shutil.which("env"), "-u", "NOTHING", "sh", "-c", f"echo \"=${variable}\"")
        self.assertEqual(outcome.exit_code, 0, outcome.stderr.decode())
        return sorted(line[1:] for line in outcome.stdout.decode().splitlines() if line.startswith("="))

    def test_a_run_without_findings(self):
        outcome = self.start(self.LAUNCHER, "--map-by", ":OVERSUBSCRIBE", "--output", "tag", "--prtemca", "a", "b", "--np=3", STEPS, "5")
        self.check_clean(outcome, 3)

    def test_a_deadlock(self):
        self.check_deadlock(self.start(self.LAUNCHER, "--map-by", ":OVERSUBSCRIBE", "-np", "3", STEPS, "5", "deadlock"), 3)

    def test_ranks_are_seen_in_each_context(self):
        outcome = self.start(self.LAUNCHER, "--map-by", ":OVERSUBSCRIBE", "-n", "2", STEPS, "5", ":", "-n", "1", STEPS, "5")
        self.check_clean(outcome, 3)

    def test_the_users_own_preload_is_kept(self):
        [value] = self.show("-x", "LD_PRELOAD=libdl.so.2", "-np", "1")
        self.assertRegex(value, "^/[^:]*libmust-interceptor.so:libdl.so.2$")
        with unittest.mock.patch.dict(os.environ, LD_PRELOAD="libm.so.6"):
            values = self.show("-np", "1")
        self.assertRegex(values[0], "^/[^:]*libmust-interceptor.so:libm.so.6$")

    def test_other_variables_stay_as_the_user_wants_them(self):
        self.assertEqual(self.show("-x", "A=1", "-x", "A=2", "-np", "1", variable="A"), ["1"])

    def test_too_few_cores_are_explained(self):
        ranks = os.cpu_count() + 1
        outcome = self.start(self.LAUNCHER, "-np", str(ranks), STEPS, "5")
        self.assertEqual(outcome.exit_code, self.TOO_FEW)
        self.assertIn(f"for {ranks} on this machine", outcome.stderr.decode())
        self.assertIn(b"add --map-by :OVERSUBSCRIBE before -np", outcome.stderr)


class Prterun(AnyPrterun):
    """A stand-in. Found by what it answers to --version: its name is known, but it is a script."""

    LAUNCHER = os.path.join(HERE, "prterun")

    def test_spawned_processes_inherit_from_its_environment(self):
        self.check_clean(self.start(self.LAUNCHER, "--map-by", ":OVERSUBSCRIBE", "-np", "3", STEPS, "5"), 3)
        with open(os.path.join(self.folder, "asked"), encoding="utf-8") as file:
            [asked] = [json.loads(line) for line in file]
        self.assertRegex(asked["preload"], "libmust-interceptor.so$")
        self.assertTrue(asked["token"])


class Openmpi5(AnyPrterun):
    """The real one, which ORK_TEST_LAUNCHER names; STEPS is a program of its library."""

    LAUNCHER = os.environ.get("ORK_TEST_LAUNCHER")
    TOO_FEW = 1

    def setUp(self):
        super().setUp()
        for name in [name for name in os.environ if name.startswith("OMPI_MCA_")]:  # meant for version 4
            del os.environ[name]

    def script(self, code, *words):
        outcome = self.start(self.LAUNCHER, *words)
        self.assertEqual(outcome.exit_code, code, outcome.stderr.decode())
        self.assertEqual(outcome.leftovers, [])
        return outcome

    def test_it_is_named(self):
        outcome = process.run([MUSTRUN, "--must:info", "--must:mpiexec", self.LAUNCHER, "-np", "1", "true"], self.folder)
        self.assertRegex(outcome.stdout.decode(), r"launcher: .*: Open MPI 5 and later \(prterun\), version [56]")

    def test_exit_codes_are_its_own(self):
        self.script(3, "-np", "1", "sh", "-c", "exit 3")
        self.script(139, "-np", "1", "sh", "-c", "kill -SEGV $$")
        self.script(183, "-np", "1", "./no-such-program")

    def test_an_interrupt_ends_the_job(self):
        outcome = self.start(self.LAUNCHER, "-np", "2", "sh", "-c", "echo begun; exec sleep 600", interrupt=1.0)
        self.assertEqual((outcome.exit_code, outcome.leftovers), (130, []), outcome.stderr.decode())

    def test_options_with_arguments_are_not_programs(self):
        for words in ("--display map", "--stream-buffering 1", "--pmixmca a b", "--bind-to none", "--output rank"):
            with self.subTest(words):
                self.check_clean(self.start(self.LAUNCHER, *words.split(), "-np", "2", STEPS, "5"), 2)

    def test_a_job_that_is_to_go_on_does(self):
        script = "[ $PMIX_RANK = 1 ] && kill -KILL $$; sleep 2; echo went on"
        outcome = self.start(self.LAUNCHER, "--enable-recovery", "-np", "2", "sh", "-c", script)
        self.assertIn(b"went on", outcome.stdout)


@unittest.skipIf(HYDRA is None, "MPICH's hydra is not installed")
class Hydra(Case):
    """Programs without MPI under the real one. tests/e2e/mpich has those of MPICH."""

    def script(self, *words, code=0):
        outcome = self.start(HYDRA, *words)
        self.assertEqual(outcome.exit_code, code, outcome.stderr.decode())
        self.assertEqual(outcome.leftovers, [])
        return outcome.stdout.decode().splitlines()

    SHOW = ["sh", "-c", 'echo "$PMI_RANK/$PMI_SIZE $LD_PRELOAD ${#ORKNOT_TOKEN} $A"; sleep 0.5']
    OURS = "/[^: ]*libmust-interceptor.so"

    def check_show(self, lines, *expected):
        self.assertEqual(len(lines), len(expected), lines)
        for line, pattern in zip(sorted(lines), expected):
            self.assertRegex(line, f"^{pattern}$")

    def test_each_context_has_the_variables(self):
        lines = self.script("-n", "2", *self.SHOW, ":", "-n=1", "-env", "A", "7", *self.SHOW)
        self.check_show(lines, f"0/3 {self.OURS} 32 ", f"1/3 {self.OURS} 32 ", f"2/3 {self.OURS} 32 7")

    def test_a_file_of_contexts_has_the_variables(self):
        path = os.path.join(self.folder, "contexts")
        show = os.path.join(self.folder, "show.sh")
        with open(show, "w", encoding="utf-8") as file:
            file.write(self.SHOW[2] + "\n")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"# two\n-n 1 sh {show}\n-n 1 -env LD_PRELOAD libdl.so.2 -genv A=1 sh {show}\n")
        self.check_show(self.script("-configfile", path), f"0/2 {self.OURS} 32 1", f"1/2 {self.OURS}:libdl.so.2 32 1")

    def test_the_users_own_preload_is_kept(self):
        for words in (["-genv", "LD_PRELOAD", "libdl.so.2"], ["-env", "LD_PRELOAD=libdl.so.2"]):
            self.check_show(self.script("-n", "1", *words, *self.SHOW), f"0/1 {self.OURS}:libdl.so.2 32 ")

    def test_limits_of_the_environment_do_not_concern_ours(self):
        for words in (["-genvnone"], ["-genvlist", "PATH"], ["-envnone"]):
            self.check_show(self.script("-n", "1", *words, *self.SHOW), f"0/1 {self.OURS} 32 ")

    def test_exit_codes_are_its_own(self):
        # RATIONALE: hydra itself sometimes ends by SIGPIPE if its program ends at once.
        self.script("-n", "2", "sh", "-c", "sleep 0.5; exit $PMI_RANK", code=1)
        self.script("-n", "2", "sh", "-c", "sleep 0.5; exit $((PMI_RANK + 3))", code=7)  # it joins the bits
        self.script("-n", "1", "sh", "-c", "sleep 0.5; kill -KILL $$", code=9)
        self.script("-n", "1", "./no-such-program", code=255)

    def test_input_reaches_the_first_rank(self):
        command = [MUSTRUN, "--must:mpiexec", HYDRA, "--must:output-dir", self.folder, "-n", "2", "sh", "-c", "[ $PMI_RANK = 1 ] || cat"]
        outcome = subprocess.run(command, input=b"a\nb\n", capture_output=True, check=False, timeout=process.FAR)
        self.assertEqual((outcome.returncode, outcome.stdout), (0, b"a\nb\n"), outcome.stderr)

    def test_an_interrupt_ends_the_job(self):
        outcome = self.start(HYDRA, "-n", "2", "sh", "-c", "echo begun; exec sleep 600", interrupt=1.0)
        self.assertEqual((outcome.exit_code, outcome.leftovers), (130, []), outcome.stderr.decode())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
