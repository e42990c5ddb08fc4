/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/detector/looping.h"

#include "tests/fuzz/detector/looping_internal.h"
#include "tests/fuzz/detector/run.h"

#include <string.h>

enum { KINDS_MAX = 4 };

static void append(struct looping *p, const struct part *part)
{
    for (uint32_t r = 0; r < p->ranks; r++) {
        if (p->count[r] + part->count[r] > LOOPING_RECORDS)
            return;
    }
    for (uint32_t r = 0; r < p->ranks; r++) {
        memcpy(p->record[r] + p->count[r], part->record[r],
               part->count[r] * sizeof(struct ork_record));
        p->count[r] += part->count[r];
    }
}

/* ---- what a random program writes ---- */

static void make_run(struct maker *m)
{
    static struct run run;
    struct program program;

    do
        program_random(wfg_random_next(m->random), &program);
    while (program.ranks > m->p->ranks);
    if (!run_random(&program, m->random, &run))
        return;
    for (uint32_t r = 0; r < program.ranks; r++) {
        const struct stream *s = &run.stream[r];
        for (unsigned i = 0; i < s->count; i++) {
            struct ork_record rec = s->record[i];
            if (rec.kind == ORK_KIND_FINALIZE)
                break;
            if (rec.kind != ORK_KIND_CONT)
                rec.site += m->p->next_site;
            if (m->part->count[r] < PART_RECORDS)
                m->part->record[r][m->part->count[r]++] = rec;
        }
    }
    m->p->next_site += MAX_STEPS + 1;
}

/* ---- programs ---- */

static void make_part(struct maker *m, uint32_t messages)
{
    memset(m->part->count, 0, sizeof(m->part->count));
    memset(m->num_open, 0, sizeof(m->num_open));
    memset(m->num_taken, 0, sizeof(m->num_taken));
    if (wfg_random_percent(m->random, m->is_safe ? 4 : 25))
        make_run(m);
    else
        looping_make_messages(m, messages);
}

/* A part of the program has another thread in one rank. */
static void change_thread(struct maker *m)
{
    uint32_t r = wfg_random_below(m->random, m->p->ranks);

    for (uint32_t i = 0; i < m->part->count[r]; i++) {
        if (m->part->record[r][i].kind != ORK_KIND_CONT)
            m->part->record[r][i].thread = 1;
    }
}

/* RATIONALE: a period is found after three iterations, and its state is compared some iterations
 * later. Long loops are needed for what happens after a rest, but take most of the time. */
static uint32_t random_times(struct maker *m)
{
    static const uint32_t most[] = {8, 30, 60, 60, 100, 200};
    bool is_long = wfg_random_percent(m->random, 4);

    return 1 + wfg_random_below(m->random, is_long ? 1000 : most[wfg_random_below(m->random, 6)]);
}

/* Iterations of a few kinds, in any order: of other choices, for example. */
static void append_choices(struct maker *m)
{
    static struct part body[KINDS_MAX];
    const uint32_t kinds = 2 + wfg_random_below(m->random, KINDS_MAX - 1);
    const uint32_t times = 2 * random_times(m);
    const bool has_wildcards = m->has_wildcards;
    struct part *const before = m->part;

    m->has_wildcards &= wfg_random_percent(m->random, 30);

    for (uint32_t i = 0; i < kinds; i++) {
        m->part = &body[i];
        make_part(m, 1 + wfg_random_below(m->random, 4));
    }
    for (uint32_t i = 0; i < times; i++)
        append(m->p, &body[wfg_random_below(m->random, kinds)]);
    m->part = before;
    m->has_wildcards = has_wildcards;
}

static void append_loop(struct maker *m, struct part *inner)
{
    uint32_t times = random_times(m);
    uint32_t inner_times = 0;
    uint32_t odd = wfg_random_percent(m->random, 20) ? wfg_random_below(m->random, times) : times;
    static struct part body;

    if (wfg_random_percent(m->random, 30)) {
        m->part = inner;
        make_part(m, 1 + wfg_random_below(m->random, 4));
        inner_times = 1 + wfg_random_below(m->random, 10);
    }
    m->part = &body;
    make_part(m, 1 + wfg_random_below(m->random,
                                      wfg_random_percent(m->random, 80) ? 8 : PART_MESSAGES - 1));
    if (wfg_random_percent(m->random, 3))
        change_thread(m);
    for (uint32_t i = 0; i < times; i++) {
        append(m->p, &body);
        for (uint32_t k = 0; k < inner_times; k++)
            append(m->p, inner);
        if (i != odd)
            continue;
        m->part = inner;
        inner_times = 0;
        make_part(m, 2);
        append(m->p, inner);
    }
}

static void finish(struct maker *m)
{
    for (uint32_t r = 0; r < m->p->ranks; r++) {
        struct ork_record rec = {.kind = ORK_KIND_FINALIZE, .site = 1};
        m->p->is_over[r] = wfg_random_percent(m->random, 80);
        m->p->end[r] = wfg_random_percent(m->random, 90) ? ORK_END_FINISHED : ORK_END_EXITED;
        if (m->p->is_over[r] && m->p->end[r] == ORK_END_FINISHED &&
            m->p->count[r] < LOOPING_RECORDS)
            m->p->record[r][m->p->count[r]++] = rec;
        if (wfg_random_percent(m->random, 10)) { /* cut off */
            m->p->count[r] = wfg_random_below(m->random, m->p->count[r] + 1);
            m->p->is_over[r] = false;
        }
    }
}

void looping_random(struct wfg_random *random, struct looping *p)
{
    static struct part part, inner;
    struct maker m = {.random = random,
                      .p = p,
                      .part = &part,
                      .is_safe = wfg_random_percent(random, 70),
                      .has_strays = wfg_random_percent(random, 10),
                      .has_wildcards = wfg_random_percent(random, 50),
                      .shares = wfg_random_percent(random, 30)};
    uint32_t loops = 1 + wfg_random_below(random, 3);

    memset(p->count, 0, sizeof(p->count));
    memset(part.count, 0, sizeof(part.count));
    p->ranks = 2 + wfg_random_below(random, LOOPING_RANKS - 1);
    p->next_site = 1;
    for (uint32_t r = 0; r < p->ranks; r++)
        looping_put(
            &part, r,
            &(struct ork_record){.kind = ORK_KIND_INIT, .peer = (int32_t)r, .arg2 = p->ranks},
            NULL);
    if (wfg_random_percent(random, 30))
        looping_put_persistent(&m);
    looping_put_comm(&m);
    append(p, &part);
    for (uint32_t i = 0; i < loops; i++) {
        m.part = &part;
        make_part(&m, wfg_random_below(random, 3));
        append(p, &part);
        if (wfg_random_percent(random, 20))
            append_choices(&m);
        else
            append_loop(&m, &inner);
    }
    finish(&m);
}
