/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/patience.h"

#include "common/assert.h"
#include "common/hash.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

/* What a rank did since the look before counts for at most that long. */
#define LOOK_MAX_NS (ORK_PATIENCE_SLEEP_NS / ORK_PATIENCE_SLEEP_LOOKS)

struct vigil {
    enum ork_part part;
    uint64_t head, words; /* at the latest look, and: */
    struct ork_pace pace;
    uint64_t polls;
    struct ork_pace begin; /* `pace` at its latest movement */
    /* when the turn began: */
    struct ork_pace turn;
    uint64_t turn_head, turn_polls;
    bool had_turn;
    uint64_t attended_ns; /* since its latest movement, and since it was last stopped */
};

struct ork_patience {
    uint32_t nprocs;
    uint32_t turns;
    uint64_t looked_ns;
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
    ORK_ASSERT(nprocs > p->nprocs);
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
    v->turn = v->pace;
    v->turn_head = v->head;
    v->turn_polls = v->polls;
    v->had_turn = false;
}

static void begin_vigil(struct vigil *v, enum ork_part part, const struct ork_snapshot *now)
{
    ORK_ASSERT(part != ORK_PART_NONE && now != NULL);
    *v = (struct vigil){.part = part,
                        .head = now->head,
                        .words = words_of(now),
                        .pace = ork_pace_of(now),
                        .polls = now->polls,
                        .begin = ork_pace_of(now)};
    begin_turn(v);
}

/* RATIONALE: a rank that is stopped at a look may have been so for the whole time since the look
 * before. One that waits for a processor has not, or its time there is known. */
static void attend(struct vigil *v, const struct ork_snapshot *now, uint64_t ns)
{
    if (now->is_halted || !ork_snapshot_has_thread(now, ORK_STATE_BLOCKED))
        v->attended_ns = 0;
    else
        v->attended_ns += ork_pace_attended(&v->pace, now, ns);
}

static bool is_at_rest(const struct vigil *v)
{
    return v->attended_ns >= ORK_PATIENCE_SLEEP_NS;
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
    v->attended_ns = 0;
    v->turn = v->begin = ork_pace_of(now);
    v->head = now->head;
    v->words = words_of(now);
}

static bool worked_in_turn(const struct vigil *v)
{
    return v->pace.inside_ns - v->turn.inside_ns >= ORK_PATIENCE_TURN_NS ||
           ork_pace_looks(&v->turn, &v->pace) >= ORK_PACE_LOOKS;
}

static void look_at(struct vigil *v, const struct ork_snapshot *now, uint64_t ns)
{
    ORK_ASSERT(v->part != ORK_PART_NONE && now != NULL);
    bool is_known = v->pace.inside_ns != 0 && now->inside_ns >= v->pace.inside_ns;
    bool is_blocked = ork_snapshot_has_thread(now, ORK_STATE_BLOCKED);

    if (has_moved(v, now) || !is_known)
        go_on(v, now);
    else
        attend(v, now, ns);
    v->pace = ork_pace_of(now);
    v->polls = now->polls;
    v->had_turn |= (is_blocked && worked_in_turn(v)) || made_calls(v) || is_at_rest(v);
}

static bool has_worked(const struct vigil *v, uint64_t wanted_ns)
{
    return v->part == ORK_PART_HELPER || is_at_rest(v) ||
           v->pace.inside_ns - v->begin.inside_ns >= wanted_ns ||
           ork_pace_looks(&v->begin, &v->pace) >= ORK_PATIENCE_LOOKS;
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
                        const enum ork_part *part, uint64_t ns)
{
    for (uint32_t r = 0; r < p->nprocs; r++) {
        struct vigil *v = &p->vigil[r];
        const struct ork_snapshot *now = ork_snapshots_of(snapshots, 0, r);
        if (part[r] == v->part && part[r] != ORK_PART_NONE)
            look_at(v, now, ns);
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

/* RATIONALE: what it did before counts, but a debugger may change what it does next. */
static bool is_any_halted(const struct ork_snapshots *snapshots, const enum ork_part *part,
                          uint32_t nprocs)
{
    for (uint32_t r = 0; r < nprocs; r++) {
        if (part[r] != ORK_PART_NONE && ork_snapshots_of(snapshots, 0, r)->is_halted)
            return true;
    }
    return false;
}

bool ork_patience_observe(struct ork_patience *p, const struct ork_snapshots *snapshots,
                          const enum ork_part *part, uint64_t volume_ns, uint64_t now_ns)
{
    uint64_t ns = ork_elapsed_ns(now_ns, p->looked_ns);

    p->looked_ns = now_ns;
    if (has_changed(p, snapshots, part)) {
        begin(p, snapshots, part);
        return false;
    }
    look_at_all(p, snapshots, part, ns < LOOK_MAX_NS ? ns : LOOK_MAX_NS);
    count_turn(p);
    bool enough = p->turns >= wanted_turns(p) && !is_any_halted(snapshots, part, p->nprocs);
    for (uint32_t r = 0; r < p->nprocs && enough; r++)
        enough = p->vigil[r].part == ORK_PART_NONE ||
                 has_worked(&p->vigil[r], ORK_PATIENCE_CPU_NS + volume_ns);
    return enough;
}
