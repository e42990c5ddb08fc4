/* SPDX-License-Identifier: BSD-3-Clause */
/* Which order an exploration tries next (docs/explanation/exploration.md). Each run shows what it
 * could have done otherwise; each of these alternatives is a decision for a further run, unless a
 * run has made its choices already. Depth first: the latest run's last choice; but first all orders
 * in which each test or probe waits. Pure. */
#ifndef ORK_EXPLORE_SEARCH_H
#define ORK_EXPLORE_SEARCH_H

#include "order/explore/explored.h"
#include "order/explore/sites.h"

/* Bounds; 0: none. */
struct ork_search_bounds {
    uint32_t mixing;       /* only choices among so many after the changed ones, in each rank */
    uint32_t loop;         /* only the first choices at each call site of a rank */
    uint32_t quota;        /* alternatives of all ranks at a call site */
    bool samples;          /* draw the next decision at random */
    uint64_t seed;         /* of these */
    const bool *symmetric; /* as for ork_explored_create() */
};

enum ork_bound { ORK_BOUND_MIXING, ORK_BOUND_LOOP, ORK_BOUND_QUOTA, ORK_BOUND_MAX };

/* To make a choice of an earlier run in another way. */
struct ork_decision_of_run {
    uint32_t run;                    /* number in the search, from 0 */
    uint32_t index;                  /* of its alternatives */
    const struct ork_change *change; /* valid as long as the search */
};

struct ork_search;
/* ORK_NOMEM. */
enum ork_status ork_search_create(uint32_t ranks, const struct ork_search_bounds *bounds,
                                  struct ork_search **out);
void ork_search_destroy(struct ork_search *search);

/* A run has ended. `made`: the decision that it followed, NULL: none. Takes over `trace` and
 * `alternatives` (NULL: they are unknown). *is_new: no earlier run made the same choices; only such
 * runs get a number, the next one. ORK_NOMEM: unusable from now on. */
enum ork_status ork_search_add(struct ork_search *search, const struct ork_decision_of_run *made,
                               struct ork_trace *trace, struct ork_alternatives *alternatives,
                               bool *is_new);
/* The next decision to try; false: there is none. It is not proposed again. */
bool ork_search_next(struct ork_search *search, struct ork_decision_of_run *next);
/* Alternative `index` of that run has been tried: do not propose it. False: there is none. */
bool ork_search_take(struct ork_search *search, uint32_t run, uint32_t index,
                     struct ork_decision_of_run *taken);

struct ork_search_counts {
    uint64_t orders;                  /* different runs */
    uint64_t left;                    /* decisions that were not proposed yet */
    uint64_t waiting, left_waiting;   /* of these two, those in which each poll waits */
    uint64_t left_out[ORK_BOUND_MAX]; /* alternatives beyond a bound */
    uint64_t unfit;                   /* alternatives that do not fit their run */
    uint64_t assumed; /* not proposed, because many loops at the same call did not give up */
    double estimate;  /* orders in all, if what is left branches like the rest */
};
struct ork_search_counts ork_search_count(struct ork_search *search);

/* The call sites of choices. */
uint32_t ork_search_num_sites(const struct ork_search *search);
struct ork_search_site ork_search_site(const struct ork_search *search, uint32_t i);

const struct ork_explored *ork_search_explored(const struct ork_search *search);

#endif
