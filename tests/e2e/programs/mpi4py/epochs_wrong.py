# SPDX-License-Identifier: BSD-3-Clause
# A flush without a lock (MPI-3.1 section 11.5.4), an epoch that is completed but was not started (11.5.2), and a window
# that is freed before the fence that would complete its access (11.2.5).
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: epoch-misuse warning
# SAYS: MPI_Win_flush \(epochs_wrong.py:\d+\) of rank 0 is called while no target is locked
# SAYS_LINE: FLUSH
# SAYS_LINE: COMPLETE
# SAYS_LINE: FREE
import contextlib
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
window = MPI.Win.Allocate(8, 4, comm=comm)
if comm.rank == 0:
    with contextlib.suppress(MPI.Exception):
        window.Flush(1)  # FLUSH
    with contextlib.suppress(MPI.Exception):
        window.Complete()  # COMPLETE
comm.Barrier()
window.Fence()
window.Put([array("i", [comm.rank]), 1, MPI.INT], 0, comm.rank)
with contextlib.suppress(MPI.Exception):
    window.Free()  # FREE
