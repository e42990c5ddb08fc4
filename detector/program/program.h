/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a program that interleave/ searches. A program has a linear sequence of steps for each
 * rank: operations, requests and communicators as the rank's records name them. */
#ifndef ORK_DETECTOR_PROGRAM_H
#define ORK_DETECTOR_PROGRAM_H

#include "detector/state/state.h"
#include "detector/interleave/interleave.h"

/* A call, or an operation, that an `info` of the program refers to. */
struct program_call {
    struct ork_record call;
    uint32_t comm, me; /* communicator number, and member number of the rank */
};

struct program_builder {
    struct ork_detector *d;
    struct ork_interleave *program;
    enum ork_interleaving_scope scope;
    struct program_call *call;
    uint32_t num_calls, call_cap;
    struct rank_builder *rank_builder; /* by rank */
    uint32_t ranks;
    struct comm_builder *comm_builder; /* of communicators, by `at` */
    uint32_t num_comm_builders;
    uint64_t undecided; /* wildcard receives whose source was not observed */
    uint32_t unknown;   /* ranks of which some call that was made is unknown */
};

/* A request, while the records of its rank are read. */
struct request_slot {
    bool persistent, has_part;
    struct ork_interleave_part part;
    struct ork_record call; /* template of a persistent one; comm is global */
    uint32_t me;
};

struct rank_builder {
    struct request_slot *request_slot;
    uint32_t num_request_slots;
    uint32_t *message; /* by number: the operation of a matched probe + 1 */
    uint32_t num_messages;
    /* Operations whose handle the library shares: how many were started, how many of these were
     * waited for, and how many dropped. The parts are those that were not complete at once. */
    struct ork_interleave_part *shared;
    uint32_t shared_parts, shared_cap;
    uint32_t shared_started, shared_waited, shared_dropped;
};

/* A communicator: its groups and waves in the program. */
struct comm_builder {
    uint32_t group[3]; /* number + 1: all, first and second group */
    uint32_t *next;    /* index of each member's next collective call */
    uint32_t *wave;    /* number + 1, from index `base` */
    uint32_t base, waves;
};

/* RATIONALE: no communicator is made or freed while a program is built. */
static inline struct comm_builder *ork_comm_builder(const struct program_builder *o,
                                                    const struct comm *c)
{
    ORK_ASSERT(c->at < o->num_comm_builders);
    return &o->comm_builder[c->at];
}

/* Where the records of a rank are: what was pending when the history began, the history, and the
 * queue of its thread. */
enum reads {
    READS_PENDING,
    READS_HISTORY,
    READS_QUEUE,
};

/* Reads the records of one rank in order. */
struct reader {
    struct program_builder *o;
    struct proc *p;
    enum reads from; /* the next record: number `at` there */
    size_t at;
    bool in_queue; /* `rec` was there: communicators are numbers of the rank, otherwise global */
    struct ork_record rec;
    uint32_t *list;
    uint32_t list_cap;
    bool has_exit; /* of `rec` */
    struct ork_record exit;
    uint32_t *outcome;
    uint32_t outcome_cap;
};

/* The record's communicator, and the member number of its rank; false: unknown. */
bool ork_program_comm(const struct reader *r, const struct ork_record *rec, struct comm_ref *ref);
uint32_t ork_program_wave(struct program_builder *o, struct comm *c, uint32_t index);
/* Does the call return although strict semantics would make it wait? */
bool ork_program_is_permissive(const struct proc *p, uint32_t site);

enum made { MADE_OP, MADE_NOTHING, UNKNOWN };
/* The send or receive that `rec` starts; MADE_NOTHING: it is complete at once (MPI_PROC_NULL). */
enum made ork_program_make_op(struct reader *r, const struct ork_record *rec, struct comm_ref ref,
                              bool is_send, struct ork_interleave_op *op);
/* The outcome of the call `observer` showed that the receive took a message from `source`. */
void ork_program_take(struct reader *r, struct ork_interleave_op *op, int32_t source, int32_t tag,
                      const struct ork_record *observer);
/* The rank waits for these parts in the call of the reader's record. */
void ork_program_await(struct reader *r, enum ork_interleave_mode mode,
                       const struct ork_interleave_part *part, uint32_t parts, uint32_t took);

/* NULL: it does not exist, or (make) out of memory. */
struct request_slot *ork_program_request(struct reader *r, uint32_t id, bool make);
/* Start the operation of `rec` under a request; false: its effect is unknown. */
bool ork_program_start(struct reader *r, uint32_t id, const struct ork_record *rec,
                       struct comm_ref ref);
/* The request is no longer active. */
void ork_program_consume(struct reader *r, uint32_t id);
/* Record what the outcome shows about the wildcard receives among the parts of a call. */
void ork_program_observe(struct reader *r, const struct ork_record *observer, uint32_t id,
                         int32_t source, int32_t tag);

/* The same for an operation whose handle the library shares. */
bool ork_program_start_shared(struct reader *r, const struct ork_record *rec, struct comm_ref ref);
/* The call waits for `n` of them, but it is unknown which. If these must be all that are not
 * complete, they are added to `part`. Otherwise, if some of them must be incomplete, the rank waits
 * for any of them, and its next steps are known once all are complete. */
void ork_program_await_shared(struct reader *r, uint32_t n, struct ork_interleave_part *part,
                              uint32_t *parts);
/* One of them is tested, freed, or waited for among other requests. */
void ork_program_drop_shared(struct reader *r);

#endif
