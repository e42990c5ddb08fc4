/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/noise_stream.h"

#include "common/hash.h"

#include <errno.h>
#include <stdlib.h>

enum { SLOW_PHASES = 4, SLOW_CALLS = 4, FAST_CALLS = 64, SIZES = 5 }; /* one of so many */
enum { PHASE_MIN_BITS = 2, PHASE_SIZES = 7 };                         /* 4 to 511 calls */

bool ork_noise_read(const char *text, uint64_t *seed, uint64_t *max_ns)
{
    char *end;

    errno = 0;
    unsigned long long first = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != ':')
        return false;
    const char *second = end + 1;
    unsigned long max_us = strtoul(second, &end, 10);
    if (errno != 0 || end == second || *end != '\0' || max_us > UINT32_MAX)
        return false;
    *seed = first;
    *max_ns = (uint64_t)max_us * 1000;
    return true;
}

struct ork_noise_stream ork_noise_stream_of(uint64_t seed, uint32_t rank, uint32_t thread)
{
    uint64_t state = ork_hash_add(ork_hash_add(ork_hash_mix(seed), rank), thread);

    return (struct ork_noise_stream){.state = state};
}

static uint64_t next(struct ork_noise_stream *s)
{
    s->state += UINT64_C(0x9e3779b97f4a7c15);
    return ork_hash_mix(s->state);
}

/* RATIONALE: sizes of all orders of magnitude, because it is unknown how many calls of the program
 * belong together. */
static void begin_phase(struct ork_noise_stream *s)
{
    uint32_t least = UINT32_C(1) << (PHASE_MIN_BITS + next(s) % PHASE_SIZES);

    s->phase_left = least + (uint32_t)(next(s) % least);
    s->is_slow = next(s) % SLOW_PHASES == 0;
}

uint64_t ork_noise_draw(struct ork_noise_stream *s, uint64_t max_ns)
{
    if (s->phase_left == 0)
        begin_phase(s);
    s->phase_left--;
    if (next(s) % (s->is_slow ? SLOW_CALLS : FAST_CALLS) != 0)
        return 0;
    uint64_t half = (max_ns >> next(s) % SIZES) / 2;
    return half + next(s) % (half + 1);
}
