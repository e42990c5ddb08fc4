/* SPDX-License-Identifier: BSD-3-Clause */
/* All that the detector knows. The state knows no rule of MPI: what follows from a record is
 * decided in the layers above. Invariants are in docs/explanation/detector.md; names follow it. */
#ifndef ORK_DETECTOR_STATE_H
#define ORK_DETECTOR_STATE_H

#include "detector/state/comm.h"
#include "detector/state/job.h"
#include "detector/state/op.h"
#include "detector/state/passage.h"
#include "detector/state/pool.h"
#include "detector/state/proc.h"
#include "detector/state/request.h"
#include "detector/state/strand.h"
#include "detector/state/wave_ring.h"
#include "detector/state/window.h"

#include <string.h>

struct lock_order;

struct ork_detector {
    uint32_t nprocs;
    bool failed; /* out of memory: nothing may be concluded any more */
    bool aborted;
    struct ork_model model;
    struct proc **proc;
    struct job **job;
    uint32_t num_jobs;
    struct comm *link;    /* communicators across jobs */
    struct comm *meeting; /* see meet.c, oldest first */
    uint64_t num_meetings;
    bool finalized; /* all jobs are */
    struct pool ops, queues, waves, requests, bridges;
    struct pool pairs, locks;
    struct pair **pair_hash;
    struct lock_order *lock_order;
    uint32_t num_lock_orders;
    struct table exact, above; /* queues without wildcards, and with */
    uint32_t queue_limit;
    struct comm **comm; /* by number */
    uint32_t num_comms, comm_cap;
    struct comm **comm_hash;
    uint32_t comm_buckets;
    struct bridge *bridge;
    uint64_t history_records, history_limit;
    bool history_full, history_has_wildcards;
    bool history_lacks_wildcards; /* some were not kept */
    uint64_t history_begun;
    struct passage **log; /* since the history began */
    uint32_t num_logged, log_cap;
    uint64_t passages;
    uint32_t passage_numbers; /* communicators of which there were some have lower numbers */
    uint64_t definitions;     /* changes whenever a number gets another meaning */
    uint64_t resolutions;
    struct party party[PARTIES];
    uint32_t next_party;
    struct passage *latest; /* NULL: none, or not known of which party */
    struct party *latest_party;
    struct ork_span *span; /* scratch */
    uint32_t span_cap;
    uint8_t *odd; /* of each process, ODD_.. */
    uint32_t num_odd;
    uint64_t seq;
    struct strand *work_head, *work_tail;
    struct ork_counts counts;
    struct ork_issue *issue;
    uint32_t num_issues, issue_cap;
};

static inline void proc_set_odd(struct proc *p, unsigned why, bool is_odd)
{
    uint8_t *odd = &p->d->odd[p->rank];

    p->d->num_odd -= *odd != 0;
    *odd = (uint8_t)(is_odd ? *odd | why : *odd & ~why);
    p->d->num_odd += *odd != 0;
}

/* The continuation that begins a list of which `left` words are left. */
static inline struct ork_record cont_of(const uint32_t *list, uint32_t left)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT};
    struct ork_record raw;

    cont.words = (uint8_t)(left < ORK_CONT_WORDS ? left : ORK_CONT_WORDS);
    memcpy(cont.word, list, cont.words * sizeof(*list));
    memcpy(&raw, &cont, sizeof(raw));
    return raw;
}

#endif
