# SPDX-License-Identifier: BSD-3-Clause
# A grid that is larger than the communicator (MPI-3.1 section 7.5.1), a shift in a direction that the grid does not have (7.5.6), and a
# root that is not in the group (5.4).
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: invalid-argument warning
# SAYS: dims needs 6 processes in MPI_Cart_create \(topologies_wrong.py:\d+\) of ranks 0 and 1, but the communicator has 2
# SAYS: direction is 1 in MPI_Cart_shift \(topologies_wrong.py:\d+\)
# SAYS: root is 4 in MPI_Bcast \(topologies_wrong.py:\d+\) of ranks 0 and 1, but the group has 2 processes
# SAYS_LINE: GRID
# SAYS_LINE: SHIFT
# SAYS_LINE: ROOT
import contextlib
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
with contextlib.suppress(MPI.Exception):
    comm.Create_cart([2, 3])  # GRID
row = comm.Create_cart([2])
with contextlib.suppress(MPI.Exception):
    row.Shift(1, 1)  # SHIFT
row.Free()
with contextlib.suppress(MPI.Exception):
    comm.Bcast([array("i", [1]), 1, MPI.INT], 4)  # ROOT
