/* SPDX-License-Identifier: BSD-3-Clause */
#include "needs.h"

#include "tests/unit/detector/unit.h"

#include <string.h>

static void put_list(struct ork_races *races, uint32_t rank, struct ork_record record,
                     const struct list *list)
{
    struct ork_record raw[2] = {record};
    struct ork_cont words = {.kind = ORK_KIND_CONT, .words = (uint8_t)list->words};

    memcpy(words.word, list->word, list->words * sizeof(list->word[0]));
    raw[0].count = list->words;
    memcpy(&raw[1], &words, sizeof(words));
    assert_int_equal(ork_races_feed(races, rank, raw, list->words > 0 ? 2 : 1), ORK_OK);
}

void needs_put(struct ork_races *races, uint32_t rank, struct ork_record record)
{
    put_list(races, rank, record, &(struct list){0});
}

static bool take(void *context, const struct ork_race *race)
{
    *(uint64_t *)context += race->raced;
    return true;
}

/* ---- communicators ---- */

bool needs_is_first(uint32_t rank)
{
    return rank < 2;
}

static void define_inter(struct ork_races *races, uint32_t rank)
{
    uint32_t own = needs_is_first(rank) ? 0 : 2;

    put_list(races, rank,
             (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                 .flags = ORK_F_INTER,
                                 .mode = ORK_COLL_INTERCOMM_CREATE,
                                 .comm = INTER,
                                 .arg2 = 1,
                                 .extra = 70},
             &(struct list){6, {own, 1, 2, 2 - own, 1, 2}});
}

/* Of the two ranks of its group. */
static void define_local(struct ork_races *races, uint32_t rank)
{
    put_list(races, rank,
             (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                 .mode = ORK_COLL_COMM_SPLIT,
                                 .comm = LOCAL,
                                 .arg2 = 1,
                                 .extra = needs_is_first(rank) ? 71 : 72},
             &(struct list){3, {needs_is_first(rank) ? 0 : 2, 1, 2}});
}

static void put_neighbors(struct ork_races *races, uint32_t rank, const struct call *call)
{
    struct list list = {.words = call->sources + call->destinations};

    if (list.words == 0)
        return;
    for (uint32_t i = 0; i < list.words; i++)
        list.word[i] = (rank + 1 + i % call->sources) % RANKS;
    put_list(races, rank, (struct ork_record){.kind = ORK_KIND_NEIGHBORS, .arg = call->sources},
             &list);
}

void needs_put_call(struct ork_races *races, uint32_t rank, const struct call *call)
{
    struct ork_record record = call->record;
    struct list list = {0};

    record.kind = ORK_KIND_COLL;
    record.comm = call->on_inter ? INTER : record.comm;
    if (call->fill != NULL)
        call->fill(rank, &record, &list);
    put_list(races, rank, record, &list);
}

/* ---- does `other` have to call before `rank` can return? ---- */

static uint32_t third_of(uint32_t rank, uint32_t other)
{
    for (uint32_t r = 0;; r++) {
        if (r != rank && r != other)
            return r;
    }
}

void needs_put_taken(struct ork_races *races, uint32_t rank, uint32_t from)
{
    needs_put(races, from, (struct ork_record){.kind = ORK_KIND_SEND, .peer = (int32_t)rank});
    needs_put(races, rank,
              (struct ork_record){.kind = ORK_KIND_RECV, .site = 1, .peer = ORK_ANY_SOURCE});
    needs_put(races, rank, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = (int32_t)from});
}

uint64_t needs_end(struct ork_races *races)
{
    uint64_t raced = 0;

    for (uint32_t r = 0; r < RANKS; r++) {
        needs_put(races, r, (struct ork_record){.kind = ORK_KIND_FINALIZE});
        ork_races_end(races, r);
        assert_null(ork_races_lost(races, r));
    }
    ork_races_list(races, take, &raced);
    ork_races_destroy(races);
    return raced;
}

static bool is_needed(const struct call *call, uint32_t rank, uint32_t other)
{
    struct ork_races *races;

    assert_int_equal(ork_races_create(RANKS, &races), ORK_OK);
    for (uint32_t r = 0; r < RANKS; r++) {
        define_inter(races, r);
        define_local(races, r);
        put_neighbors(races, r, call);
    }
    needs_put_taken(races, other, third_of(rank, other));
    for (uint32_t r = 0; r < RANKS; r++)
        needs_put_call(races, (rank + r) % RANKS, call);
    for (uint32_t r = 1; r < RANKS; r++) /* they return from it first */
        needs_put(races, (rank + r) % RANKS, (struct ork_record){.kind = ORK_KIND_OPAQUE});
    needs_put_taken(races, other, rank);
    return needs_end(races) == 0;
}

void needs_check(const struct call *call, size_t calls)
{
    for (size_t i = 0; i < calls; i++) {
        for (uint32_t pair = 0; pair < RANKS * RANKS; pair++) {
            uint32_t rank = pair / RANKS, other = pair % RANKS;
            bool expected = call[i].needs(rank, other);
            if (rank != other && is_needed(&call[i], rank, other) != expected)
                fail_msg("%s: rank %u %s rank %u", call[i].name, rank,
                         expected ? "needs" : "does not need", other);
        }
    }
}

bool needs_nobody(uint32_t rank, uint32_t other)
{
    (void)rank;
    (void)other;
    return false;
}

bool needs_everybody(uint32_t rank, uint32_t other)
{
    (void)rank;
    (void)other;
    return true;
}
