/* SPDX-License-Identifier: BSD-3-Clause */
/* The choices that the ranks of a run made, as its order file has them: decoded, and with a hash of
 * each beginning. Pure. */
#ifndef ORK_EXPLORE_TRACE_H
#define ORK_EXPLORE_TRACE_H

#include "order/causality/causality.h"
#include "order/file/file.h"

/* Is it the outcome of a nonblocking or persistent receive, which its `post` names? */
static inline bool ork_choice_is_posted(const struct ork_choice *choice)
{
    return choice->kind == ORK_CHOICE_RECEIVE && choice->post != 0;
}

struct ork_trace_rank {
    /* Without ORK_CHOICE_END; choice[n - 1] is number n. `index` of a LOCK: the sections before it,
     * as in struct ork_locked_choice. */
    struct ork_choice *choice;
    uint64_t *prefix; /* prefix[n]: hash of the first n choices */
    uint64_t *polled; /* by choice, as choice[]: see ork_trace_polled(), .. */
    uint64_t *again;  /* .. and ork_trace_again() */
    /* By choice, and after the last one: as in struct ork_polled_choice. */
    struct ork_abandoned {
        uint64_t series, all;
        bool is_whole; /* all distinct polls were abandoned */
        uint16_t call; /* of the last poll */
        uint32_t place;
    } * abandoned;
    uint32_t *index; /* of all choices */
    uint32_t num, room, prefix_room, polled_room, again_room, abandoned_room, indices, index_room;
    struct ork_pending_receive { /* that had taken a message, but was not complete */
        uint64_t post;
        int32_t source, tag;
    } * pending;
    uint32_t num_pending, pending_room;
    uint64_t last_polls;  /* unsuccessful ones after the last choice, at least */
    uint64_t last_polled; /* as `polled`, of a choice after these that is no poll */
    bool has_ended;       /* it made its last call, so that these polls are all */
    bool has_threads;     /* several threads make choices: these are only the ones before that */
};

struct ork_trace {
    struct ork_trace_rank *rank;
    uint32_t ranks;
};

/* No choices of that many ranks. ORK_NOMEM. */
enum ork_status ork_trace_init(struct ork_trace *trace, uint32_t ranks);
/* Those of the ranks of the first job. `file` has to exist as long as the trace: it has the texts
 * of the places. ORK_INVALID: a stream is invalid, or has more than 2^32 choices. ORK_NOMEM. */
enum ork_status ork_trace_read(const struct ork_order_file *file, struct ork_trace *trace);
/* That receive of the rank had taken a message, and was not complete when the run ended. Once for
 * each. ORK_NOMEM. */
enum ork_status ork_trace_add_pending(struct ork_trace *trace, uint32_t rank,
                                      struct ork_pending_receive receive);
/* What is known of the unsuccessful polls of its ranks, each of which is one of its own. */
void ork_trace_add_polled(struct ork_trace *trace, const struct ork_polled_choice *polled,
                          uint32_t num);
/* Whose sections came before the locks of its ranks; by rank and number. ORK_NOMEM. */
enum ork_status ork_trace_add_locked(struct ork_trace *trace,
                                     const struct ork_locked_choice *locked, uint32_t num);
/* Unsuccessful polls of the rank after its first `choices` choices, at least. */
uint64_t ork_trace_polls(const struct ork_trace_rank *rank, uint64_t choices);
void ork_trace_release(struct ork_trace *trace);

/* The choice of this number, from 1; NULL: the rank made fewer. */
const struct ork_choice *ork_trace_choice(const struct ork_trace *trace, uint32_t rank,
                                          uint64_t number);
/* What of the unsuccessful polls before a choice tells orders apart: a hash of the different ones,
 * and of that which is equal to it, as in struct ork_polled_choice; without polls 0. */
uint64_t ork_trace_polled(uint64_t different, uint64_t same);
/* The same of a choice that is equal to an unsuccessful poll, whatever the rank did between them: a
 * hash of `num_distinct` and `poll_index` of struct ork_polled_choice; of none 0. */
uint64_t ork_trace_again(uint64_t num_distinct, uint64_t poll_index);
/* A hash of the choice without its source, and of its polls, as above; and of a choice after those
 * with the hash `before`. */
uint64_t ork_trace_own(const struct ork_choice *choice, uint64_t polled);
uint64_t ork_trace_join(uint64_t before, uint64_t own, int32_t source);
/* Of all choices of all ranks. */
uint64_t ork_trace_hash_all(const struct ork_trace *trace);

#endif
