/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/onesided/script.h"

#include <string.h>

static void keep(struct script *s, enum ork_status status)
{
    if (s->status == ORK_OK)
        s->status = status;
}

void script_put(struct script *s, uint32_t rank, struct ork_record record)
{
    if (s->status == ORK_OK)
        keep(s, ork_onesided_feed(s->onesided, rank, &record, 1));
}

void script_put_list(struct script *s, uint32_t rank, struct ork_record record, const void *list,
                     uint32_t words)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)words};
    struct ork_record raw;

    record.count = words;
    memcpy(cont.word, list, words * sizeof(uint32_t));
    memcpy(&raw, &cont, sizeof(raw));
    script_put(s, rank, record);
    script_put(s, rank, raw);
}

static struct script begin(uint16_t maker)
{
    bool is_dynamic = maker == ORK_COLL_WIN_CREATE_DYNAMIC;
    struct script s = {0};

    s.status = ork_onesided_create(RANKS, &s.onesided);
    if (s.status == ORK_OK)
        s.status = ork_onesided_follow_racing(s.onesided);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_put(&s, r, (struct ork_record){.kind = ORK_KIND_COLL, .mode = maker});
        script_put(&s, r,
                   (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                       .flags = ORK_F_SAME_GROUP,
                                       .comm = WINDOW,
                                       .extra = 100});
        script_put(&s, r,
                   (struct ork_record){.kind = ORK_KIND_WIN_MEMORY,
                                       .comm = WINDOW,
                                       .mode = maker,
                                       .arg = is_dynamic ? 0 : UNIT,
                                       .arg2 = ORK_WINDOW_REGIONS,
                                       .bytes = is_dynamic ? 0 : BYTES,
                                       .extra = is_dynamic ? 0 : 4096 * (r + 1)});
    }
    return s;
}

struct script script_begin(void)
{
    return begin(ORK_COLL_WIN_CREATE);
}

struct script script_begin_dynamic(void)
{
    return begin(ORK_COLL_WIN_CREATE_DYNAMIC);
}

void script_attach(struct script *s, uint32_t rank, uint64_t address, uint64_t bytes)
{
    script_put(s, rank,
               (struct ork_record){.kind = ORK_KIND_WIN_REGION,
                                   .mode = bytes > 0 ? ORK_REGION_ATTACHED : ORK_REGION_DETACHED,
                                   .comm = WINDOW,
                                   .request = ORK_REQUEST_NULL,
                                   .peer = ORK_NO_PEER,
                                   .extra = address,
                                   .bytes = bytes});
}

static void collective(struct script *s, uint32_t comm, uint16_t mode)
{
    for (uint32_t r = 0; r < RANKS; r++)
        script_put(s, r,
                   (struct ork_record){.kind = ORK_KIND_COLL,
                                       .mode = mode,
                                       .comm = comm,
                                       .request = ORK_REQUEST_NULL,
                                       .peer = ORK_NO_PEER});
}

void script_fence(struct script *s)
{
    collective(s, WINDOW, ORK_COLL_WIN_FENCE);
}

void script_free(struct script *s)
{
    collective(s, WINDOW, ORK_COLL_WIN_FREE);
}

void script_barrier(struct script *s)
{
    collective(s, ORK_COMM_WORLD, ORK_COLL_BARRIER);
}

void script_access(struct script *s, uint32_t rank, enum ork_access mode, int32_t target,
                   int64_t place, uint64_t words, uint32_t site)
{
    script_update(s, rank, mode, target, place, words, site, ORK_REDUCTION_MPI_SUM, 1);
}

void script_update(struct script *s, uint32_t rank, enum ork_access mode, int32_t target,
                   int64_t place, uint64_t words, uint32_t site, enum ork_reduction op,
                   uint32_t type)
{
    struct ork_access_list list = {
        .target_size = 4 * words, .origin = 16, .origin_size = 4 * words};

    script_put_list(s, rank,
                    (struct ork_record){.kind = ORK_KIND_ACCESS,
                                        .mode = (uint16_t)mode,
                                        .site = site,
                                        .comm = WINDOW,
                                        .request = ORK_REQUEST_NULL,
                                        .peer = target,
                                        .extra = (uint64_t)place,
                                        .arg = op,
                                        .arg2 = type},
                    &list, ORK_ACCESS_WORDS);
}

static void epoch(struct script *s, uint32_t rank, uint8_t kind, int32_t target, uint16_t mode)
{
    script_put(s, rank,
               (struct ork_record){.kind = kind,
                                   .mode = mode,
                                   .comm = WINDOW,
                                   .request = ORK_REQUEST_NULL,
                                   .peer = target});
}

void script_lock(struct script *s, uint32_t rank, int32_t target, bool exclusive)
{
    epoch(s, rank, ORK_KIND_WIN_LOCK, target, exclusive);
}

void script_unlock(struct script *s, uint32_t rank, int32_t target)
{
    epoch(s, rank, ORK_KIND_WIN_UNLOCK, target, 0);
}

void script_flush(struct script *s, uint32_t rank, int32_t target)
{
    epoch(s, rank, ORK_KIND_WIN_FLUSH, target, 0);
}

static bool take_conflict(void *context, const struct ork_conflict *c)
{
    struct found *f = context;

    f->conflicts++;
    f->conflict = *c;
    return true;
}

static bool take_racing(void *context, const struct ork_racing_call *c)
{
    struct found *f = context;

    if (f->racing < RACING_MAX)
        f->racing_call[f->racing] = *c;
    f->racing++;
    return true;
}

static bool take_outside(void *context, const struct ork_outside *o)
{
    struct found *f = context;

    f->outside++;
    f->outside_access = *o;
    return true;
}

struct found script_end(struct script *s)
{
    struct found f = {0};

    for (uint32_t r = 0; r < RANKS; r++) {
        script_put(s, r, (struct ork_record){.kind = ORK_KIND_FINALIZE});
        if (s->status == ORK_OK)
            keep(s, ork_onesided_end(s->onesided, r));
    }
    if (s->status == ORK_OK)
        keep(s, ork_onesided_conflicts(s->onesided, take_conflict, &f));
    if (s->status == ORK_OK)
        keep(s, ork_onesided_racing(s->onesided, take_racing, &f));
    if (s->status == ORK_OK)
        keep(s, ork_onesided_judge(s->onesided));
    if (s->status == ORK_OK) {
        ork_onesided_outside(s->onesided, take_outside, &f);
        f.lost = ork_onesided_lost(s->onesided);
    }
    ork_onesided_destroy(s->onesided);
    s->onesided = NULL;
    return f;
}
