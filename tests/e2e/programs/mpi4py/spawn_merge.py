# SPDX-License-Identifier: BSD-3-Clause
# All ranks start two processes together and make one communicator of them all. Nothing to report.
#
# RANKS: 2
# REPORT_RANKS: 4
# EXPECT: clean
# OUTPUT: 4 processes [0, 1, 2, 3] 6
import sys

from mpi4py import MPI

parent = MPI.Comm.Get_parent()
is_child = parent != MPI.COMM_NULL
inter = parent if is_child else MPI.COMM_WORLD.Spawn(sys.executable, [__file__], maxprocs=2)
whole = inter.Merge(high=is_child)
ring = whole.sendrecv(whole.rank, dest=(whole.rank + 1) % whole.size, source=(whole.rank - 1) % whole.size)
ranks = whole.gather(ring)
total = whole.allreduce(whole.rank)
whole.Barrier()
if whole.rank == 0:
    print(whole.size, "processes", sorted(ranks), total)
whole.Free()
inter.Disconnect()
