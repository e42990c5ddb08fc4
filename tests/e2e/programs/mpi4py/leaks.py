# SPDX-License-Identifier: BSD-3-Clause
# Python does not free MPI's objects: two communicators and a datatype are left (MPI-3.1 section 2.5.1), others are freed.
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: resource-leak warning
# SAYS: 2 communicators of MPI_Comm_dup \(leaks.py:\d+\) were not freed before MPI_Finalize by ranks 0 and 1
# SAYS: 1 datatype of MPI_Type_vector \(leaks.py:\d+\) was not freed before MPI_Finalize by ranks 0 and 1
# SAYS: 2 findings:
# SAYS_LINE: DUP
# SAYS_LINE: TYPE
from mpi4py import MPI

comms = [MPI.COMM_WORLD.Dup() for _ in range(2)]  # DUP
column = MPI.INT.Create_vector(2, 1, 2)  # TYPE
group = MPI.COMM_WORLD.Get_group()
group.Free()
other = MPI.COMM_WORLD.Dup()
other.Free()
