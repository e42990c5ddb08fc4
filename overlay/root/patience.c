/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/patience.h"

#include "common/hash.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

struct vigil {
    enum ork_part part;
    uint64_t head, words; /* at the latest look, and: */
    uint64_t inside_ns, polls;
    uint64_t begin_ns; /* inside_ns at its latest movement */
    /* when the turn began: */
    uint64_t turn_ns, turn_head, turn_polls;
    bool had_turn;
    uint64_t asleep_since_ns; /* 0: not asleep */
    uint32_t asleep_looks;
};

struct ork_patience {
    uint32_t nprocs;
    uint32_t turns;
    struct vigil *vigil;
};

enum ork_status ork_patience_create(uint32_t nprocs, struct ork_patience **out)
{
    struct ork_patience *p = calloc(1, sizeof(*p));
    enum ork_status status = p == NULL ? ORK_NOMEM : ork_patience_grow(p, nprocs);

    if (status == ORK_OK)
        *out = p;
    else
        ork_patience_destroy(p);
    return status;
}

enum ork_status ork_patience_grow(struct ork_patience *p, uint32_t nprocs)
{
    if (!ork_vec_extend(&p->vigil, p->nprocs, nprocs, sizeof(*p->vigil)))
        return ORK_NOMEM;
    p->nprocs = nprocs;
    return ORK_OK;
}

void ork_patience_destroy(struct ork_patience *p)
{
    if (p == NULL)
        return;
    free(p->vigil);
    free(p);
}

void ork_patience_restart(struct ork_patience *p)
{
    p->turns = 0;
    memset(p->vigil, 0, p->nprocs * sizeof(*p->vigil));
}

static uint64_t words_of(const struct ork_snapshot *s)
{
    uint64_t sum = s->threads;

    for (uint32_t t = 0; t < s->threads; t++)
        sum = ork_hash_add(sum, s->word[t]);
    return sum;
}

/* ---- one rank ---- */

static bool has_moved(const struct vigil *v, const struct ork_snapshot *now)
{
    return v->head != now->head || v->words != words_of(now);
}

static void begin_turn(struct vigil *v)
{
    v->turn_ns = v->inside_ns;
    v->turn_head = v->head;
    v->turn_polls = v->polls;
    v->had_turn = false;
}

static void begin_vigil(struct vigil *v, enum ork_part part, const struct ork_snapshot *now)
{
    *v = (struct vigil){.part = part,
                        .head = now->head,
                        .words = words_of(now),
                        .inside_ns = now->inside_ns,
                        .polls = now->polls,
                        .begin_ns = now->inside_ns};
    begin_turn(v);
}

/* Asleep, or running: not stopped, and not waiting for a processor. */
static void look_at_sleep(struct vigil *v, const struct ork_snapshot *now, uint64_t now_ns)
{
    bool attends = ork_snapshot_has_thread(now, ORK_STATE_BLOCKED) &&
                   (now->sleeps || now->inside_ns > v->inside_ns);

    if (!attends) {
        v->asleep_since_ns = v->asleep_looks = 0;
        return;
    }
    if (v->asleep_since_ns == 0)
        v->asleep_since_ns = now_ns;
    v->asleep_looks++;
}

static bool is_at_rest(const struct vigil *v, uint64_t now_ns)
{
    return v->asleep_since_ns != 0 &&
           ork_elapsed_ns(now_ns, v->asleep_since_ns) >= ORK_PATIENCE_SLEEP_NS &&
           v->asleep_looks >= ORK_PATIENCE_SLEEP_LOOKS;
}

/* A helper that made progress has looked for messages in its calls. */
static bool made_calls(const struct vigil *v)
{
    return v->part == ORK_PART_HELPER && (v->head - v->turn_head >= ORK_PATIENCE_CALLS ||
                                          v->polls - v->turn_polls >= ORK_PATIENCE_CALLS);
}

/* A helper made progress, or its activity was unknown: drop the measurements. */
static void go_on(struct vigil *v, const struct ork_snapshot *now)
{
    v->asleep_since_ns = v->asleep_looks = 0;
    v->turn_ns = v->begin_ns = now->inside_ns;
    v->head = now->head;
    v->words = words_of(now);
}

