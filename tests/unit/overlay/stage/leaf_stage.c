/* SPDX-License-Identifier: BSD-3-Clause */
#include "leaf_stage.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum ork_status on_job(void *context, const struct ork_job_name *job)
{
    struct above *a = context;
    uint32_t first;
    enum ork_status status = ork_rank_numbering_give(&a->numbers, job, &first);

    return a->down.number(a->down.context, job, status == ORK_OK ? first : UINT32_MAX);
}

static enum ork_status on_attach(void *context, const struct ork_attached *attached)
{
    struct above *a = context;

    a->attached++;
    a->latest = *attached;
    return ORK_OK;
}

static void take(struct above *a, uint32_t rank, const struct ork_record *record)
{
    assert_in_range(rank, 0, 7);
    assert_int_equal(a->ended, 0);
    if (record->kind >= ORK_KIND_MAX)
        a->senseless++;
    else
        a->in_order &= record->extra == a->next[rank]++;
    a->records++;
}

static enum ork_status on_batch(void *context, uint32_t rank, const struct ork_record *record,
                                size_t n)
{
    struct above *a = context;

    assert_true(n <= a->credit);
    if (a->credit != SIZE_MAX)
        a->credit -= n;
    for (size_t i = 0; i < n; i++)
        take(a, rank, &record[i]);
    return ORK_OK;
}

static enum ork_status on_wave(void *context, const struct ork_wave *wave)
{
    struct above *a = context;

    a->waves++;
    a->wave_ranks = 0;
    a->wave_index = wave->index;
    for (uint32_t i = 0; i < wave->num_arrivals; i++) {
        const struct ork_arrival *call = &wave->arrival[i];
        for (uint32_t k = 0; k < call->num_spans; k++) {
            a->wave_ranks += call->span[k].count;
            for (uint32_t r = 0; r < call->span[k].count; r++)
                take(a, call->span[k].first + r, &call->call);
        }
    }
    return ORK_OK;
}

static enum ork_status on_end(void *context, uint32_t rank, const struct ork_ending *ending)
{
    struct above *a = context;

    (void)rank;
    a->ended++;
    a->how = ending->how;
    a->full_waits = ending->full_waits;
    return ORK_OK;
}

static enum ork_status on_unassigned(void *context)
{
    struct above *a = context;

    a->unassigned++;
    return ORK_OK;
}

static enum ork_status on_snapshot(void *context, uint32_t rank,
                                   const struct ork_snapshot *snapshot)
{
    struct above *a = context;

    assert_in_range(rank, 0, 7);
    a->snapshot[rank] = *snapshot;
    a->present[rank] = true;
    return ORK_OK;
}

static enum ork_status on_collected(void *context, uint32_t round)
{
    struct above *a = context;

    a->rounds++;
    a->round = round;
    return ORK_OK;
}

static size_t credit(void *context)
{
    const struct above *a = context;

    return a->credit;
}

int stage_set_up(void **state)
{
    static struct stage s;

    memset(&s, 0, sizeof(s));
    snprintf(s.session, sizeof(s.session), "%s", peer_session());
    s.above.up = (struct ork_up){.context = &s.above,
                                 .job = on_job,
                                 .attach = on_attach,
                                 .batch = on_batch,
                                 .wave = on_wave,
                                 .end = on_end,
                                 .unassigned = on_unassigned,
                                 .snapshot = on_snapshot,
                                 .collected = on_collected,
                                 .credit = credit};
    s.above.in_order = true;
    s.above.credit = SIZE_MAX;
    *state = &s;
    if (ork_leaf_create(s.session, PEER_TOKEN, 0, &s.above.up, &s.leaf) != ORK_OK)
        return 1;
    s.above.down = ork_leaf_down(s.leaf);
    return 0;
}

int stage_tear_down(void **state)
{
    struct stage *s = *state;

    ork_leaf_destroy(s->leaf);
    ork_rank_numbering_release(&s->above.numbers);
    return 0;
}

size_t stage_step(struct stage *s)
{
    size_t moved;

    assert_int_equal(ork_leaf_step(s->leaf, &moved), ORK_OK);
    return moved;
}

unsigned stage_collect(struct stage *s)
{
    unsigned present = 0;

    memset(s->above.present, 0, sizeof(s->above.present));
    assert_int_equal(s->above.down.collect(s->above.down.context, s->above.rounds + 7), ORK_OK);
    assert_int_equal(s->above.round, s->above.rounds + 6); /* counted since */
    for (unsigned r = 0; r < 8; r++)
        present += s->above.present[r];
    return present;
}

void stage_join(struct stage *s, struct peer *peer, uint32_t rank)
{
    struct ork_hello hello = peer_hello(rank);

    peer_attach(peer, s->session, &hello);
    stage_step(s);
    assert_int_equal(peer_answer(peer->socket), 1);
}

void stage_hang_up(struct peer *peer)
{
    close(peer->socket);
    peer->socket = -1;
}
