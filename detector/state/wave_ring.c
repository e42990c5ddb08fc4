/* SPDX-License-Identifier: BSD-3-Clause */
/* The waves of a communicator that are to come or in progress, by their position in its order. */
#include "detector/state/state.h"

#include <stdlib.h>

static struct wave **slot(struct comm *c, uint32_t offset)
{
    return &c->wave[(c->wave_first + offset) % c->wave_cap];
}

static bool ring_reserve(struct ork_detector *d, struct comm *c, uint32_t want)
{
    if (want <= c->wave_cap)
        return true;
    uint32_t cap = c->wave_cap == 0 ? 4 : c->wave_cap;
    while (cap < want)
        cap *= 2;
    struct wave **bigger = calloc(cap, sizeof(struct wave *));
    if (bigger == NULL) {
        d->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < c->waves; i++)
        bigger[i] = *slot(c, i);
    free(c->wave);
    c->wave = bigger;
    c->wave_cap = cap;
    c->wave_first = 0;
    return true;
}

struct wave *ork_wave_at(struct ork_detector *d, struct comm *c, uint32_t index)
{
    uint32_t offset = index - c->base;

    ORK_ASSERT(offset <= c->waves); /* a member arrives at the waves in order */
    if (!ring_reserve(d, c, offset + 1))
        return NULL;
    while (c->waves <= offset) {
        struct wave *w = ork_pool_get(d, &d->collectives.waves);
        if (w == NULL)
            return NULL;
        w->comm = c;
        w->index = c->base + c->waves;
        *slot(c, c->waves++) = w;
    }
    return *slot(c, offset);
}

struct wave *ork_wave_oldest(const struct comm *c)
{
    return c->waves > 0 ? c->wave[c->wave_first] : NULL;
}

void ork_wave_drop_oldest(struct comm *c)
{
    ORK_ASSERT(c->waves > 0);
    c->wave_first = (c->wave_first + 1) % c->wave_cap;
    c->waves--;
    c->base++;
}

void ork_wave_forget_failed(struct wave *w)
{
    while (w->failed != NULL) {
        struct failed_call *f = w->failed;
        w->failed = f->next;
        free(f);
    }
}

void ork_wave_ring_release(struct comm *c)
{
    for (uint32_t i = 0; i < c->waves; i++)
        ork_wave_forget_failed(*slot(c, i));
    free(c->wave);
    c->wave = NULL;
    c->waves = 0;
}

bool ork_wave_has_arrived(const struct wave *w, uint32_t member)
{
    return ork_comm_calls(w->comm, member) > w->index;
}
