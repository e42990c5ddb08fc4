/* SPDX-License-Identifier: BSD-3-Clause */
/* Outcomes of what one thread has posted, of one kind: they are asked for when it is posted, mostly
 * one after the other, and stand in the stream where it was completed. So the stream is read a
 * little ahead, and few outcomes are kept at a time, however long it is.
 *
 * Invariant: most outcomes have fewer than ORK_OUTCOMES_AHEAD later ones of the thread and kind
 * before them in the stream. Those that have more are kept all the time: they are few, unless a
 * program completes its receives in an order of its own. Pure. */
#ifndef ORK_ORDER_OUTCOMES_H
#define ORK_ORDER_OUTCOMES_H

#include "order/file/reader.h"

enum { ORK_OUTCOMES_AHEAD = 1024, ORK_OUTCOMES_KEPT = 4096 };

struct ork_outcome {
    uint64_t post; /* 0: none */
    int32_t source, tag;
};

/* What belongs to a thread and kind, in the whole stream. */
struct ork_outcomes_of {
    const uint8_t *stream;
    size_t size;
    uint32_t thread;
    uint8_t kind;
};

struct ork_outcomes {
    uint64_t most;            /* the greatest `post` that was read */
    struct ork_outcome *late; /* by `post` */
    uint32_t num_late, late_room;
    struct ork_outcome *kept; /* `post` is in place post % ORK_OUTCOMES_KEPT */
    struct ork_order_reader reader;
    /* Rounds of a loop that were decoded at once; `left` choices of them have not been read. */
    struct ork_order_rounds *rounds;
    uint32_t at;
    uint64_t left;
    bool is_over;
};

/* The kind under which the outcome of what was posted is found; ORK_CHOICE_MAX: it has none. */
uint8_t ork_outcome_kind(const struct ork_choice *choice);

/* The next one in the stream: first all of them are shown, then ork_outcomes_begin() is called.
 * ORK_NOMEM. */
enum ork_status ork_outcomes_show(struct ork_outcomes *o, const struct ork_choice *choice);
enum ork_status ork_outcomes_begin(struct ork_outcomes *o);
void ork_outcomes_release(struct ork_outcomes *o);

/* NULL: it had none, or there is no memory for it. */
const struct ork_outcome *ork_outcomes_search(struct ork_outcomes *o,
                                              const struct ork_outcomes_of *of, uint64_t post);
static inline const struct ork_outcome *
ork_outcomes_find(struct ork_outcomes *o, const struct ork_outcomes_of *of, uint64_t post)
{
    const struct ork_outcome *kept = o->kept;

    if (kept == NULL)
        return NULL;
    kept += post % ORK_OUTCOMES_KEPT;
    return kept->post == post && post != 0 ? kept : ork_outcomes_search(o, of, post);
}

#endif
