/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside the program: program.c makes it, outline_read.c reads records and knows communicators,
 * outline_steps.c turns calls into steps. */
#ifndef ORK_DETECTOR_PROGRAM_INTERNAL_H
#define ORK_DETECTOR_PROGRAM_INTERNAL_H

#include "detector/interleaving/program.h"

/* A request while the records of its rank are read. */
struct request_slot {
    bool persistent, has_part;
    struct ork_interleave_part part;
    struct ork_record call; /* template of a persistent one; comm is global */
    uint32_t me;
};

struct rank_builder {
    struct request_slot *request_slot;
    uint32_t num_request_slots;
    uint32_t *message; /* operation + 1 of a matched probe, by number */
    uint32_t num_messages;
    /* operations whose handle the library shares, started and not yet waited for; of those that
     * were not complete at once the parts */
    struct ork_interleave_part *shared;
    uint32_t shared_parts, shared_cap, shared_count;
};

/* A communicator: its groups and waves in the program. */
struct comm_builder {
    uint32_t group[3]; /* number + 1: all, first and second group */
    uint32_t *next;    /* index of each member's next collective call */
    uint32_t *wave;    /* number + 1, from index `base` */
    uint32_t base, waves;
};

/* The records of one rank, one after the other. */
struct reader {
    struct program_builder *o;
    struct proc *p;
    bool in_queue; /* then the communicators are those of the rank, else global numbers */
    size_t at;
    struct ork_record rec;
    uint32_t *list;
    uint32_t list_cap;
    bool has_exit; /* of `rec` */
    struct ork_record exit;
    uint32_t *outcome;
    uint32_t outcome_cap;
};

/* outline_read.c */
/* The next record, and its EXIT if that is known; false: no more. */
bool ork_read_next(struct reader *r);
/* Where the record's communicator is, and which member its rank; false: not known. */
bool ork_read_comm(const struct reader *r, const struct ork_record *rec, struct comm_ref *ref);
/* Whom a receive from any source may come from: a group of the program. */
uint32_t ork_senders_of(struct program_builder *o, const struct comm_ref *ref);
uint32_t ork_wave_of(struct program_builder *o, struct comm *c, uint32_t index);

/* outline_steps.c */
/* The steps of one record; false: what it means is not known, nor what comes after it. */
bool ork_read_record(struct reader *r);

#endif
