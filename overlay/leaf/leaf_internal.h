/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a leaf: leaf.c attaches and detaches ranks, leaf_drain.c takes their records,
 * leaf_collect.c carries out orders from above. */
#ifndef ORK_OVERLAY_LEAF_LEAF_INTERNAL_H
#define ORK_OVERLAY_LEAF_LEAF_INTERNAL_H

#include "common/clock.h"
#include "order/file/stop.h"
#include "overlay/leaf/leaf.h"
#include "overlay/stacktrace/stack.h"
#include "overlay/stream/aggregate.h"
#include "record/ring_reader.h"

enum { BATCH = 512 };

/* A job, and the numbers of its ranks. */
struct job {
    struct ork_job_name name;
    bool known, refused;
    uint32_t first;
};

/* A rank's use of one of its communicators. */
struct member {
    uint32_t calls; /* collective calls so far */
    uint32_t group; /* see struct ork_wave */
};

/* A COMM_DEF record whose list is not complete yet. */
struct definition {
    uint32_t comm, group, left;
};

struct local {
    int fd; /* its socket; -1: gone */
    int pidfd;
    bool attached; /* false: hello or number not received yet */
    bool hung_up;
    bool is_cut_told; /* that the rank goes on unrecorded */
    bool broken;      /* the rank overwrote its own ring, so the contents are invalid */
    uint32_t job, rank_in_job;
    uint32_t rank;
    uint32_t pid;
    struct ork_ring_reader reader;
    uint64_t mixed;   /* first record of a repetition whose records are taken one by one; or 0 */
    uint64_t turn_of; /* first record of the repetition in which the latest turn began; or 0 */
    uint32_t turn;    /* records taken before other ranks have a turn */
    uint64_t last;    /* records that were published when the end of the run was announced */
    uint64_t seen, seen_before; /* records published at this step, and at the one before */
    struct ork_ring *ring;      /* NULL: hello not received yet */
    struct member *member;      /* of a communicator, by its number */
    uint32_t num_comms;
    struct definition definition;
    struct ork_decision *decision; /* those that the rank's page has no room for */
    uint32_t num_decisions, cap_decisions;
};

/* All ranks here that are attached. */
struct lockstep {
    bool known;
    uint32_t *place; /* index in local[] */
    struct ork_span *span;
    uint32_t count, spans, cap;
};

/* Rings of processes that have ended: their last calls may still be asked for. The oldest is
 * replaced. */
enum { GRAVES = 64 };
struct grave {
    uint32_t rank;
    struct ork_ring *ring; /* NULL: none */
};

struct ork_leaf {
    const struct ork_up *up;
    const struct ork_clock *clock;
    char token[ORK_TOKEN_SIZE + 1];
    int listener;
    int sections; /* see ork_attach_sections() */
    struct local *local;
    uint32_t num_local, cap_local;
    uint32_t *by_rank; /* index in local[] + 1 */
    uint32_t num_ranks;
    struct job *job;
    uint32_t num_jobs;
    uint32_t attached;
    struct lockstep lockstep;
    struct grave grave[GRAVES];
    uint32_t num_graves; /* so far */
    struct ork_aggregate *join;
    uint64_t now_ns;  /* when the latest round began */
    uint64_t beat_ns; /* of the latest sign of life to the ranks */
    uint32_t beat;
    struct ork_stacks *stacks;           /* NULL: none taken yet */
    const struct ork_order_file *replay; /* NULL: this run is no replay */
    int bell;              /* event file of a deterministic run: leaf_decide.c; -1: none */
    bool is_watched;       /* its ranks ring at each event */
    bool is_folding;       /* collective calls of a repeated block go up with its other records */
    bool is_again;         /* the rings were drained in this step before */
    uint32_t longest_turn; /* of a rank in this round, in records */
    struct ork_stop stop;  /* choice 0: the replay does not stop */
    enum ork_hold hold;
    struct pollfd *fd;
    nfds_t num_fds;
    struct ork_record batch[BATCH];
};

/* Send up what the rank has published, until there is no room above or a call that others have not
 * entered holds it. *moved: records. Statuses of `up`. */
enum ork_status ork_leaf_drain(struct ork_leaf *leaf, struct local *l, size_t *moved);
/* The same for all ranks at once, as long as all are at the same collective call and no rank is
 * held. */
enum ork_status ork_leaf_drain_lockstep(struct ork_leaf *leaf, size_t *moved);

/* A round begins, in which the ranks are drained once. */
void ork_leaf_begin_round(struct ork_leaf *leaf);
/* The rank is drained: how many records are taken? */
uint32_t ork_leaf_begin_turn(const struct ork_leaf *leaf, struct local *l,
                             const struct ork_ring_view *view);
/* Has the rank so few new records of a repetition that goes on that they can be taken later, with
 * more of them? After ork_ring_front(). */
bool ork_leaf_may_stay(const struct ork_leaf *leaf, const struct local *l,
                       const struct ork_ring_view *view);
/* While the root folds, do not join collective calls that a rank repeats with those of others. */
void ork_leaf_fold(struct ork_leaf *leaf, bool is_folding);
/* While the root folds: release calls that ranks hold, but others have passed in this way. */
enum ork_status ork_leaf_release_passed(struct ork_leaf *leaf);

/* Send up the end of the order stream of such a rank, which no record holds. Statuses of `up`. */
enum ork_status ork_leaf_report_order(struct ork_leaf *leaf, const struct local *l);
/* How many records that takes. */
size_t ork_leaf_order_records(const struct local *l);

/* A sealed memfd with the stream of an attached rank, empty if it has none; -1: it cannot be made
 * (logged). Only at a replay. */
int ork_leaf_stream_of(const struct ork_leaf *leaf, const struct local *l);

/* A deterministic run: pass a decision on, tell the ranks whether to ring, and fill the pages.
 * ORK_NOMEM. */
enum ork_status ork_leaf_decide(struct ork_leaf *leaf, uint32_t rank,
                                const struct ork_decision *decision);
void ork_leaf_watch(struct ork_leaf *leaf, bool is_watched);
void ork_leaf_pass_decisions(struct local *l);
/* The bell has been heard. */
void ork_leaf_clear_bell(const struct ork_leaf *leaf);
/* Tell a rank of a replay, before its ring is accepted, where to stop and whether to be held. */
void ork_leaf_pause_new(const struct ork_leaf *leaf, const struct local *l);
/* Hold all ranks, or let them go on. */
void ork_leaf_pause(struct ork_leaf *leaf, enum ork_hold hold);

/* Report upwards how a rank ended that has hung up and was drained. Statuses of `up`. */
enum ork_status ork_leaf_report_end(struct ork_leaf *leaf, const struct local *l);

#endif
