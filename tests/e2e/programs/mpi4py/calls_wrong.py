# SPDX-License-Identifier: BSD-3-Clause
# A freed communicator (MPI-3.1 section 6.4.3), a null request that is started (3.9), an operator that is not defined for a datatype
# (5.9.2), two pending receives into the same bytes (3.7.2), and a message that nobody receives (3.5).
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: invalid-handle warning
# FINDING: request-misuse warning
# FINDING: invalid-operator warning
# FINDING: buffer-overlap error
# FINDING: lost-message warning
# SAYS_LINE: FREED
# SAYS_LINE: NULL
# SAYS_LINE: OPERATOR
# SAYS_LINE: SAME
# SAYS_LINE: LOST
import contextlib
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
other = 1 - comm.rank
words, numbers = array("i", [1, 2]), array("d", [1.0])

freed = comm.Dup()
freed.Free()
with contextlib.suppress(MPI.Exception):
    freed.Barrier()  # FREED

with contextlib.suppress(MPI.Exception):
    MPI.Prequest().Start()  # NULL

with contextlib.suppress(MPI.Exception):
    comm.Allreduce([numbers, 1, MPI.DOUBLE], [array("d", [0.0]), 1, MPI.DOUBLE], op=MPI.BAND)  # OPERATOR

first = comm.Irecv([words, 1, MPI.INT], other, 2)
second = comm.Irecv([words, 1, MPI.INT], other, 3)  # SAME
comm.Send([array("i", [4]), 1, MPI.INT], other, 2)
comm.Send([array("i", [5]), 1, MPI.INT], other, 3)
MPI.Request.Waitall([first, second])

if comm.rank == 0:
    comm.Isend([words, 1, MPI.INT], 1, 9).Free()  # LOST
