/* SPDX-License-Identifier: BSD-3-Clause */
/* One fuzz input for the detector: 65 bytes each, what to do and with which rank, and a record. Any
 * bytes may come; whatever they are, it must answer, and give back its memory. */
#include "tests/fuzz/detector_records.h"

#include "detector/detector.h"
#include "detector/issues.h"

#include <stdlib.h>
#include <string.h>

enum { SEARCH_EVERY = 16 };

static void check_search(struct ork_detector *d, enum ork_semantics semantics, bool relax)
{
    struct ork_search *s = NULL;
    uint32_t deadlocked = 0;
    uint32_t passed = 0;

    if (ork_detector_search(d, semantics, &s) != ORK_OK)
        abort();
    for (uint32_t r = 0; r < FUZZ_RANKS; r++)
        deadlocked += ork_wfg_is_deadlocked(s->wfg, r);
    if (deadlocked != ork_wfg_num_deadlocked(s->wfg))
        abort();
    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg); v++) {
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++) {
            if (ork_wfg_arc(s->wfg, v, i).label > s->num_terms)
                abort();
        }
    }
    if (relax && ork_detector_relax(d, s, &passed) != ORK_OK)
        abort();
    if (passed > FUZZ_RANKS)
        abort();
    ork_search_destroy(s);
}

static void look_at_everything(struct ork_detector *d)
{
    for (uint32_t r = 0; r < FUZZ_RANKS; r++) {
        struct ork_rank_view view = ork_detector_rank(d, r);
        ork_detector_comm(d, view.comm);
        ork_detector_fault(d, r);
    }
    for (uint32_t i = 0; i < ork_detector_num_issues(d); i++) {
        const struct ork_issue *issue = ork_detector_issue(d, i);
        if (issue->num_sides == 0 || issue->num_sides > FUZZ_RANKS)
            abort();
    }
}

/* Of spans that may make no sense. */
static void feed_wave(struct ork_detector *d, const uint8_t *data, const struct ork_record *record)
{
    const struct ork_span span[2] = {{data[0] % FUZZ_RANKS, 1 + data[1] % FUZZ_RANKS},
                                     {data[2] % (FUZZ_RANKS + 1u), data[3] % FUZZ_RANKS}};
    const struct ork_group_record group_record[2] = {
        {.call = *record, .span = span, .num_spans = 1 + (data[4] & 1u)},
        {.call = *record, .span = span + 1, .num_spans = data[5] & 1u}};
    enum ork_status status = ork_detector_feed_bulk(d, group_record, 2);

    if (status != ORK_OK && status != ORK_INVALID)
        abort();
    status = ork_detector_feed_bulk(
        d,
        &(struct ork_group_record){
            .call = *record, .span = &(struct ork_span){0, FUZZ_RANKS}, .num_spans = 1},
        1);
    if (status != ORK_OK)
        abort();
}

static void feed(struct ork_detector *d, const uint8_t *data)
{
    struct ork_record record;
    uint32_t rank = data[0] % FUZZ_RANKS;

    memcpy(&record, data + 1, sizeof(record));
    switch (data[0] >> 4) {
    case 15:
        ork_detector_end(d, rank, (enum ork_end)(data[1] % 3));
        break;
    case 14:
        ork_detector_returned(d, rank, data[1] % 4);
        break;
    case 13:
        check_search(d, ORK_STRICT, true);
        break;
    case 12:
        feed_wave(d, data, &record);
        break;
    default:
        if (ork_detector_feed(d, rank, &record, 1) != ORK_OK)
            abort();
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ork_detector *d = NULL;
    unsigned n = 0;

    if (ork_detector_create(FUZZ_RANKS, &d) != ORK_OK)
        abort();
    for (; size >= FUZZ_ITEM; data += FUZZ_ITEM, size -= FUZZ_ITEM) {
        feed(d, data);
        if (++n % SEARCH_EVERY == 0)
            check_search(d, n % (2 * SEARCH_EVERY) == 0 ? ORK_PERMISSIVE : ORK_STRICT, false);
    }
    check_search(d, ORK_STRICT, true);
    check_search(d, ORK_PERMISSIVE, false);
    look_at_everything(d);
    ork_detector_destroy(d);
    return 0;
}
