/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/latest.h"

#include "record/ring_reader.h"

/* How many records back a call is looked for. */
enum { RECORDS_BACK = 1024 };

static const struct ork_record *latest_call(uint32_t thread)
{
    struct ork_ring_back back = ork_ring_back(ork_recorder.ring);
    const struct ork_record *r = ork_ring_previous(&back);

    for (int i = 0; i < RECORDS_BACK && r != NULL; i++, r = ork_ring_previous(&back)) {
        if (ork_record_is_call(r) && r->thread == thread)
            return r;
    }
    return NULL;
}

const struct ork_record *ork_latest_blocked(uint32_t *thread)
{
    const struct ork_ring *ring = ork_recorder.ring;
    uint32_t threads = atomic_load(&ring->threads);

    for (; *thread < threads && *thread < ORK_RING_THREADS - 1; (*thread)++) {
        uint64_t word = atomic_load_explicit(&ring->thread[*thread].word, memory_order_acquire);
        const struct ork_record *r = NULL;
        if (*thread != ork_thread.index && (word & 0xff) == ORK_STATE_BLOCKED)
            r = latest_call(*thread);
        if (r != NULL)
            return r;
    }
    return NULL;
}

uint32_t ork_latest_word(const struct ork_record *record, uint32_t i)
{
    const struct ork_ring *ring = ork_recorder.ring;
    uint64_t slot = (uint64_t)(record - ring->slot) + 1 + i / ORK_CONT_WORDS;
    struct ork_cont cont;

    memcpy(&cont, &ring->slot[slot & (ORK_RING_RECORDS - 1u)], sizeof(cont));
    return cont.word[i % ORK_CONT_WORDS];
}
