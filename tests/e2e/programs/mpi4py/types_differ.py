# SPDX-License-Identifier: BSD-3-Clause
# Integers that are received as floats (MPI-3.1 section 3.3.1), more elements than the receive has room for (3.2.4), and a broadcast
# whose ranks name different counts (5.4). Objects are sent as bytes, which is right.
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: type-mismatch error
# FINDING: truncation warning
# FINDING: count-mismatch error
# SAYS: rank 0 sends 2 x MPI_INT .*, but rank 1 receives 2 x MPI_FLOAT
# SAYS: rank 0 sends 3 x MPI_INT .*, but rank 1 receives at most 2 x MPI_INT
# SAYS: rank 0 sends 1 x MPI_INT .*, but rank 1 receives 2 x MPI_INT
# SAYS: 3 findings
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
words = array("i", [0, 0, 0])
if comm.rank == 0:
    comm.Send([words, 2, MPI.INT], 1, 1)
    comm.Send([words, 3, MPI.INT], 1, 2)
    comm.send({"right": 1}, 1, 3)
    comm.Bcast([words, 1, MPI.INT])
else:
    comm.Recv([array("f", [0, 0]), 2, MPI.FLOAT], 0, 1)
    try:
        comm.Recv([words, 2, MPI.INT], 0, 2)
    except MPI.Exception:
        pass
    comm.recv(None, 0, 3)
    try:
        comm.Bcast([words, 2, MPI.INT])
    except MPI.Exception:
        pass
