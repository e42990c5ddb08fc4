/* SPDX-License-Identifier: BSD-3-Clause */
/* All state of the detector. The state implements no rule of MPI: the layers above decide what
 * follows from a record. docs/explanation/detector.md defines the invariants and the names. */
#ifndef ORK_DETECTOR_STATE_H
#define ORK_DETECTOR_STATE_H

#include "common/assert.h"
#include "detector/detector.h"
#include "detector/issues.h"
#include "detector/state/comm.h"
#include "detector/state/job.h"
#include "detector/state/op.h"
#include "detector/state/bulk_wave.h"
#include "detector/state/pool.h"
#include "detector/state/proc.h"
#include "detector/state/request.h"
#include "detector/state/thread.h"
#include "detector/state/types.h"
#include "detector/state/wave_ring.h"
#include "detector/state/window.h"

#include <string.h>

/* See check/issue.c. */
struct issues {
    struct ork_issue *issue;
    uint32_t count, cap;
    bool pairs_left_out;     /* not compared, as the match was not certain */
    struct open_issue *open; /* see check/outcome.h */
    uint32_t num_open, open_cap;
    uint32_t num_returned; /* whose error returned to the application */
};

struct ork_detector {
    uint32_t nprocs;
    bool failed;    /* out of memory: no further conclusions are valid */
    bool finalized; /* all jobs are finalized */
    struct ork_model model;
    uint64_t seq; /* position of the latest event in the detector's order of events */
    struct proc **proc;
    struct proc *first_faulty, *last_faulty; /* see next_faulty */
    struct job **job;
    uint32_t num_jobs;
    bool has_foreign; /* see ork_detector_has_foreign() */
    struct comms comms;
    struct comm *link;    /* communicators of several jobs */
    struct comm *dynamic; /* see coll/dynamic_comm.c, oldest first */
    uint64_t num_meetings;
    uint64_t definitions; /* changes whenever a number gets a new meaning */
    struct pool requests;
    struct ready ready;
    struct matching matching;
    struct collectives collectives;
    struct bulk bulk;
    struct windows windows;
    struct histories history;
    struct issues issues;
    struct types types;
    struct ork_counts counts;
};

/* The communicator with this number. NULL: there is none, or nothing is kept of it. */
static inline struct comm *ork_comm_numbered(const struct ork_detector *d, uint32_t id)
{
    struct comm **c = ork_number_map_find(&d->comms.by_number, id, sizeof(*c));

    return c != NULL ? *c : NULL;
}

static inline void ork_proc_set_bulk_blocker(struct proc *p, unsigned why, bool blocks_bulk)
{
    uint8_t *bulk_blockers = &p->d->bulk.bulk_blockers[p->rank];

    p->d->bulk.num_bulk_blocked -= *bulk_blockers != 0;
    *bulk_blockers = (uint8_t)(blocks_bulk ? *bulk_blockers | why : *bulk_blockers & ~why);
    p->d->bulk.num_bulk_blocked += *bulk_blockers != 0;
}

/* The continuation record at the start of a list that has `left` words left. */
static inline struct ork_record ork_cont_of(const uint32_t *list, uint32_t left)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT};
    struct ork_record raw;

    cont.words = (uint8_t)(left < ORK_CONT_WORDS ? left : ORK_CONT_WORDS);
    memcpy(cont.word, list, cont.words * sizeof(*list));
    memcpy(&raw, &cont, sizeof(raw));
    return raw;
}

/* The next thread of the ready list. NULL: the list is empty. */
static inline struct mpi_thread *ork_ready_take(struct ork_detector *d)
{
    struct mpi_thread *th = d->ready.head;

    if (th == NULL)
        return NULL;
    d->ready.head = th->work_next;
    if (d->ready.head == NULL)
        d->ready.tail = NULL;
    th->in_work = false;
    return th;
}

#endif
