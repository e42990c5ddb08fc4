/* SPDX-License-Identifier: BSD-3-Clause */
/* States of the detector, and transitions between them: what a step of a rank leads to in a state.
 * What a transition adds to counts is the same each time. */
#ifndef ORK_FOLD_TRANSITIONS_H
#define ORK_FOLD_TRANSITIONS_H

#include "common/hash_map.h"
#include "detector/detector.h"

enum {
    WALK_RANKS_MAX = 64, /* a bit each */
    WALK_STATES_MAX = 1 << 13,
    TRANSITIONS_MAX = 1 << 15,
    WALK_NONE = INT32_MAX
};
/* Of all states together, in words. */
#define WALK_WORDS_MAX (UINT32_C(1) << 22)

/* Ranks that are in no call, and of which nothing is queued; a bit each. `ahead`: those of them
 * that have completed receives whose messages are not known yet. */
struct free_ranks {
    uint64_t all, ahead;
};

struct state {
    uint64_t hash;
    uint32_t word, num_words; /* in transitions.word */
    struct free_ranks free;
    uint32_t transition; /* the first one from here, or WALK_NONE; */
    uint32_t came;       /* in a search: that led here, */
    uint32_t search;     /* in this search */
};

/* A receive with a wildcard took a message. */
struct took {
    uint32_t rank;
    struct ork_taken taken;
};

struct transition {
    uint32_t from, to;
    uint32_t sibling; /* the next one from the same state, or WALK_NONE */
    uint16_t rank, step;
    uint32_t took, num_took;   /* in transitions.took */
    uint32_t calls, num_calls; /* in transitions.calls */
    /* How often it was looked up since the detector's counts are right, less how often the detector
     * has made it meanwhile, modulo 2^64. */
    uint64_t times;
    struct ork_counts added;
};

/* So many more calls on a communicator. */
struct calls {
    uint32_t comm, more; /* comm: place in struct ork_detector_state */
};

/* All 0: empty. */
struct transitions {
    struct state *state;
    uint32_t num_states, state_room;
    uint32_t *word;
    uint32_t num_words, word_room;
    struct ork_hash_map states; /* by hash: number + 1 */
    struct transition *transition;
    uint32_t num_transitions, transition_room;
    struct ork_hash_map transitions; /* by state, rank and step: number + 1 */
    struct took *took;
    uint32_t num_took, took_room;
    struct calls *calls;
    uint32_t num_calls, calls_room;
    uint32_t *todo; /* of a search */
    uint32_t todo_room, searches;
};

void ork_transitions_release(struct transitions *g);
/* The state with these words, which is entered if it is new. WALK_NONE: no room. */
uint32_t ork_transitions_state(struct transitions *g, const struct ork_words *words,
                               const struct free_ranks *free);

static inline uint64_t ork_transitions_key(uint32_t from, uint32_t rank, uint32_t step)
{
    return (uint64_t)from << 32 | (uint64_t)rank << 16 | step;
}

/* The transition, or WALK_NONE. */
static inline uint32_t ork_transitions_find(const struct transitions *g, uint32_t from,
                                            uint32_t rank, uint32_t step)
{
    const uint32_t found = ork_hash_map_get(&g->transitions, ork_transitions_key(from, rank, step));

    return found != 0 ? found - 1 : WALK_NONE;
}

/* Enter a transition that led from state `a` of the detector to `b`. False: no room. */
bool ork_transitions_add(struct transitions *g, const struct transition *t,
                         const struct ork_detector_state *a, const struct ork_detector_state *b);
/* The latest transition: one more message was taken. False: no room. */
bool ork_transitions_take(struct transitions *g, uint32_t rank, const struct ork_taken *taken);
/* The shortest way: *way: the first of *n transitions, valid until the next search. False: there is
 * none. */
bool ork_transitions_way(struct transitions *g, uint32_t from, uint32_t to, const uint32_t **way,
                         uint32_t *n);
/* Add up what the transitions have added since the counts were right, and forget it. *more: as many
 * elements as there are communicators. */
void ork_transitions_sum(struct transitions *g, struct ork_counts *sum, uint32_t *more,
                         uint32_t num_comms);

#endif
