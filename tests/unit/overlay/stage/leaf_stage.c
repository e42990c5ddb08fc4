/* SPDX-License-Identifier: BSD-3-Clause */
#include "leaf_stage.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum ork_status on_job(struct above *a, const struct ork_job_name *job)
{
    uint32_t first;
    enum ork_status status = ork_rank_numbering_give(&a->numbers, job, &first);

    return ork_down_send(
        &a->down, &(struct ork_order){.kind = ORK_ORDER_NUMBER,
                                      .number = {*job, status == ORK_OK ? first : UINT32_MAX}});
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

static void on_records(struct above *a, uint32_t rank, const struct ork_record *record, size_t n,
                       uint32_t again)
{
    assert_true(n <= a->credit);
    if (a->credit != SIZE_MAX)
        a->credit -= n;
    a->told += n * again;
    a->blocks += again > 0;
    a->rests += again > 0 && record->kind == ORK_KIND_CONT;
    for (size_t i = 0; i < n * (again + 1); i++)
        take(a, rank, &record[i % n]);
}

static void on_wave(struct above *a, const struct ork_wave *wave)
{
    a->waves++;
    a->wave_ranks = 0;
    a->wave_index = wave->index;
    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        const struct ork_group_record *call = &wave->group_record[i];
        for (uint32_t k = 0; k < call->num_spans; k++) {
            a->wave_ranks += call->span[k].count;
            for (uint32_t r = 0; r < call->span[k].count; r++)
                take(a, call->span[k].first + r, &call->call);
        }
    }
}

static void on_snapshot(struct above *a, uint32_t rank, const struct ork_snapshot *snapshot)
{
    assert_in_range(rank, 0, 7);
    a->snapshot[rank] = *snapshot;
    a->present[rank] = true;
}

static void on_end(struct above *a, const struct ork_ending *ending)
{
    a->ended++;
    a->how = ending->how;
    a->full_waits = ending->full_waits;
}

static enum ork_status deliver(void *context, const struct ork_event *e)
{
    struct above *a = context;

    switch (e->kind) {
    case ORK_EVENT_JOB:
        return on_job(a, e->job);
    case ORK_EVENT_ATTACH:
        a->attached++;
        a->latest_rank = e->rank;
        a->latest = e->attached;
        break;
    case ORK_EVENT_RECORDS:
        on_records(a, e->rank, e->records.record, e->records.count, e->records.again);
        break;
    case ORK_EVENT_WAVE:
        on_wave(a, e->wave);
        break;
    case ORK_EVENT_END:
        on_end(a, e->ending);
        break;
    case ORK_EVENT_UNASSIGNED:
        a->unassigned++;
        break;
    case ORK_EVENT_SNAPSHOT:
        on_snapshot(a, e->rank, e->snapshot);
        break;
    case ORK_EVENT_COLLECTED:
        a->rounds++;
        a->round = e->round;
        break;
    case ORK_EVENT_CUT:
        a->cut_rank = e->rank;
        a->records_at_cut = a->records;
        a->cuts++;
        break;
    case ORK_EVENT_UNSEEN:
        a->unseen++;
        break;
    case ORK_EVENT_GOODBYE:
    case ORK_EVENT_LOST:
    case ORK_EVENT_STACK:
    case ORK_EVENT_WAITS:
    case ORK_EVENT_LATEST:
        fail_msg("a leaf does not send this here: %d", (int)e->kind);
    }
    return ORK_OK;
}

static size_t credit(void *context)
{
    const struct above *a = context;

    return a->credit;
}

static uint64_t time_of_stage(void *context)
{
    struct stage *s = context;

    return s->now_ns += s->tick_ns;
}

int stage_set_up(void **state)
{
    static struct stage s;

    memset(&s, 0, sizeof(s));
    snprintf(s.session, sizeof(s.session), "%s", peer_session());
    s.above.up = (struct ork_up){.context = &s.above, .deliver = deliver, .credit = credit};
    s.above.in_order = true;
    s.above.credit = SIZE_MAX;
    s.now_ns = UINT64_C(1000000000);
    s.clock = (struct ork_clock){
        .context = &s, .monotonic_ns = time_of_stage, .processor_ns = time_of_stage};
    *state = &s;
    if (ork_leaf_create(s.session, PEER_TOKEN, 0, &s.above.up, &s.leaf) != ORK_OK)
        return 1;
    ork_leaf_set_clock(s.leaf, &s.clock);
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

void stage_pass(struct stage *s, uint64_t ms)
{
    s->now_ns += ms * 1000000u;
}

unsigned stage_collect(struct stage *s)
{
    unsigned present = 0;

    memset(s->above.present, 0, sizeof(s->above.present));
    const struct ork_order order = {.kind = ORK_ORDER_COLLECT, .round = s->above.rounds + 7};
    assert_int_equal(ork_down_send(&s->above.down, &order), ORK_OK);
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
