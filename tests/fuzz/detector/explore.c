/* SPDX-License-Identifier: BSD-3-Clause */
/* Depth first. A move that excludes no other is made at once; of moves that are choices, all are
 * tried. */
#include "tests/fuzz/detector/explore.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STATES = 1 << 14, BUCKETS = 1 << 15 };

struct explorer {
    const struct model *m;
    const struct known *known;
    unsigned count, next;
    struct state seen[MAX_STATES]; /* also the stack: states from `next` on are to be looked at */
    uint16_t bucket[BUCKETS];      /* number + 1 */
    struct outcomes *out;
};

static unsigned hash_state(const struct state *s)
{
    const unsigned char *p = (const unsigned char *)s;
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < sizeof(*s); i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return (unsigned)(h >> 32);
}

static bool add_state(struct explorer *e, const struct state *s)
{
    unsigned i = hash_state(s) % BUCKETS;

    while (e->bucket[i] != 0) {
        if (memcmp(&e->seen[e->bucket[i] - 1], s, sizeof(*s)) == 0)
            return true;
        i = (i + 1) % BUCKETS;
    }
    if (e->count == MAX_STATES)
        return false;
    e->seen[e->count++] = *s;
    e->bucket[i] = (uint16_t)e->count;
    return true;
}

static void add_outcome(struct explorer *e, const struct state *s)
{
    struct outcome o = {.deadlocked = (uint8_t)model_deadlocked(e->m, s)};

    memcpy(o.pc, s->pc, sizeof(o.pc));
    for (unsigned i = 0; i < e->out->count; i++) {
        if (memcmp(&e->out->item[i], &o, sizeof(o)) == 0)
            return;
    }
    if (e->out->count == e->out->room) {
        e->out->room = e->out->room * 2 + 8;
        e->out->item = realloc(e->out->item, e->out->room * sizeof(o));
        if (e->out->item == NULL)
            abort();
    }
    e->out->item[e->out->count++] = o;
}

/* Follow the moves that are no choices; true: `moves` holds the choices, count of them. */
static unsigned settle(struct explorer *e, struct state *s, struct move moves[MAX_MOVES])
{
    unsigned count;

    for (;;) {
        unsigned i = 0;
        count = model_moves(e->m, s, e->known, moves);
        while (i < count && moves[i].is_choice)
            i++;
        if (i == count)
            return count;
        model_apply(e->m, s, &moves[i]);
    }
}

static bool visit(struct explorer *e, struct state s)
{
    struct move moves[MAX_MOVES];
    unsigned count = settle(e, &s, moves);

    if (count == 0)
        add_outcome(e, &s);
    for (unsigned i = 0; i < count; i++) {
        struct state after = s;
        model_apply(e->m, &after, &moves[i]);
        struct move ignored[MAX_MOVES];
        settle(e, &after, ignored);
        if (!add_state(e, &after))
            return false;
    }
    return true;
}

bool explore(const struct model *m, const struct known *known, struct outcomes *out)
{
    static struct explorer e;
    struct state start;
    bool complete = true;

    *out = (struct outcomes){0};
    e.m = m;
    e.known = known;
    e.out = out;
    e.count = e.next = 0;
    memset(e.bucket, 0, sizeof(e.bucket));
    model_start(m, &start);
    add_state(&e, &start);
    while (complete && e.next < e.count)
        complete = visit(&e, e.seen[e.next++]);
    return complete;
}
