/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests. */
#ifndef ORK_DETECTOR_REQUEST_H
#define ORK_DETECTOR_REQUEST_H

#include "record/record.h"

#include <stdbool.h>

struct comm;
struct op;
struct proc;
struct strand;
struct wave;

struct request {
    uint32_t id;
    bool in_use, active, persistent;
    bool assumed;  /* which message it took was decided, not told */
    struct op *op; /* active and not complete: one of these two */
    struct wave *wave;
    struct request *wave_next, *wave_prev;
    struct strand *waiter;
    struct strand *starter; /* of a collective */
    /* the message that a receive took, and where the receive stood, in case it is cancelled */
    struct strand *took_from;
    uint64_t took_seq, recv_seq;
    int32_t took_tag;
    struct comm *starts;    /* persistent collective: see ork_comm_of_starts() */
    uint32_t me;            /* its member */
    struct proc *debtor;    /* not a request: this process completed one before its wave was */
    struct ork_record call; /* that started it; template of a persistent one */
};

#endif
