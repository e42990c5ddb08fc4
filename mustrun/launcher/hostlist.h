/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of hosts with ranges, as Slurm and Intel MPI have them. */
#ifndef ORK_MUSTRUN_LAUNCHER_HOSTLIST_H
#define ORK_MUSTRUN_LAUNCHER_HOSTLIST_H

/* The number of hosts in "n1,n[07-10,12],r[1-2]c[0-3]"; 0: malformed. */
unsigned ork_hostlist_count(const char *list);

#endif
