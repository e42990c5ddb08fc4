/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests. */
#ifndef ORK_DETECTOR_REQUEST_H
#define ORK_DETECTOR_REQUEST_H

#include "detector/state/comm.h"

#include <stdbool.h>

struct op;
struct proc;
struct mpi_thread;
struct wave;

struct request {
    uint32_t id;
    bool in_use, active, persistent;
    bool assumed;      /* the match of its receive was assumed, not observed */
    bool is_uncertain; /* a wait for it failed: it may be pending, or complete without a result */
    struct op *op;     /* active and not complete: one of these two is set */
    struct wave *wave;
    struct request *wave_next, *wave_prev;
    struct mpi_thread *waiter;
    struct mpi_thread *starter; /* of a collective, */
    uint32_t *list;             /* and the list of its record; kept for the next one */
    /* the message that a receive took, and the receive's position, in case it is cancelled */
    struct mpi_thread *took_from;
    uint64_t took_seq, recv_seq;
    int32_t took_tag;
    struct {
        uint32_t site;
        uint16_t call; /* enum ork_call_id; 0: none */
    } overwritten;     /* the call that stored another handle where its was */
    /* The communicator that `call` names. RATIONALE: the rank may free it, and use its number for
     * another one, while the request is in use (MPI-3.1 section 6.4.3). comm NULL: unknown. */
    struct comm_ref on;
    struct comm *starts;         /* persistent collective: see ork_comm_of_starts() */
    struct proc *unconfirmed_by; /* not a request: this process completed one before its wave */
    struct ork_record call;      /* the call that started it; template of a persistent request */
};

#endif
