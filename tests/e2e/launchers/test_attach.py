# SPDX-License-Identifier: BSD-3-Clause
"""What a rank tells its leaf, and which leaf it goes to, by the variables of Slurm and of Open MPI. The leaves are sockets of this test.

Usage: test_attach.py INTERCEPTOR PROGRAM"""

import os
import select
import socket
import struct
import subprocess
import sys
import unittest
import uuid

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import leaf_address  # noqa: E402

INTERCEPTOR, PROGRAM = sys.argv[1:3]
TOKEN = "0123456789abcdef0123456789abcdef"
HELLO = struct.Struct("Q32s256sIII")
LIMIT = 900
SLURM = {"PMIX_NAMESPACE": "slurm.pmix.5.1", "PMIX_RANK": "6", "SLURM_STEP_NUM_TASKS": "9", "SLURM_NODEID": "2",
         "SLURM_STEP_TASKS_PER_NODE": "2(x2),4,1", "SLURM_LOCALID": "3", "SLURM_TASKS_PER_NODE": "1(x4)"}


def listen(session, leaf):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(leaf_address.of(session, TOKEN, leaf))
    listener.listen(1)
    return listener


class Attach(unittest.TestCase):
    def attach(self, variables, leaves=1, present=None):
        """(number of the leaf, name of the job, rank, size) of the one rank that comes."""
        session = "attach-" + uuid.uuid4().hex[:12]
        listeners = {listen(session, leaf): leaf for leaf in (range(leaves) if present is None else present)}
        for listener in listeners:
            self.addCleanup(listener.close)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "SLURM_"))}
        env = dict(kept, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", LD_PRELOAD=INTERCEPTOR,
                   ORKNOT_SESSION=session, ORKNOT_TOKEN=TOKEN, ORKNOT_LEAVES=str(leaves), **variables)
        with subprocess.Popen([PROGRAM, "1"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as rank:
            try:
                ready, _, _ = select.select(listeners, [], [], LIMIT)
                self.assertTrue(ready, "no rank came")
                with ready[0].accept()[0] as connection:
                    connection.settimeout(LIMIT)
                    _, token, job, number, size, pid = HELLO.unpack_from(connection.recv(4096))
            finally:
                rank.kill()
        self.assertEqual((token.decode(), pid), (TOKEN, rank.pid))
        return listeners[ready[0]], job.rstrip(b"\0").decode(), number, size

    def test_a_step_of_slurm_tells_size_and_place(self):
        self.assertEqual(self.attach(SLURM, 4), (3, "slurm.pmix.5.1", 6, 9))
        self.assertEqual(self.attach(SLURM, 2)[0], 1)
        self.assertEqual(self.attach(dict(SLURM, SLURM_LOCALID="1"), 2)[0], 0)
        self.assertEqual(self.attach(dict(SLURM, SLURM_NODEID="0", SLURM_LOCALID="1"), 2)[0], 1)

    def test_a_place_that_is_on_no_list_is_counted_round(self):
        self.assertEqual(self.attach(dict(SLURM, SLURM_NODEID="7"), 2)[0], 1)
        self.assertEqual(self.attach(dict(SLURM, SLURM_STEP_TASKS_PER_NODE=",(x", SLURM_LOCALID="4"), 3)[0], 1)

    def test_open_mpi_comes_first(self):
        ompi = {"OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": "4"}
        self.assertEqual(self.attach(dict(SLURM, **ompi), 4), (0, "slurm.pmix.5.1", 6, 3))

    def test_slurms_variables_are_not_those_of_another_launcher(self):
        self.assertEqual(self.attach(dict(SLURM, PMIX_NAMESPACE="1234"), 4), (0, "1234", 6, 0))

    def test_where_the_leaf_is_missing_another_one_does(self):
        self.assertEqual(self.attach(SLURM, 4, present=[1])[0], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