static void look_at(struct vigil *v, const struct ork_snapshot *now, uint64_t now_ns)
{
    bool is_known = v->inside_ns != 0 && now->inside_ns >= v->inside_ns;

    if (has_moved(v, now) || !is_known)
        go_on(v, now);
    else
        look_at_sleep(v, now, now_ns);
    v->inside_ns = now->inside_ns;
    v->polls = now->polls;
    bool worked = ork_snapshot_has_thread(now, ORK_STATE_BLOCKED) &&
                  v->inside_ns - v->turn_ns >= ORK_PATIENCE_TURN_NS;
    v->had_turn |= worked || made_calls(v) || is_at_rest(v, now_ns);
}

static bool has_worked(const struct vigil *v, uint64_t wanted_ns, uint64_t now_ns)
{
    return v->part == ORK_PART_HELPER || is_at_rest(v, now_ns) ||
           v->inside_ns - v->begin_ns >= wanted_ns;
}

/* ---- all of them ---- */

/* Has the deadlock changed since the latest look, or did some rank of it move? */
static bool has_changed(const struct ork_patience *p, const struct ork_snapshots *snapshots,
                        const enum ork_part *part)
{
    for (uint32_t r = 0; r < p->nprocs; r++) {
        const struct vigil *v = &p->vigil[r];
        bool was_stuck = v->part == ORK_PART_STUCK, is_stuck = part[r] == ORK_PART_STUCK;
        if (was_stuck != is_stuck || (is_stuck && has_moved(v, ork_snapshots_of(snapshots, 0, r))))
            return true;
    }
    return false;
}

static void begin(struct ork_patience *p, const struct ork_snapshots *snapshots,
                  const enum ork_part *part)
{
    p->turns = 0;
    for (uint32_t r = 0; r < p->nprocs; r++) {
        if (part[r] == ORK_PART_NONE)
            p->vigil[r].part = ORK_PART_NONE;
        else
            begin_vigil(&p->vigil[r], part[r], ork_snapshots_of(snapshots, 0, r));
    }
}

static void look_at_all(struct ork_patience *p, const struct ork_snapshots *snapshots,
                        const enum ork_part *part, uint64_t now_ns)
{
    for (uint32_t r = 0; r < p->nprocs; r++) {
        struct vigil *v = &p->vigil[r];
        const struct ork_snapshot *now = ork_snapshots_of(snapshots, 0, r);
        if (part[r] == v->part && part[r] != ORK_PART_NONE)
            look_at(v, now, now_ns);
        else if (part[r] == ORK_PART_NONE)
            v->part = ORK_PART_NONE;
        else
            begin_vigil(v, part[r], now);
    }
}

/* Begin the next turn if all have had theirs. */
static void count_turn(struct ork_patience *p)
{
    for (uint32_t r = 0; r < p->nprocs; r++) {
        if (p->vigil[r].part != ORK_PART_NONE && !p->vigil[r].had_turn)
            return;
    }
    p->turns++;
    for (uint32_t r = 0; r < p->nprocs; r++)
        begin_turn(&p->vigil[r]);
}

static uint32_t wanted_turns(const struct ork_patience *p)
{
    uint32_t turns = ORK_PATIENCE_TURNS;

    for (uint32_t n = p->nprocs; n > 2; n /= 2)
        turns++;
    return turns;
}

bool ork_patience_observe(struct ork_patience *p, const struct ork_snapshots *snapshots,
                          const enum ork_part *part, uint64_t volume_ns, uint64_t now_ns)
{
    if (has_changed(p, snapshots, part)) {
        begin(p, snapshots, part);
        return false;
    }
    look_at_all(p, snapshots, part, now_ns);
    count_turn(p);
    bool enough = p->turns >= wanted_turns(p);
    for (uint32_t r = 0; r < p->nprocs && enough; r++)
        enough = p->vigil[r].part == ORK_PART_NONE ||
                 has_worked(&p->vigil[r], ORK_PATIENCE_CPU_NS + volume_ns, now_ns);
    return enough;
}
