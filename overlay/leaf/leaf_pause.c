/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:stop-at: words in the rings that make ranks wait. */
#include "overlay/leaf/leaf_internal.h"

void ork_leaf_set_stop(struct ork_leaf *leaf, const struct ork_stop *stop)
{
    leaf->stop = *stop;
}

void ork_leaf_pause_new(const struct ork_leaf *leaf, const struct local *l)
{
    if (leaf->stop.choice != 0 && leaf->stop.rank == l->rank) {
        atomic_store(&l->ring->stop_thread, leaf->stop.thread);
        atomic_store(&l->ring->stop_choice, leaf->stop.choice);
    }
    atomic_store(&l->ring->hold, (uint32_t)leaf->hold);
}

void ork_leaf_pause(struct ork_leaf *leaf, enum ork_hold hold)
{
    leaf->hold = hold;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        if (leaf->local[i].attached && leaf->local[i].fd >= 0)
            atomic_store(&leaf->local[i].ring->hold, (uint32_t)hold);
    }
}
