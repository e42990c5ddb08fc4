/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/fold/transitions.h"

#include "common/assert.h"
#include "common/hash.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

void ork_transitions_release(struct transitions *g)
{
    free(g->state);
    free(g->word);
    free(g->transition);
    free(g->took);
    free(g->calls);
    free(g->todo);
    ork_hash_map_release(&g->states);
    ork_hash_map_release(&g->transitions);
    *g = (struct transitions){0};
}

/* ---- states ---- */

static uint64_t hash_of(const struct ork_words *words)
{
    uint64_t hash = words->count;

    for (size_t i = 0; i < words->count; i++)
        hash = (hash ^ words->word[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return ork_hash_mix(hash);
}

static uint32_t find_state(const struct transitions *g, const struct ork_words *words,
                           uint64_t hash)
{
    uint32_t probe = 0, found;

    while ((found = ork_hash_map_next(&g->states, hash, &probe)) != 0) {
        const struct state *s = &g->state[found - 1];
        if (s->num_words == words->count &&
            memcmp(g->word + s->word, words->word, words->count * sizeof(*words->word)) == 0)
            return found - 1;
    }
    return WALK_NONE;
}

uint32_t ork_transitions_state(struct transitions *g, const struct ork_words *words,
                               const struct free_ranks *free)
{
    const uint64_t hash = hash_of(words);
    const uint32_t found = find_state(g, words, hash);

    if (found != WALK_NONE) {
        ORK_ASSERT(g->state[found].free.all == free->all &&
                   g->state[found].free.ahead == free->ahead);
        return found;
    }
    if (g->num_states == WALK_STATES_MAX || words->count > WALK_WORDS_MAX - g->num_words ||
        !ork_vec_reserve(&g->state, &g->state_room, g->num_states + 1, sizeof(*g->state)) ||
        !ork_vec_reserve(&g->word, &g->word_room, g->num_words + (uint32_t)words->count,
                         sizeof(*g->word)) ||
        !ork_hash_map_add(&g->states, hash, g->num_states + 1))
        return WALK_NONE;
    memcpy(g->word + g->num_words, words->word, words->count * sizeof(*words->word));
    g->state[g->num_states] = (struct state){.hash = hash,
                                             .word = g->num_words,
                                             .num_words = (uint32_t)words->count,
                                             .free = *free,
                                             .transition = WALK_NONE};
    g->num_words += (uint32_t)words->count;
    return g->num_states++;
}

/* ---- transitions ---- */

static bool add_calls(struct transitions *g, const struct ork_detector_state *a,
                      const struct ork_detector_state *b)
{
    ORK_ASSERT(a->num_calls == b->num_calls);
    for (uint32_t i = 0; i < a->num_calls; i++) {
        if (a->calls[i] == b->calls[i])
            continue;
        if (!ork_vec_reserve(&g->calls, &g->calls_room, g->num_calls + 1, sizeof(*g->calls)))
            return false;
        g->calls[g->num_calls++] = (struct calls){i, b->calls[i] - a->calls[i]};
    }
    return true;
}

static struct ork_counts difference(const struct ork_counts *a, const struct ork_counts *b)
{
    return (struct ork_counts){.records = b->records - a->records,
                               .calls = b->calls - a->calls,
                               .messages = b->messages - a->messages,
                               .collectives = b->collectives - a->collectives,
                               .at_once = b->at_once - a->at_once,
                               .choices = b->choices - a->choices};
}

bool ork_transitions_add(struct transitions *g, const struct transition *t,
                         const struct ork_detector_state *a, const struct ork_detector_state *b)
{
    const uint32_t calls = g->num_calls;

    ORK_ASSERT(t->from < g->num_states && t->to < g->num_states);
    if (g->num_transitions == TRANSITIONS_MAX ||
        !ork_vec_reserve(&g->transition, &g->transition_room, g->num_transitions + 1,
                         sizeof(*g->transition)) ||
        !add_calls(g, a, b))
        return false;
    uint32_t *number =
        ork_hash_map_use(&g->transitions, ork_transitions_key(t->from, t->rank, t->step));
    if (number == NULL)
        return false;
    ORK_ASSERT(*number == 0);
    *number = g->num_transitions + 1;
    struct transition *to = &g->transition[g->num_transitions];
    *to = *t;
    to->sibling = g->state[t->from].transition;
    to->took = g->num_took;
    to->calls = calls;
    to->num_calls = g->num_calls - calls;
    to->added = difference(&a->counts, &b->counts);
    g->state[t->from].transition = g->num_transitions++;
    return true;
}

bool ork_transitions_take(struct transitions *g, uint32_t rank, const struct ork_taken *taken)
{
    ORK_ASSERT(g->num_transitions > 0);
    if (!ork_vec_reserve(&g->took, &g->took_room, g->num_took + 1, sizeof(*g->took)))
        return false;
    g->took[g->num_took++] = (struct took){rank, *taken};
    g->transition[g->num_transitions - 1].num_took++;
    return true;
}

/* ---- the shortest way ---- */

/* The transitions from the state that are new in this search. Returns the number to do. */
static uint32_t leave(struct transitions *g, uint32_t from, uint32_t num_todo)
{
    for (uint32_t t = g->state[from].transition; t != WALK_NONE; t = g->transition[t].sibling) {
        struct state *to = &g->state[g->transition[t].to];
        if (to->search == g->searches)
            continue;
        to->search = g->searches;
        to->came = t;
        g->todo[num_todo++] = g->transition[t].to;
    }
    return num_todo;
}

bool ork_transitions_way(struct transitions *g, uint32_t from, uint32_t to, const uint32_t **way,
                         uint32_t *n)
{
    uint32_t num_todo = 1;

    if (!ork_vec_reserve(&g->todo, &g->todo_room, WALK_STATES_MAX, sizeof(*g->todo)))
        return false;
    g->searches++;
    g->todo[0] = from;
    g->state[from].search = g->searches;
    g->state[from].came = WALK_NONE;
    for (uint32_t i = 0; i < num_todo && g->state[to].search != g->searches; i++)
        num_todo = leave(g, g->todo[i], num_todo);
    if (g->state[to].search != g->searches)
        return false;
    uint32_t at = WALK_STATES_MAX; /* the way is written from its end */
    for (uint32_t s = to; g->state[s].came != WALK_NONE; s = g->transition[g->state[s].came].from) {
        ORK_ASSERT(at > 0);
        g->todo[--at] = g->state[s].came;
    }
    *way = g->todo + at;
    *n = WALK_STATES_MAX - at;
    return true;
}

/* ---- what they have added ---- */

static void add_times(const struct ork_counts *a, uint64_t times, struct ork_counts *sum)
{
    sum->records += times * a->records;
    sum->calls += times * a->calls;
    sum->messages += times * a->messages;
    sum->collectives += times * a->collectives;
    sum->at_once += times * a->at_once;
    sum->choices += times * a->choices;
}

void ork_transitions_sum(struct transitions *g, struct ork_counts *sum, uint32_t *more,
                         uint32_t num_comms)
{
    *sum = (struct ork_counts){0};
    memset(more, 0, num_comms * sizeof(*more));
    for (uint32_t i = 0; i < g->num_transitions; i++) {
        struct transition *t = &g->transition[i];
        if (t->times == 0)
            continue;
        add_times(&t->added, t->times, sum);
        for (uint32_t k = t->calls; k < t->calls + t->num_calls; k++) {
            ORK_ASSERT(g->calls[k].comm < num_comms);
            more[g->calls[k].comm] += (uint32_t)t->times * g->calls[k].more;
        }
        t->times = 0;
    }
}
