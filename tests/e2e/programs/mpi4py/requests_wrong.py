# SPDX-License-Identifier: BSD-3-Clause
# A persistent request is started while it is active, one is freed while it is active, and one is never started (MPI-3.1 section 3.9); a
# receive is never completed (3.7.3). It is right to wait for an inactive request, and to start a request again after its completion.
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: request-misuse error
# FINDING: request-leak warning
# SAYS: MPI_Start \(requests_wrong.py:\d+\) of ranks 0 and 1 starts a request that is active
# SAYS_LINE: AGAIN
# SAYS_LINE: NEVER
# SAYS_LINE: OPEN
# MAYBE: request-misuse
import contextlib
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
other = 1 - comm.rank
word, into, late = array("i", [1]), array("i", [0]), array("i", [0])

right = comm.Send_init([word, 1, MPI.INT], MPI.PROC_NULL, 0)
for _ in range(2):
    right.Wait()
    right.Start()
right.Wait()
right.Free()

twice = comm.Recv_init([into, 1, MPI.INT], other, 1)
twice.Start()
with contextlib.suppress(MPI.Exception):
    twice.Start()  # AGAIN
send = comm.Isend([word, 1, MPI.INT], other, 1)
twice.Wait()
send.Wait()
twice.Free()

never = comm.Send_init([word, 1, MPI.INT], other, 2)
never.Free()  # NEVER

still_open = comm.Irecv([late, 1, MPI.INT], other, 3)  # OPEN
comm.Send([word, 1, MPI.INT], other, 3)
comm.Barrier()
