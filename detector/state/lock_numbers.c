/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/state/lock_numbers.h"

#include "record/lock_number.h"

#include <stdlib.h>

uint32_t *ork_lock_number_of(struct ork_detector *d, const struct comm_ref *ref,
                             const struct lock *l)
{
    struct comm *c = ref->comm;
    uint32_t target = l->call.peer == ORK_NO_PEER ? c->size : (uint32_t)l->call.peer;

    ORK_ASSERT(!c->self && target <= c->size);
    if (c->lock_number == NULL)
        c->lock_number = calloc(c->size, sizeof(*c->lock_number));
    if (c->lock_number != NULL && c->lock_number[ref->me] == NULL)
        c->lock_number[ref->me] = calloc(ork_lock_all_series(c->size), sizeof(uint32_t));
    if (c->lock_number == NULL || c->lock_number[ref->me] == NULL) {
        d->failed = true;
        return NULL;
    }
    return &c->lock_number[ref->me][ork_lock_series(target, l->name.exclusive)];
}

/* Those of a window, by what is to be done with each. */
static uint32_t visit(struct comm *c, void (*take)(void *context, uint32_t *number), void *context)
{
    uint32_t num = 0;

    for (struct lock *l = c->lock; l != NULL; l = l->next, num++)
        take(context, &l->before);
    for (uint32_t i = 0; c->lock_number != NULL && i < c->size; i++) {
        if (c->lock_number[i] == NULL)
            continue;
        for (uint32_t k = 0; k < ork_lock_all_series(c->size); k++, num++)
            take(context, &c->lock_number[i][k]);
    }
    return num;
}

static uint32_t visit_all(const struct ork_detector *d, void (*take)(void *, uint32_t *),
                          void *context)
{
    uint32_t num = 0;

    for (struct comm *c = d->comms.oldest; c != NULL; c = c->newer)
        num += visit(c, take, context);
    return num;
}

struct numbers {
    uint32_t *to;
    const uint32_t *from, *until;
    uint64_t times;
};

static void write(void *context, uint32_t *number)
{
    struct numbers *n = context;

    if (n->to != NULL)
        *n->to++ = *number;
}

static void grow(void *context, uint32_t *number)
{
    struct numbers *n = context;
    uint32_t growth = *n->until++ - *n->from++;

    *number = (uint32_t)(*number + growth * n->times) & INT32_MAX;
}

uint32_t ork_lock_numbers(const struct ork_detector *d, uint32_t *to)
{
    return visit_all(d, write, &(struct numbers){.to = to});
}

void ork_lock_numbers_grow(struct ork_detector *d, const uint32_t *a, const uint32_t *b,
                           uint64_t times)
{
    visit_all(d, grow, &(struct numbers){.from = a, .until = b, .times = times});
}
