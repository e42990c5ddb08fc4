/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/releases.h"

#include <stddef.h>

/* RATIONALE: only what MPI seems to use is noted, and each call empties it. */
enum { NOTED_MAX = 32 };

static struct {
    struct ork_release release;
    _Atomic bool is_written;
} noted[NOTED_MAX];
static _Atomic uint32_t begin, end; /* of those in noted[], modulo NOTED_MAX */

_Atomic uint32_t ork_releases_matter;

bool ork_release_put(const struct ork_release *release)
{
    uint32_t i = atomic_load(&end);

    do {
        if (i - atomic_load(&begin) >= NOTED_MAX)
            return false;
    } while (!atomic_compare_exchange_weak(&end, &i, i + 1));
    noted[i % NOTED_MAX].release = *release;
    atomic_store_explicit(&noted[i % NOTED_MAX].is_written, true, memory_order_release);
    return true;
}

const struct ork_release *ork_release_first(void)
{
    uint32_t i = atomic_load(&begin);

    if (i == atomic_load(&end) ||
        !atomic_load_explicit(&noted[i % NOTED_MAX].is_written, memory_order_acquire))
        return NULL;
    return &noted[i % NOTED_MAX].release;
}

void ork_release_drop(void)
{
    uint32_t i = atomic_load(&begin);

    atomic_store(&noted[i % NOTED_MAX].is_written, false);
    atomic_store(&begin, i + 1);
}
