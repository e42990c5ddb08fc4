# SPDX-License-Identifier: BSD-3-Clause
# An access outside of epochs (MPI-3.1 section 11.5), two ranks that put to the same bytes in one epoch (11.7), and a put outside of the
# window (11.3).
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: epoch-misuse warning
# FINDING: rma-conflict error
# FINDING: window-bounds warning
# SAYS: MPI_Put \(windows_wrong.py:\d+\) of ranks 0 and 1 accesses target 1 outside of access epochs
# SAYS_LINE: EARLY
# SAYS_LINE: OUTSIDE
from array import array

from mpi4py import MPI

words = array("i", [7, 7])
window = MPI.Win.Create(array("i", [0, 0]), 4, comm=MPI.COMM_WORLD)
try:
    window.Put([words, 1, MPI.INT], 1)  # EARLY
except MPI.Exception:
    pass
window.Fence()
window.Put([words, 1, MPI.INT], 0)
if MPI.COMM_WORLD.rank == 0:
    try:
        window.Put([words, 1, MPI.INT], 1, 100)  # OUTSIDE
    except MPI.Exception:
        pass
window.Fence()
window.Free()
