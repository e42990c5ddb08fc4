# SPDX-License-Identifier: BSD-3-Clause
"""One installation of the tool serves MPI libraries wherever they are: as Spack, EasyBuild, conda and modules lay them out, and ranks in
namespaces, as in containers. Nobody says which library it is, nor which launcher.

Usage: test_layouts.py MUSTRUN MPIEXEC-OF-MPICH PROGRAM-OF-OPEN-MPI [CLASS...]"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import mpich  # noqa: E402
import process  # noqa: E402

MUSTRUN, MPIEXEC, OPENMPI = sys.argv[1:4]
OF_USER = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]


def can_unshare(*namespaces):
    return subprocess.run(["unshare", *OF_USER, *namespaces, "true"], capture_output=True, check=False).returncode == 0


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = os.path.realpath(tempfile.mkdtemp(prefix="layouts-", dir="/var/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.place)
        cls.install()

    @classmethod
    def install(cls):
        """As Spack does it."""
        cls.mpi = mpich.Prefix(os.path.join(cls.place, "opt", "linux-debian12", "gcc-12", "mpich-4.0.2-x7"), MPIEXEC, "lib64/mpich")
        cls.program = cls.mpi.build(os.path.join(cls.place, "round"), mpich.by_rpath(cls.mpi.library))

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.place)

    def run_it(self, *words, path=None, **variables):
        """Exit code, output, errors and report of a run of the launcher that is found first. `path`: the folder that is searched before
        all others."""
        path = self.mpi.bin if path is None else path
        variables = {"UCX_LOG_LEVEL": "error", "PATH": path + ":" + os.environ["PATH"], **variables}
        outcome = process.run([MUSTRUN, *words], self.folder, variables=variables)
        with open(os.path.join(self.folder, "MUST_Output.json"), encoding="utf-8") as file:
            return outcome.exit_code, outcome.stdout.decode(), outcome.stderr.decode(), json.load(file)

    def finds_the_deadlock(self, *words, **keys):
        code, _, said, report = self.run_it("-n", "2", *words, "x", **keys)
        self.assertEqual((code, report["ranks"], report["complete"]), (66, 2, True), said)
        [finding] = report["findings"]
        self.assertEqual((finding["id"], finding["class"], finding["ranks"]), ("deadlock", "manifest", [0, 1]))
        self.assertIn("round.c:", said)
        return said

    def runs_clean(self, *words, **keys):
        code, printed, said, report = self.run_it("-n", "2", *words, **keys)
        self.assertEqual((code, report["verdict"], report["complete"], report["ranks"]), (0, "clean", True, 2), said)
        self.assertEqual(sorted(printed.splitlines()), ["rank 0 of 2: sum 1", "rank 1 of 2: sum 1"])


class Spack(Case):
    def test_a_library_that_only_the_program_knows(self):
        self.finds_the_deadlock(self.program)

    def test_what_is_said_of_it(self):
        path = self.mpi.bin + ":" + os.environ["PATH"]
        told = process.run([MUSTRUN, "--must:info", "-n", "2", self.program], self.folder, variables={"PATH": path}).stdout.decode()
        self.assertIn(f"launcher: {self.mpi.bin}/mpirun: MPICH (hydra), version 4", told)
        self.assertIn(f"MPI library: {self.mpi.library}/libmpi.so.12 (libmpi.so.12): MPICH Version: 4", told)

    @unittest.skipUnless(can_unshare("--mount"), "there are no namespaces of mounts here")
    @unittest.skipIf(os.path.realpath(MUSTRUN).startswith("/tmp/"), "the tool itself is in /tmp, which these ranks do not have")
    def test_ranks_that_have_another_tmp(self):
        self.finds_the_deadlock("unshare", *OF_USER, "--mount", "sh", "-c", 'mount -t tmpfs none /tmp && exec "$0" "$@"', self.program)


class Others(Case):
    """What takes longer."""

    @classmethod
    def install(cls):
        super().install()
        cls.conda = mpich.Prefix(os.path.join(cls.place, "miniforge3", "envs", "a"), MPIEXEC)
        cls.conda.build(os.path.join(cls.conda.bin, "round"), mpich.by_runpath("$ORIGIN/../lib"))
        packages = os.path.join(cls.conda.library, "python3.11", "site-packages")
        os.makedirs(packages)
        cls.extension = cls.conda.build(os.path.join(packages, "round.so"), "-DPLUGIN", "-shared", "-fPIC",
                                        mpich.by_runpath("$ORIGIN/../.."))
        cls.easybuild = mpich.Prefix(os.path.join(cls.place, "software", "MPICH", "4.0.2-GCC-12.2.0"), MPIEXEC, name=mpich.NAME)
        cls.easybuild.build(os.path.join(cls.easybuild.path, "round"))

    def test_a_conda_environment(self):
        self.runs_clean(os.path.join(self.conda.bin, "round"), path=self.conda.bin)
        self.finds_the_deadlock("round", path=self.conda.bin)

    def test_a_conda_environment_that_was_moved(self):
        place = os.path.join(self.folder, "env with a blank")
        shutil.copytree(self.conda.path, place, symlinks=True)
        self.finds_the_deadlock("round", path=os.path.join(place, "bin"))

    def test_an_extension_of_python_in_a_conda_environment(self):
        path = os.path.join(self.folder, "calls.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"import ctypes\nctypes.CDLL({self.extension!r}).go_round(2, None)\n")
        self.finds_the_deadlock("/usr/bin/python3", path, path=self.conda.bin)

    def test_modules_that_follow_each_other(self):
        """One shell, one tool: the module of MPICH is loaded, unloaded, and loaded again."""
        program = os.path.join(self.easybuild.path, "round")
        loaded = {"path": self.easybuild.bin, "LD_LIBRARY_PATH": self.easybuild.library}
        self.finds_the_deadlock(program, **loaded)
        self.runs_clean("--oversubscribe", OPENMPI, path="/usr/bin")
        self.runs_clean(program, **loaded)

    def test_a_module_of_another_library_than_the_program_has(self):
        """LD_LIBRARY_PATH leads to the other one, and the program has its own."""
        self.finds_the_deadlock(self.program, LD_LIBRARY_PATH=self.easybuild.library)

    @unittest.skipUnless(can_unshare("--mount", "--pid"), "there are no namespaces of processes here")
    def test_ranks_with_processes_and_users_of_their_own(self):
        """As in a container of a user without rights."""
        own = ["unshare", "--user", "--map-user=1234", "--map-group=1234", "--mount", "--pid", "--fork", "--mount-proc"]
        said = self.finds_the_deadlock(*own, self.program)
        self.assertIn("go_round (round.c:18), main (round.c:", said)

    @unittest.skipUnless(can_unshare("--net"), "there are no namespaces of networks here")
    def test_ranks_in_another_network_run_unobserved(self):
        code, printed, said, report = self.run_it("-n", "2", "unshare", *OF_USER, "--net", self.program)
        self.assertEqual((code, report["verdict"], report["complete"]), (0, "not-checked", False), said)
        self.assertEqual(sorted(printed.splitlines()), ["rank 0 of 2: sum 1", "rank 1 of 2: sum 1"])
        for rank in range(2):
            self.assertIn(f"rank {rank}: runs unobserved: cannot connect to the tool: none of its processes has the host name and the "
                          "network namespace of this rank", said)

    @unittest.skipUnless(can_unshare("--net"), "there are no namespaces of networks here")
    def test_the_launcher_and_the_tool_in_another_network(self):
        """As in a container that has everything."""
        words = ["unshare", *OF_USER, "--net", "--mount", "sh", "-c", 'mount -t tmpfs none /tmp && exec "$0" "$@"']
        variables = {"UCX_LOG_LEVEL": "error", "PATH": self.mpi.bin + ":" + os.environ["PATH"]}
        outcome = process.run([*words, MUSTRUN, "-n", "2", self.program, "x"], self.folder, variables=variables)
        self.assertEqual(outcome.exit_code, 66, outcome.stderr.decode())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[4:])
