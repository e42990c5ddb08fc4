/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of one window, atomics, and other one-sided calls. */
#include "tests/fuzz/arbiter/calls.h"

static uint32_t first_of(const struct step *s)
{
    return s->peer == PEER_ALL ? 0 : (uint32_t)s->peer;
}

static uint32_t last_of(const struct process *p, const struct step *s)
{
    return s->peer == PEER_ALL ? p->library->p->ranks - 1 : (uint32_t)s->peer;
}

/* ---- the library ---- */

static bool is_free(const struct process *p, const struct step *s)
{
    for (uint32_t t = first_of(s); t <= last_of(p, s); t++) {
        const struct target *target = &p->library->target[t];
        if (target->exclusive > 0 || (s->exclusive && target->shared > 0))
            return false;
    }
    return true;
}

static void change(struct process *p, const struct step *s, int32_t by)
{
    for (uint32_t t = first_of(s); t <= last_of(p, s); t++) {
        struct target *target = &p->library->target[t];
        *(s->exclusive ? &target->exclusive : &target->shared) += by;
    }
}

/* ---- the interceptor: sections that are over ---- */

static uint32_t number_of(const struct process *p, const struct step *s)
{
    uint32_t number = 0;

    for (uint32_t t = first_of(s); t <= last_of(p, s); t++) {
        const struct target *target = &p->library->target[t];
        number += target->exclusive_over + (s->exclusive ? target->shared_over : 0);
    }
    return number;
}

static void count(struct process *p, const struct step *s)
{
    for (uint32_t t = first_of(s); t <= last_of(p, s); t++) {
        struct target *target = &p->library->target[t];
        *(s->exclusive ? &target->exclusive_over : &target->shared_over) += 1;
    }
}

/* ---- calls ---- */

static struct ork_record record_of(const struct step *s, enum ork_kind kind)
{
    return (struct ork_record){.kind = (uint8_t)kind,
                               .comm = COMM_WINDOW,
                               .peer = s->peer == PEER_ALL ? ORK_NO_PEER : s->peer,
                               .mode = kind == ORK_KIND_WIN_LOCK && s->exclusive};
}

/* Is the call wrong here? */
static bool has_some(const struct process *p, const struct step *s)
{
    for (uint32_t t = first_of(s); t <= last_of(p, s); t++) {
        if (p->held[t].is)
            return true;
    }
    return false;
}

bool process_do_lock(struct process *p, const struct step *s)
{
    if (p->phase == 0 && has_some(p, s))
        return process_next(p);
    if (p->phase == 0) {
        p->one_sided++;
        process_put(p, record_of(s, ORK_KIND_WIN_LOCK), NULL, 0);
        if (!p->is_free)
            process_ask(p, ORK_ASK_LOCK, (struct ork_record){0}, NULL, 0);
        p->phase = 1;
        return true;
    }
    if (!p->is_free && !p->answered)
        return false;
    if (!p->is_free && p->answer.decided != ORK_DECIDED_LOCK)
        p->problem = "a lock was not decided";
    if (!p->is_free && number_of(p, s) < (uint32_t)p->answer.source)
        return false;
    if (!is_free(p, s))
        return false;
    if (!p->is_free && number_of(p, s) != (uint32_t)p->answer.source)
        p->problem = "another number of sections was before a lock";
    change(p, s, 1);
    for (uint32_t t = first_of(s); t <= last_of(p, s); t++)
        p->held[t] = (struct held){.is = true, .by = *s};
    process_put(p, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = ORK_NO_PEER}, NULL, 0);
    process_add(p, number_of(p, s));
    return process_next_call(p);
}

bool process_do_unlock(struct process *p, const struct step *s)
{
    const struct held *held = &p->held[first_of(s)];

    if (!held->is || held->by.peer != s->peer)
        return process_next(p);
    const struct step by = held->by;
    switch (p->phase++) {
    case 0:
        p->one_sided++;
        process_tell(p);
        process_put(p, record_of(s, ORK_KIND_WIN_UNLOCK), NULL, 0);
        return true;
    case 1:
        count(p, &by);
        return true;
    default:
        change(p, &by, -1);
        for (uint32_t t = first_of(s); t <= last_of(p, s); t++)
            p->held[t].is = false;
        return process_next_call(p);
    }
}

/* RATIONALE: it asks before its own records. */
bool process_do_atomic(struct process *p, const struct step *s)
{
    struct made *place = &p->library->target[s->peer].place[s->tag];
    const uint32_t number = place->updates + (s->exclusive ? place->reads : 0);

    if (p->phase == 0) {
        const struct ork_record ask = {
            .comm = COMM_WINDOW, .peer = s->peer, .tag = s->exclusive, .arg = (uint32_t)s->tag};
        p->one_sided++;
        if (!p->is_free)
            process_ask(p, ORK_ASK_ATOMIC, ask, NULL, 0);
        p->phase = 1;
        return true;
    }
    if (!p->is_free && !p->answered)
        return false;
    if (!p->is_free && p->answer.decided != ORK_DECIDED_LOCK)
        p->problem = "an atomic was not decided";
    if (!p->is_free && number < (uint32_t)p->answer.source)
        return false;
    if (p->phase == 1) {
        process_put(p, record_of(s, ORK_KIND_ACCESS), NULL, 0);
        p->phase = 2;
        return true;
    }
    if (!p->is_free && number != (uint32_t)p->answer.source)
        p->problem = "another number of atomics was before one";
    *(s->exclusive ? &place->updates : &place->reads) += 1;
    process_put(p, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = ORK_NO_PEER}, NULL, 0);
    process_add(p, number);
    return process_next_call(p);
}

/* The tool is told of some calls only. */
bool process_do_put(struct process *p)
{
    p->one_sided++;
    if (wfg_random_percent(p->random, 50))
        process_tell(p);
    return process_next_call(p);
}

void process_define_window(struct process *p)
{
    process_put(p,
                (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                    .comm = COMM_WINDOW,
                                    .flags = ORK_F_SAME_GROUP,
                                    .mode = ORK_COLL_WIN_CREATE,
                                    .extra = 815},
                NULL, 0);
}

bool process_is_locked_out(const struct process *p)
{
    if (p->ended || !p->initialised || p->pc >= p->library->p->steps[p->rank])
        return false;
    const struct step *s = process_step_of(p);
    return p->phase > 0 && (s->verb == VERB_ATOMIC || (s->verb == VERB_LOCK && is_free(p, s)));
}
