/* SPDX-License-Identifier: BSD-3-Clause */
/* One fuzz input for causality/: 65 bytes each, what to do and with which rank, and a record. Any
 * bytes may come; whatever they are, it must answer, and give back its memory. */
#include "tests/fuzz/detector_records.h"

#include "order/causality/causality.h"
#include "order/causality/races.h"

#include <stdlib.h>
#include <string.h>

enum { ALTERNATIVES_MAX = 1 << 20, ASK_EVERY = 64 };

struct fuzz {
    struct ork_causality *causality;
    struct ork_races *races;
};

static bool take(void *context, const struct ork_alternative *a)
{
    unsigned *n = context;

    for (uint32_t i = 0; i < a->num_ahead; i++)
        *n += a->ahead[i].rank >= FUZZ_RANKS ? ALTERNATIVES_MAX : 0;
    for (uint32_t r = 0; r < FUZZ_RANKS; r++)
        *n += a->keep[r] == UINT64_MAX ? ALTERNATIVES_MAX : 0;
    if (a->choice.rank >= FUZZ_RANKS || ++*n > ALTERNATIVES_MAX)
        abort();
    return true;
}

static void ask(const struct fuzz *f)
{
    uint32_t gap[ORK_GAPS];
    unsigned n = 0;

    if (ork_causality_alternatives(f->causality, take, &n) != ORK_OK)
        abort();
    for (uint32_t r = 0; r < FUZZ_RANKS; r++)
        ork_causality_lost(f->causality, r);
    ork_causality_gaps(f->causality, gap);
    for (unsigned i = 0; i < ORK_GAPS; i++) {
        if (gap[i] > FUZZ_RANKS)
            abort();
    }
}

static void feed(struct fuzz *f, const uint8_t *data)
{
    struct ork_record record;
    uint32_t rank = data[0] % FUZZ_RANKS;

    memcpy(&record, data + 1, sizeof(record));
    /* the records are those of a run without contexts and choices */
    if (record.kind == ORK_KIND_COMM_DEF && record.extra == 0)
        record.extra = record.comm;
    if ((record.kind == ORK_KIND_EXIT || record.kind == ORK_KIND_TESTED ||
         record.kind == ORK_KIND_PROBED) &&
        record.extra == 0)
        record.extra = 4;
    if (data[0] >> 4 == 15) {
        ork_causality_end(f->causality, rank, ORK_CAUSAL_INSIDE);
        ork_races_end(f->races, rank);
    } else if (ork_causality_feed(f->causality, rank, &record, 1) != ORK_OK ||
               ork_races_feed(f->races, rank, &record, 1) != ORK_OK) {
        abort();
    }
}

static bool take_race(void *context, const struct ork_race *race)
{
    (void)context;
    if (race->rank >= FUZZ_RANKS || race->raced > race->times || race->sources == 0)
        abort();
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz f = {0};
    unsigned n = 0;

    if (ork_causality_create(FUZZ_RANKS, &f.causality) != ORK_OK ||
        ork_races_create(FUZZ_RANKS, &f.races) != ORK_OK)
        abort();
    for (; size >= FUZZ_ITEM; data += FUZZ_ITEM, size -= FUZZ_ITEM) {
        feed(&f, data);
        if (++n % ASK_EVERY == 0)
            ask(&f);
    }
    for (uint32_t r = 0; r < FUZZ_RANKS; r++) {
        ork_causality_end(f.causality, r, ORK_CAUSAL_OUTSIDE);
        ork_races_end(f.races, r);
    }
    ork_races_list(f.races, take_race, NULL);
    ork_races_destroy(f.races);
    ask(&f);
    ork_causality_destroy(f.causality);
    return 0;
}
