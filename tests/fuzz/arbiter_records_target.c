/* SPDX-License-Identifier: BSD-3-Clause */
/* One fuzz input for the arbiter: 65 bytes each, what to do and with which rank, and a record. Any
 * bytes may come; whatever they are, it must answer, and give back its memory. */
#include "tests/fuzz/detector_records.h"

#include "order/arbiter/arbiter.h"

#include <stdlib.h>
#include <string.h>

/* More decisions than this without a new record would be a decision that is taken again. */
enum { DECISIONS_MAX = 1024, DECIDE_EVERY = 4, BREAK_EVERY = 24 };

static void take_decisions(struct ork_arbiter *a, bool is_quiescent)
{
    struct ork_decision decision;
    enum ork_status status = ORK_OK;
    uint32_t rank = 0;

    for (unsigned n = 0; status == ORK_OK; n++) {
        status = ork_arbiter_decide(a, &rank, &decision);
        if (status == ORK_NOTFOUND && is_quiescent)
            status = ork_arbiter_break(a, &rank, &decision);
        if (n > DECISIONS_MAX || rank >= FUZZ_RANKS)
            abort();
    }
    if (status != ORK_NOTFOUND)
        abort();
    ork_arbiter_is_waiting(a);
}

static void feed(struct ork_arbiter *a, const uint8_t *data)
{
    struct ork_record record;
    uint32_t rank = data[0] % FUZZ_RANKS;

    memcpy(&record, data + 1, sizeof(record));
    if (record.kind == ORK_KIND_COMM_DEF && record.extra == 0)
        record.extra = record.comm; /* the records are those of a run without decisions */
    switch (data[0] >> 4) {
    case 15:
        ork_arbiter_end(a, rank);
        break;
    case 14:
        take_decisions(a, true);
        break;
    case 13:
        take_decisions(a, false);
        break;
    default:
        if (ork_arbiter_feed(a, rank, &record, 1) != ORK_OK)
            abort();
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ork_arbiter *a = NULL;
    unsigned n = 0;

    if (ork_arbiter_create(FUZZ_RANKS, &a) != ORK_OK)
        abort();
    for (; size >= FUZZ_ITEM; data += FUZZ_ITEM, size -= FUZZ_ITEM) {
        feed(a, data);
        if (++n % DECIDE_EVERY == 0)
            take_decisions(a, n % BREAK_EVERY == 0);
    }
    take_decisions(a, true);
    ork_arbiter_destroy(a);
    return 0;
}
