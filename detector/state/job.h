/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of one MPI_COMM_WORLD each, and which jobs are connected. */
#ifndef ORK_DETECTOR_JOB_H
#define ORK_DETECTOR_JOB_H

#include "detector/state/comm.h"

struct proc;
struct wave;

/* The processes of one MPI_COMM_WORLD. */
struct job {
    uint32_t number, first, size;
    uint32_t name; /* 0: none */
    struct proc *proc;
    struct comm *world, *finalize;
    struct wave *end; /* the only wave of `finalize` */
    bool finalized;   /* the wave is complete, and so are those of all connected jobs */
    uint32_t spawner; /* a process that spawned it; UINT32_MAX: unknown */
    uint32_t spawn_site;
    uint16_t spawn_call;
    uint32_t kept; /* jobs with the same number here stay connected, even after a disconnect */
    bool marked;
};

/* Append a job of `size` processes. False: out of memory. */
bool ork_job_add(struct ork_detector *d, uint32_t size);
void ork_job_destroy(struct job *job);
/* Translate the groups in the list of a record of `p` to groups of processes. */
void ork_job_translate(const struct proc *p, struct ork_record *rec, uint32_t *list);
/* Connect the members of `c` from now on; until unlinked, if that `severs`. */
bool ork_job_link(struct ork_detector *d, struct comm *c);
/* Returns whether `c` connected jobs; if so, others may be able to leave MPI_Finalize. */
bool ork_job_unlink(struct ork_detector *d, struct comm *c, bool severs);
/* Mark the jobs that are connected with this one, including itself. */
void ork_job_mark_connected(struct ork_detector *d, struct job *job);

#endif
