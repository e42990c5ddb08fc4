# SPDX-License-Identifier: BSD-3-Clause
# A coordinate outside of a dimension that is not periodic (MPI-3.1 section 7.5.5), and a group with a rank twice (6.3.2). Coordinates
# outside of the periodic dimension are right.
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: invalid-argument warning
# SAYS: coords\[1\] is 3 in MPI_Cart_rank \(grid_and_group.py:\d+\) of ranks 0 and 1, but the dimension has 1 processes
# SAYS: ranks has rank 1 more than once in MPI_Group_incl \(grid_and_group.py:\d+\) of ranks 0 and 1
# SAYS: 2 findings
# SAYS_LINE: GRID
# SAYS_LINE: GROUP
# OUTPUT: right: 1
from mpi4py import MPI

grid = MPI.COMM_WORLD.Create_cart([2, 1], periods=[True, False])
if MPI.COMM_WORLD.rank == 0:
    print("right:", grid.Get_cart_rank([-1, 0]), flush=True)
try:
    grid.Get_cart_rank([0, 3])  # GRID
except MPI.Exception:
    pass
grid.Free()
everyone = MPI.COMM_WORLD.Get_group()
everyone.Incl([1, 1]).Free()  # GROUP
everyone.Free()
