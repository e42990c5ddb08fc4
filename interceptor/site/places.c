/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/places.h"

#include "order/file/order.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 1024, CHUNKS = 1024 };

/* RATIONALE: chunks stay where they are, so a thread can read one while another adds a site. */
static _Atomic(uint32_t *) places[CHUNKS];

void ork_choice_add_site(uint32_t site, const char *name, uint64_t position)
{
    const char *slash = strrchr(name, '/');
    uint32_t *chunk = NULL;

    if (site >= (uint32_t)PLACES * CHUNKS)
        return;
    chunk = atomic_load(&places[site / PLACES]);
    if (chunk == NULL)
        chunk = calloc(PLACES, sizeof(*chunk));
    if (chunk == NULL)
        return;
    chunk[site % PLACES] = ork_choice_place(slash != NULL ? slash + 1 : name, position);
    atomic_store_explicit(&places[site / PLACES], chunk, memory_order_release);
}

uint32_t ork_choice_place_of(uint32_t site)
{
    const uint32_t *chunk = NULL;

    if (site < (uint32_t)PLACES * CHUNKS)
        chunk = atomic_load_explicit(&places[site / PLACES], memory_order_acquire);
    return chunk != NULL ? chunk[site % PLACES] : 0;
}
