/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank knows of the others at one time, and how that is followed. */
#ifndef ORK_CAUSALITY_CLOCKS_H
#define ORK_CAUSALITY_CLOCKS_H

#include "order/causality/causality.h"

struct rank;
struct step;

#define NEVER UINT64_MAX

/* What a rank knows of the others at one time. */
union stamp {
    struct vector *vector;
    uint64_t scalar;
};

/* `time`: of the step of the rank, see struct rank. */
struct clocks {
    bool (*create)(struct ork_causality *c);
    void (*destroy)(struct ork_causality *c);
    /* A choice of the rank is made, or its first effect on others begins. Returns the new value of
     * its own component; 0: out of memory. */
    uint64_t (*tick)(struct ork_causality *c, uint32_t rank, uint64_t time);
    union stamp (*take)(struct ork_causality *c, uint32_t rank);
    void (*release)(union stamp stamp);
    /* What it knows of the component of a rank. Of sums: NULL, because only summaries need it. */
    uint64_t (*component)(const struct ork_causality *c, union stamp stamp, uint32_t rank);
    /* False: out of memory. */
    bool (*join)(struct ork_causality *c, uint32_t rank, union stamp stamp, uint64_t time);
    /* Add one stamp to another. False: out of memory. */
    bool (*merge)(union stamp *to, union stamp from);
    /* Call before `after`, when something has changed. */
    void (*sort)(struct ork_causality *c);
    /* The time from which on rank `of` depends on that value of the component of `rank`. */
    uint64_t (*after)(const struct ork_causality *c, uint32_t of, uint32_t rank, uint64_t value);
    /* Clocks with other rules (bench/lazy_clocks.c): the receives that this step, a return,
     * completed have their messages. False: the message of one is not known yet. NULL: a rank joins
     * a message as soon as its match is certain. */
    bool (*force)(struct rank *p, const struct step *s);
};
extern const struct clocks ork_clocks_exact, ork_clocks_sums;

/* As ork_causality_create(), with other clocks than the exact ones: to compare them (bench/). */
enum ork_status ork_causality_create_with(uint32_t nprocs, const struct clocks *clocks,
                                          struct ork_causality **out);

#endif
