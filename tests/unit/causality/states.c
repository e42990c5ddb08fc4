/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of states, and those in which a program can end. */
#include "tests/unit/causality/program.h"

#include "common/hash.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const struct state *s)
{
    const uint8_t *byte = (const uint8_t *)s;
    uint64_t h = 0;

    for (size_t i = 0; i < sizeof(*s); i++)
        h = (h ^ byte[i]) * UINT64_C(0x100000001b3);
    return ork_hash_mix(h);
}

static size_t slot_of(const struct states *set, const struct state *s)
{
    size_t i = hash_of(s) % set->slots;

    while (set->slot[i] != 0 && memcmp(&set->item[set->slot[i] - 1], s, sizeof(*s)) != 0)
        i = (i + 1) % set->slots;
    return i;
}

bool states_have(const struct states *set, const struct state *s)
{
    return set->slots > 0 && set->slot[slot_of(set, s)] != 0;
}

static void grow(struct states *set)
{
    set->room = set->room == 0 ? 64 : 2 * set->room;
    set->item = realloc(set->item, set->room * sizeof(*set->item));
    free(set->slot);
    set->slots = 4 * set->room;
    set->slot = calloc(set->slots, sizeof(*set->slot));
    must(set->item != NULL && set->slot != NULL);
    for (size_t i = 0; i < set->count; i++)
        set->slot[slot_of(set, &set->item[i])] = (uint32_t)i + 1;
}

bool states_add(struct states *set, const struct state *s)
{
    if (states_have(set, s))
        return false;
    if (set->count == set->room)
        grow(set);
    set->slot[slot_of(set, s)] = (uint32_t)set->count + 1;
    set->item[set->count++] = *s;
    return true;
}

void states_release(struct states *set)
{
    free(set->item);
    free(set->slot);
    *set = (struct states){0};
}

enum { STATES_MAX = 60000 };

bool program_ends(const struct program *p, struct states *ends)
{
    struct states seen = {0};
    struct event event[EVENTS_MAX];
    struct state s = {0};
    bool good = true;

    program_settle(p, &s);
    states_add(&seen, &s);
    for (size_t i = 0; i < seen.count && good; i++) {
        struct state now = seen.item[i];
        int n = program_events(p, &now, NULL, event);
        struct state end = program_normal(p, &now);
        if (n == 0)
            states_add(ends, &end);
        for (int e = 0; e < n; e++) {
            s = now;
            s.outcome[event[e].rank][event[e].op] = event[e].outcome;
            program_settle(p, &s);
            states_add(&seen, &s);
        }
        good = seen.count <= STATES_MAX;
    }
    states_release(&seen);
    return good;
}
