# SPDX-License-Identifier: BSD-3-Clause
# A send reads what a pending receive writes (MPI-3.1 section 3.7.2), a reduction is made into its own send buffer (5.1), and a send buffer
# is changed before the send is complete (3.7.2).
#
# RANKS: 2
# OPTIONS: --must:check-buffers
# EXPECT: no-deadlock
# FINDING: buffer-overlap warning
# FINDING: buffer-modified error
# SAYS_LINE: READS
# SAYS_LINE: ITSELF
# SAYS_LINE: CHANGED
import contextlib
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
other = 1 - comm.rank
into, words = array("i", [0, 0, 0]), array("i", [3, 4, 5])

receive = comm.Irecv([into, 2, MPI.INT], other, 1)
send = comm.Isend([memoryview(into)[1:], 1, MPI.INT], other, 2)  # READS
again = comm.Isend([words, 2, MPI.INT], other, 1)
taken = array("i", [0])
comm.Recv([taken, 1, MPI.INT], other, 2)
MPI.Request.Waitall([receive, send, again])

with contextlib.suppress(MPI.Exception):
    comm.Allreduce([words, 3, MPI.INT], [words, 3, MPI.INT])  # ITSELF

send = comm.Issend([words, 3, MPI.INT], other, 3)  # CHANGED
words[1] = 17
comm.Recv([into, 3, MPI.INT], other, 3)
send.Wait()
