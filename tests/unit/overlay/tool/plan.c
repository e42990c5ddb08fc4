/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/tool/plan.h"

#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/record/random.h"

#include <string.h>

struct plan plan;

static void part_of(uint32_t rank, unsigned op, bool waits)
{
    size_t at = plan.script[rank].n - 1;

    plan.joins[rank][at] = (uint8_t)op;
    plan.waits[rank][at] = (uint8_t)(waits ? op : NOTHING);
}

static unsigned new_op(unsigned need)
{
    assert_in_range(plan.ops, 0, OPS + 5);
    plan.need[++plan.ops] = need;
    return plan.ops;
}

static void message(uint32_t from, uint32_t to, bool posted, enum ork_send_mode mode)
{
    unsigned op = new_op(2);
    struct script *s = &plan.script[to];
    const uint32_t request = op;

    if (posted)
        script_irecv(s, ORK_COMM_WORLD, (int32_t)from, request);
    else
        script_recv(s, (int32_t)from, 0);
    part_of(to, op, !posted);
    script_send(&plan.script[from], (int32_t)to, 0);
    plan.script[from].record[plan.script[from].n - 1].mode = (uint16_t)mode;
    part_of(from, op, true);
    if (!posted)
        return;
    script_wait_all(s, &request, 1);
    s->n--; /* the call waits behind its list */
    part_of(to, NOTHING, false);
    s->n++;
    part_of(to, NOTHING, false);
    plan.waits[to][s->n - 1] = (uint8_t)op;
}

/* All ranks for which rank % of == which. */
static void collective(uint32_t comm, uint32_t of, uint32_t which, uint64_t bytes)
{
    unsigned op = new_op(0);

    for (uint32_t r = which; r < RANKS; r += of) {
        script_coll(&plan.script[r], comm, ORK_COLL_BARRIER);
        struct ork_record *call = &plan.script[r].record[plan.script[r].n - 1];
        call->mode = bytes > 0 ? ORK_COLL_ALLREDUCE : ORK_COLL_BARRIER;
        call->bytes = bytes;
        call->site = plan.ops % 5; /* one line of a program, or several */
        part_of(r, op, true);
        plan.need[op]++;
    }
}

/* Rows of every third rank, which all call them `comm`. */
static void split(uint32_t comm)
{
    unsigned op = new_op(RANKS);

    for (uint32_t r = 0; r < RANKS; r++) {
        const uint32_t run[] = {r % 3, 3, RANKS / 3};
        script_coll(&plan.script[r], ORK_COMM_WORLD, ORK_COLL_COMM_SPLIT);
        part_of(r, op, true);
        script_list(&plan.script[r],
                    (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                        .mode = ORK_COLL_COMM_SPLIT,
                                        .comm = comm,
                                        .tag2 = (int32_t)(r % 3),
                                        .arg2 = 1},
                    run, 3);
    }
}

void plan_write_correct(uint64_t *seed)
{
    unsigned ops = 8 + (unsigned)(random_next(seed) % (OPS - 16));

    memset(&plan, 0, sizeof(plan));
    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&plan.script[r], r, RANKS);
    split(2);
    while (plan.ops < ops) {
        uint32_t from = (uint32_t)(random_next(seed) % RANKS);
        uint32_t to = (from + 1 + (uint32_t)(random_next(seed) % (RANKS - 1))) % RANKS;
        switch (random_next(seed) % 6) {
        case 0:
            message(from, to, false, ORK_SEND_STANDARD);
            break;
        case 1:
            message(from, to, true, ORK_SEND_SYNCHRONOUS);
            break;
        case 2:
        case 3:
            collective(2, 3, from % 3, from % 2 * 8);
            break;
        default:
            collective(ORK_COMM_WORLD, 1, 0, from % 2 * 8);
        }
    }
}

void plan_finalize(void)
{
    unsigned op = new_op(RANKS);

    for (uint32_t r = 0; r < RANKS; r++) {
        script_finalize(&plan.script[r]);
        part_of(r, op, true);
    }
}

void plan_add_cycle(uint32_t first, uint32_t count, bool sends)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = (first + i) % RANKS;
        uint32_t next = (first + (i + 1) % count) % RANKS;
        if (sends)
            script_send(&plan.script[rank], (int32_t)next, 9);
        else
            script_recv(&plan.script[rank], (int32_t)next, 9);
        plan.script[rank].record[plan.script[rank].n - 1].mode =
            sends ? ORK_SEND_SYNCHRONOUS : ORK_SEND_STANDARD;
        part_of(rank, new_op(NEVER), true);
    }
}

void plan_add_deadlock(uint64_t *seed)
{
    uint32_t first = (uint32_t)(random_next(seed) % RANKS);
    bool sends = random_next(seed) % 2 == 0;

    plan.deadlocks = true;
    switch (random_next(seed) % 3) {
    case 0:
        plan_add_cycle(first, 2 + (uint32_t)(random_next(seed) % 2), sends);
        break;
    case 1:
        plan_add_cycle(first, 2, sends);
        plan_add_cycle(first + 3, 2, !sends);
        break;
    default: /* one receives where the others are in a barrier */
        script_recv(&plan.script[first], (int32_t)((first + 4) % RANKS), 9);
        part_of(first, new_op(NEVER), true);
        unsigned op = new_op(NEVER);
        for (uint32_t r = 0; r < RANKS; r++) {
            if (r == first)
                continue;
            script_coll(&plan.script[r], ORK_COMM_WORLD, ORK_COLL_BARRIER);
            part_of(r, op, true);
        }
    }
}
