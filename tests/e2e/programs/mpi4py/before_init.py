# SPDX-License-Identifier: BSD-3-Clause
# MPI is asked for the number of the rank before MPI_Init is called (MPI-3.1 section 8.7), and the MPI library ends the process.
#
# RANKS: 1
# EXPECT: no-deadlock
# PLAIN: compared
# FINDING: init-finalize error
# SAYS: MPI_Comm_rank \(before_init.py:\d+\) of rank 0 is called before MPI_Init
# SAYS: 1 finding \(1 error\)
# SAYS_LINE: EARLY
import mpi4py

mpi4py.rc.initialize = False
from mpi4py import MPI

assert not MPI.Is_initialized()
MPI.COMM_WORLD.Get_rank()  # EARLY
MPI.Init()
