/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls, and the state of a communicator. */
#ifndef ORK_CAUSALITY_COLLECTIVE_H
#define ORK_CAUSALITY_COLLECTIVE_H

#include "common/table.h"
#include "order/causality/clocks.h"
#include "order/comms/comms.h"

enum merges { MERGES_NOTHING, MERGES_ROOT, MERGES_LOWER, MERGES_LISTED, MERGES_REMOTE, MERGES_ALL };

/* The call of one member. */
struct part {
    struct wave *wave;
    uint32_t member;
    enum merges merges;
    uint32_t root;   /* MERGES_ROOT: member */
    uint8_t *needed; /* MERGES_LISTED: members, a bit each */
    struct rank *rank;
    uint64_t time;
    union stamp stamp;
    uint64_t mark; /* see events.h */
    bool arrived, is_retracted;
    struct part *next; /* of the retracted ones */
};

/* The collective calls of a communicator that its members make in the same order. */
struct series {
    uint32_t *calls; /* by member: so many were made */
    struct wave *first, *last;
    uint32_t end; /* index after that of the latest wave */
    /* Of the starts of a persistent operation: it was made as this one; members that freed it. */
    uint32_t made, freed;
    struct series *next;
};

/* The k-th call of all members. */
struct wave {
    uint64_t number; /* of all waves */
    struct ork_comm *comm;
    struct series *series;
    uint32_t index;
    uint32_t arrived, left;
    uint32_t arrived_before; /* all members below this have arrived */
    bool is_awaited;         /* a member waits for some of the others */
    bool is_kept;            /* a request may name it until the end */
    union stamp all;
    struct part **part; /* by member; NULL: has not arrived */
    struct part *retracted;
    struct crossing *crossing; /* of MPI_Intercomm_create, when its leader was read; NULL: none */
    unsigned side;             /* of the crossing */
    struct wave *next;
};

/* State of a communicator. */
struct place {
    struct mailbox **mailbox; /* by member; NULL: none yet */
    struct series calls;
    uint32_t *persistent;     /* by member: so many persistent collective operations were made */
    struct series *started;   /* their starts; the latest one first */
    struct target *target;    /* of a window's locks, by member; NULL: none yet */
    struct ork_table atomics; /* of its ordered atomics: struct target each */
    struct pair **pairs;      /* of a window's post and start, by origin; NULL: none yet */
    bool is_locked_whole;     /* MPI_Win_lock_all was called */
    bool is_locked_alone;     /* an exclusive lock was requested */
};

#endif
