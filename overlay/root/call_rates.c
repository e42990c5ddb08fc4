/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/call_rates.h"

#include "common/assert.h"
#include "common/vec.h"
#include "overlay/stream/link.h"

#include <stdlib.h>
#include <string.h>

#define SECOND_NS UINT64_C(1000000000)
/* What is known for less than that says nothing. */
enum { LEAST_SECONDS = 3 };

struct rank_rates {
    uint64_t calls; /* at the latest note */
    uint32_t second[ORK_RATE_SECONDS];
};

/* Invariant: the latest `still` seconds are without calls; of these ORK_RATE_STILL are kept. */
struct ork_call_rates {
    struct rank_rates *rank;
    uint32_t nprocs;
    uint32_t known, next; /* seconds, and where the next one is written */
    uint32_t still;
    uint64_t noted_ns; /* the end of the latest second */
};

enum ork_status ork_call_rates_create(uint32_t nprocs, uint64_t now_ns, struct ork_call_rates **out)
{
    struct ork_call_rates *r = calloc(1, sizeof(*r));

    if (r == NULL)
        return ORK_NOMEM;
    r->noted_ns = now_ns;
    enum ork_status status = ork_call_rates_grow(r, nprocs);
    if (status == ORK_OK)
        *out = r;
    else
        ork_call_rates_destroy(r);
    return status;
}

enum ork_status ork_call_rates_grow(struct ork_call_rates *r, uint32_t nprocs)
{
    if (nprocs > r->nprocs && !ork_vec_extend(&r->rank, r->nprocs, nprocs, sizeof(*r->rank)))
        return ORK_NOMEM;
    r->nprocs = nprocs > r->nprocs ? nprocs : r->nprocs;
    return ORK_OK;
}

void ork_call_rates_destroy(struct ork_call_rates *r)
{
    if (r == NULL)
        return;
    free(r->rank);
    free(r);
}

/* ---- note ---- */

/* Seconds without a call. */
static void add_still(struct ork_call_rates *r, uint64_t seconds)
{
    for (uint64_t i = 0; i < seconds && i < ORK_RATE_SECONDS; i++) {
        for (uint32_t k = 0; k < r->nprocs; k++)
            r->rank[k].second[r->next] = 0;
        r->next = (r->next + 1) % ORK_RATE_SECONDS;
        r->known += r->known < ORK_RATE_SECONDS;
    }
}

/* RATIONALE: a tool process that notes nothing for more than a second sleeps, because nothing has
 * come; what comes wakes it. So all these calls were made in the latest second. */
static void add_second(struct ork_call_rates *r, const struct ork_activity *activity)
{
    for (uint32_t k = 0; k < r->nprocs; k++) {
        uint64_t calls = ork_activity_calls(activity, k);
        uint64_t more = calls > r->rank[k].calls ? calls - r->rank[k].calls : 0;
        r->rank[k].second[r->next] = more < UINT32_MAX ? (uint32_t)more : UINT32_MAX;
        r->rank[k].calls = calls;
    }
    r->next = (r->next + 1) % ORK_RATE_SECONDS;
    r->known += r->known < ORK_RATE_SECONDS;
}

static bool is_still(const struct ork_call_rates *r, const struct ork_activity *activity)
{
    for (uint32_t k = 0; k < r->nprocs; k++) {
        if (ork_activity_calls(activity, k) != r->rank[k].calls)
            return false;
    }
    return true;
}

void ork_call_rates_note(struct ork_call_rates *r, const struct ork_activity *activity,
                         uint64_t now_ns)
{
    uint64_t seconds = ork_elapsed_ns(now_ns, r->noted_ns) / SECOND_NS;

    if (seconds == 0)
        return;
    r->noted_ns += seconds * SECOND_NS;
    if (is_still(r, activity)) {
        uint64_t room = r->still < ORK_RATE_STILL ? ORK_RATE_STILL - r->still : 0;
        add_still(r, seconds < room ? seconds : room);
        r->still += seconds < UINT32_MAX - r->still ? (uint32_t)seconds : UINT32_MAX - r->still;
        return;
    }
    add_still(r, (r->still > ORK_RATE_STILL ? r->still - ORK_RATE_STILL : 0) + seconds - 1);
    add_second(r, activity);
    r->still = 0;
}

/* ---- which ranks ---- */

struct chosen {
    uint32_t rank, last; /* its latest second with a call, from 1; 0: none */
    uint64_t calls;      /* in all seconds */
};

static uint32_t second_of(const struct ork_call_rates *r, uint32_t rank, uint32_t i)
{
    uint32_t first = (r->next + ORK_RATE_SECONDS - r->known) % ORK_RATE_SECONDS;

    ORK_ASSERT(i < r->known);
    return r->rank[rank].second[(first + i) % ORK_RATE_SECONDS];
}

static struct chosen look_at(const struct ork_call_rates *r, uint32_t rank)
{
    struct chosen c = {.rank = rank};

    for (uint32_t i = 0; i < r->known; i++) {
        uint32_t calls = second_of(r, rank, i);
        c.calls += calls;
        c.last = calls > 0 ? i + 1 : c.last;
    }
    return c;
}

/* Those that made no call any more come first, and of these those with the fewest. */
static int compare_chosen(const void *a, const void *b)
{
    const struct chosen *x = a, *y = b;

    if (x->last != y->last)
        return x->last > y->last ? 1 : -1;
    if (x->calls != y->calls)
        return x->calls > y->calls ? 1 : -1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct chosen *x = a, *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* How many of the list are wanted, which begins with them. */
static uint32_t choose(const struct ork_call_rates *r, struct chosen *list)
{
    for (uint32_t k = 0; k < r->nprocs; k++)
        list[k] = look_at(r, k);
    if (r->nprocs <= ORK_RATE_RANKS)
        return r->nprocs;
    qsort(list, r->nprocs, sizeof(*list), compare_chosen);
    list[ORK_RATE_RANKS - 1] = list[r->nprocs - 1];
    qsort(list, ORK_RATE_RANKS, sizeof(*list), compare_ranks);
    return ORK_RATE_RANKS;
}

/* ---- into a finding ---- */

static bool fill_rank(const struct ork_call_rates *r, uint32_t rank, struct ork_rank_rates *to)
{
    to->rank = rank;
    to->calls.item = malloc(r->known * sizeof(*to->calls.item));
    if (to->calls.item == NULL)
        return false;
    to->calls.count = r->known;
    for (uint32_t i = 0; i < r->known; i++)
        to->calls.item[i] = second_of(r, rank, i);
    return true;
}

enum ork_status ork_call_rates_fill(const struct ork_call_rates *r, uint64_t now_ns,
                                    struct ork_finding *f)
{
    if (r->known < LEAST_SECONDS || r->nprocs == 0 || f->num_rates > 0)
        return ORK_OK;
    struct chosen *list = calloc(r->nprocs, sizeof(*list));
    uint32_t n = list != NULL ? choose(r, list) : 0;
    f->rates = calloc(n + (size_t)1, sizeof(*f->rates));
    bool ok = list != NULL && f->rates != NULL;
    for (uint32_t i = 0; i < n && ok; i++)
        ok = fill_rank(r, list[i].rank, &f->rates[f->num_rates++]);
    free(list);
    uint64_t left = r->still > ORK_RATE_STILL ? r->still - ORK_RATE_STILL : 0;
    f->rates_ago = (double)ork_elapsed_ns(now_ns, r->noted_ns) * 1e-9 + (double)left;
    return ok ? ORK_OK : ORK_NOMEM;
}
