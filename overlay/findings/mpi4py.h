/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program in Python calls, where mpi4py calls an MPI function of another name. */
#ifndef ORK_OVERLAY_FINDINGS_MPI4PY_H
#define ORK_OVERLAY_FINDINGS_MPI4PY_H

/* "comm.recv", for "MPI_Mprobe" in the line `data = comm.recv(source=1)`. The caller's; NULL: the
 * text is no line of Python with exactly one such call, or memory is short. */
char *ork_mpi4py_name(const char *line, const char *call);

#endif
