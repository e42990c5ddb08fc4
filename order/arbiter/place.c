/* SPDX-License-Identifier: BSD-3-Clause */
/* The locations of a window in which atomics are decided. */
#include "order/arbiter/internal.h"

#include "common/hash.h"

#include <stdlib.h>

enum { BUCKETS = 1024 };

struct place *ork_arbiter_place_of(struct locks *locks, uint32_t target, uint64_t displacement)
{
    const uint64_t at = ork_hash_add(target, displacement) % BUCKETS;

    if (locks->place == NULL)
        locks->place = calloc(BUCKETS, sizeof(struct place *));
    if (locks->place == NULL)
        return NULL;
    for (struct place *p = locks->place[at]; p != NULL; p = p->next) {
        if (p->target == target && p->displacement == displacement)
            return p;
    }
    struct place *p = calloc(1, sizeof(*p));
    if (p == NULL)
        return NULL;
    *p = (struct place){.target = target, .displacement = displacement, .next = locks->place[at]};
    locks->place[at] = p;
    return p;
}

void ork_arbiter_places_destroy(struct locks *locks)
{
    for (uint32_t i = 0; locks->place != NULL && i < BUCKETS; i++) {
        while (locks->place[i] != NULL) {
            struct place *p = locks->place[i];
            locks->place[i] = p->next;
            free(p);
        }
    }
    free(locks->place);
}
