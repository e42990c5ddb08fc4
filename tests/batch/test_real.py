# SPDX-License-Identifier: BSD-3-Clause
"""A suite of small programs with the real mustrun: what it finds, and that nothing is left of what is ended."""

import os
import unittest

from mustbatch import process
from support import Folder, case

RING = os.path.join(os.environ["BATCH_BUILD"], "tests", "batch", "batch_ring")
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def ring(name, how, **keys):
    return case(name, [RING, how], options=["--oversubscribe"], environment=ROOT, **keys)


def processes_of(program):
    found = []
    for pid in os.listdir("/proc"):
        try:
            if pid.isdigit() and os.readlink(f"/proc/{pid}/exe") == program and not process.is_zombie(pid):
                found.append(pid)
        except OSError:
            pass
    return found


class Real(Folder):
    def test_a_suite_of_small_programs(self):
        self.suite(
            ring("clean", "nothing", output="^token 0$", same="^token"),
            ring("deadlock", "deadlock", expect="deadlock", time_limit=20),
            ring("surprise", "deadlock", time_limit=20),
            ring("leak", "leak", expect=["request-leak"]),
            ring("crash", "crash"),
            ring("sleep", "sleep", time_limit=20),  # all ranks must have begun
            ring("after", "nothing", ranks=4, output="^token 0$"),
            case("not-mpi", "true", options=["--oversubscribe"], environment=ROOT),
        )
        ended = self.batch("run", "suite.toml", "--output", "out")
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertEqual(
            self.words(),
            {
                "clean": "pass",
                "deadlock": "pass",
                "surprise": "fail",
                "leak": "pass",
                "crash": "error",
                "sleep": "timeout",
                "after": "pass",
                "not-mpi": "error",
            },
            ended.stdout,
        )
        found = self.results()
        self.assertEqual([entry["id"] for entry in found["deadlock"]["findings"]], ["deadlock"])
        self.assertEqual(found["deadlock"]["findings"][0]["ranks"], [0, 1])
        self.assertEqual({wait["call"] for wait in found["deadlock"]["findings"][0]["waits"]}, {"MPI_Recv"})
        self.assertIn("ranks 0 and 1 wait for each other", found["surprise"]["reason"])
        self.assertIn("signal 6", found["crash"]["reason"])
        self.assertEqual([entry["id"] for entry in found["sleep"]["findings"]], ["state"])
        self.assertIn("no rank called MPI_Init", found["not-mpi"]["reason"])
        self.assertIn("orknot", self.read("out", "deadlock", "tool-1", "stderr"))
        self.assertEqual(processes_of(os.path.realpath(RING)), [])

    def test_a_slowdown_is_measured(self):
        self.suite(ring("clean", "nothing", same="^token"))
        ended = self.batch("run", "suite.toml", "--output", "out", "--compare", "--repeat", "2")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertGreater(self.results()["clean"]["slowdown"]["ratio"], 0)
        self.assertEqual([run["name"] for run in self.results()["clean"]["runs"]], ["plain-1", "tool-1", "plain-2", "tool-2"])


if __name__ == "__main__":
    unittest.main()
