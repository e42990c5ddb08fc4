/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the files of epochs.h. */
#ifndef ORK_EPOCHS_INTERNAL_H
#define ORK_EPOCHS_INTERNAL_H

#include "interceptor/objects/epochs.h"

#include <stdlib.h>

enum {
    ORK_EPOCHS_PASSIVE = ORK_EPOCH_LOCK | ORK_EPOCH_LOCK_ALL,
    ORK_EPOCHS_CALLED =
        ORK_EPOCH_START | ORK_EPOCHS_PASSIVE, /* access epochs that a call of their own ends */
    ORK_EPOCHS_BY_FENCE = ORK_EPOCH_POSSIBLE | ORK_EPOCH_FENCE,
};

/* The key in the map of locked targets. */
static inline uint64_t ork_epochs_key(int target)
{
    return (uint64_t)(unsigned)target + 1;
}

static inline bool ork_epochs_is_open(const struct ork_epochs *e, unsigned kinds)
{
    return (e->open & kinds) != 0;
}

static inline bool ork_epochs_is_locked(const struct ork_epochs *e, int target)
{
    return ork_map_find(&e->locked, ork_epochs_key(target)) != NULL;
}

static inline int ork_epochs_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static inline bool ork_epochs_is_member(const struct ork_epochs *e, int target)
{
    uint32_t rank = (uint32_t)target;

    return e->num_members > 0 &&
           bsearch(&rank, e->member, e->num_members, sizeof(rank), ork_epochs_compare) != NULL;
}

/* The epochs of which the event, because it is wrong, leaves unclear if they are open. */
unsigned ork_epochs_doubts(const struct ork_epochs *epochs, const struct ork_epoch_event *event);

#endif
