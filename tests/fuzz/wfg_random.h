/* SPDX-License-Identifier: BSD-3-Clause */
/* A small reproducible generator (splitmix64, Steele et al., OOPSLA 2014), and the arguments of the
 * random tests. */
#ifndef ORK_FUZZ_WFG_RANDOM_H
#define ORK_FUZZ_WFG_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct wfg_random {
    uint64_t state;
};

static inline uint64_t wfg_random_next(struct wfg_random *r)
{
    uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0 .. bound - 1 */
static inline uint32_t wfg_random_below(struct wfg_random *r, uint32_t bound)
{
    return (uint32_t)((wfg_random_next(r) >> 32) * bound >> 32);
}

static inline bool wfg_random_percent(struct wfg_random *r, uint32_t percent)
{
    return wfg_random_below(r, 100) < percent;
}

/* Argument `i` as a number, `otherwise` if it is not there. */
static inline uint64_t wfg_random_argument(int argc, char **argv, int i, uint64_t otherwise)
{
    return i < argc ? strtoull(argv[i], NULL, 0) : otherwise;
}

#endif
