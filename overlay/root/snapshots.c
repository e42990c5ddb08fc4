/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/snapshots.h"

#include "common/assert.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

/* How long a finished round counts as fresh. */
#define FRESH_NS UINT64_C(20000000)

struct seen {
    bool present;
    uint32_t number; /* of the round in which it was taken; 0: never */
    struct ork_snapshot snapshot;
};

/* Records taken of one rank, without calls of all ranks. */
struct taken {
    bool known;
    uint64_t records;
};

struct round {
    struct seen *seen;
    uint32_t ranks;
};

struct ork_snapshots {
    const struct ork_down *down;
    uint32_t leaves, missing;
    uint32_t number; /* of the round under way */
    bool under_way;
    unsigned wanted, done; /* rounds of this series */
    uint64_t done_ns;      /* when the end of the last one was noticed; 0: not yet */
    struct round round[3]; /* [next]: being filled; the one before it in the ring: the latest */
    unsigned next;
    struct taken *taken;
    uint64_t all; /* calls of all ranks that were known */
    uint32_t ranks;
};

enum ork_status ork_snapshots_create(const struct ork_down *down, uint32_t leaves,
                                     struct ork_snapshots **out)
{
    struct ork_snapshots *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return ORK_NOMEM;
    c->down = down;
    c->leaves = leaves;
    *out = c;
    return ORK_OK;
}

void ork_snapshots_destroy(struct ork_snapshots *c)
{
    if (c == NULL)
        return;
    for (unsigned i = 0; i < 3; i++)
        free(c->round[i].seen);
    free(c->taken);
    free(c);
}

enum ork_status ork_snapshots_records(struct ork_snapshots *c, uint32_t rank, size_t n)
{
    if (!ork_vec_reserve(&c->taken, &c->ranks, rank + 1, sizeof(*c->taken)))
        return ORK_NOMEM;
    struct taken *t = &c->taken[rank];
    if (!t->known)
        *t = (struct taken){.known = true, .records = 0 - c->all};
    t->records += n;
    return ORK_OK;
}

bool ork_snapshots_is_current(const struct ork_snapshots *c, const struct ork_snapshot *snapshot,
                              uint32_t rank)
{
    return rank < c->ranks && c->taken[rank].known &&
           c->taken[rank].records + c->all == snapshot->head;
}

void ork_snapshots_record_of_all(struct ork_snapshots *c)
{
    c->all++;
}

static bool reserve(struct round *round, uint32_t ranks)
{
    return ork_vec_reserve(&round->seen, &round->ranks, ranks, sizeof(*round->seen));
}

enum ork_status ork_snapshots_take(struct ork_snapshots *c, uint32_t rank,
                                   const struct ork_snapshot *snapshot)
{
    struct round *round = &c->round[c->next];

    if (!reserve(round, rank + 1))
        return ORK_NOMEM;
    round->seen[rank] = (struct seen){.present = true, .number = c->number, .snapshot = *snapshot};
    return ORK_OK;
}

uint64_t ork_snapshots_taken(const struct ork_snapshots *c, uint32_t rank)
{
    return rank < c->ranks && c->taken[rank].known ? c->taken[rank].records + c->all : 0;
}

static void begin(struct ork_snapshots *c)
{
    struct round *round = &c->round[c->next];

    ORK_ASSERT(!c->under_way && c->leaves > 0);
    for (uint32_t r = 0; r < round->ranks; r++)
        round->seen[r].present = false;
    c->missing = c->leaves;
    c->under_way = true;
    const struct ork_order order = {.kind = ORK_ORDER_COLLECT, .round = ++c->number};
    if (ork_down_send(c->down, &order) != ORK_OK)
        c->under_way = false;
}

static void finish(struct ork_snapshots *c)
{
    ORK_ASSERT(c->under_way && c->missing == 0);
    c->under_way = false;
    c->done++;
    c->next = (c->next + 1) % 3;
}

void ork_snapshots_collected(struct ork_snapshots *c, uint32_t round)
{
    ORK_ASSERT(!c->under_way || (c->missing > 0 && c->missing <= c->leaves));
    if (c->under_way && round == c->number && --c->missing == 0)
        finish(c);
}

void ork_snapshots_lose(struct ork_snapshots *c, uint32_t leaves)
{
    c->leaves -= leaves < c->leaves ? leaves : c->leaves - 1;
    ORK_ASSERT(c->leaves > 0);
    c->under_way = false; /* it is unknown which leaves had answered */
}

bool ork_snapshots_is_fresh(struct ork_snapshots *c, unsigned rounds, uint64_t now_ns)
{
    if (c->done_ns != 0 && (c->done < rounds || ork_elapsed_ns(now_ns, c->done_ns) > FRESH_NS))
        ork_snapshots_expire(c);
    if (c->wanted < rounds)
        c->wanted = rounds;
    while (c->done < c->wanted && !c->under_way) {
        unsigned before = c->done;
        begin(c);
        if (c->done == before && !c->under_way)
            return false; /* it could not even be asked */
    }
    if (c->done < c->wanted)
        return false;
    ORK_ASSERT(c->done >= rounds);
    if (c->done_ns == 0)
        c->done_ns = now_ns;
    return true;
}

void ork_snapshots_expire(struct ork_snapshots *c)
{
    c->wanted = c->done = 0;
    c->done_ns = 0;
}

const struct ork_snapshot *ork_snapshots_of(const struct ork_snapshots *c, unsigned ago,
                                            uint32_t rank)
{
    ORK_ASSERT(ago < 2); /* the third is being taken */
    const struct round *round = &c->round[(c->next + 2 - ago) % 3];

    return rank < round->ranks && round->seen[rank].present ? &round->seen[rank].snapshot : NULL;
}

const struct ork_snapshot *ork_snapshots_last(const struct ork_snapshots *c, uint32_t rank)
{
    const struct seen *last = NULL;

    for (unsigned i = 0; i < 3; i++) {
        const struct round *round = &c->round[i];
        if (rank < round->ranks && round->seen[rank].number != 0 &&
            (last == NULL || last->number < round->seen[rank].number))
            last = &round->seen[rank];
    }
    return last != NULL ? &last->snapshot : NULL;
}
