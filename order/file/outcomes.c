/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/file/outcomes.h"

#include "common/vec.h"

#include <stdlib.h>

uint8_t ork_outcome_kind(const struct ork_choice *choice)
{
    if (choice->post == 0 || choice->kind == ORK_CHOICE_FREE)
        return ORK_CHOICE_MAX;
    return choice->kind == ORK_CHOICE_AHEAD ? ORK_CHOICE_RECEIVE : choice->kind;
}

static struct ork_outcome outcome_of(const struct ork_choice *choice)
{
    return (struct ork_outcome){.post = choice->post, .source = choice->source, .tag = choice->tag};
}

/* ---- before the first one is asked for ---- */

enum ork_status ork_outcomes_show(struct ork_outcomes *o, const struct ork_choice *choice)
{
    bool is_late = choice->post + ORK_OUTCOMES_AHEAD < o->most;

    if (choice->post > o->most)
        o->most = choice->post;
    if (!is_late)
        return ORK_OK;
    if (!ork_vec_reserve(&o->late, &o->late_room, o->num_late + 1, sizeof(*o->late)))
        return ORK_NOMEM;
    o->late[o->num_late++] = outcome_of(choice);
    return ORK_OK;
}

static int compare(const void *a, const void *b)
{
    const struct ork_outcome *x = a, *y = b;

    return (x->post > y->post) - (x->post < y->post);
}

enum ork_status ork_outcomes_begin(struct ork_outcomes *o)
{
    if (o->most == 0)
        return ORK_OK;
    if (o->num_late > 0)
        qsort(o->late, o->num_late, sizeof(*o->late), compare);
    o->most = 0;
    o->kept = calloc(ORK_OUTCOMES_KEPT, sizeof(*o->kept));
    o->rounds = malloc(sizeof(*o->rounds));
    return o->kept != NULL && o->rounds != NULL ? ORK_OK : ORK_NOMEM;
}

void ork_outcomes_release(struct ork_outcomes *o)
{
    ork_order_reader_release(&o->reader);
    free(o->late);
    free(o->kept);
    free(o->rounds);
}

/* ---- reading ahead ---- */

static bool belongs(const struct ork_outcomes_of *of, const struct ork_choice *choice)
{
    return choice->post_thread == of->thread && ork_outcome_kind(choice) == of->kind;
}

static void keep(struct ork_outcomes *o, const struct ork_outcomes_of *of,
                 const struct ork_choice *choice)
{
    if (!belongs(of, choice))
        return;
    if (choice->post > o->most)
        o->most = choice->post;
    if (choice->post + ORK_OUTCOMES_AHEAD >= o->most) /* else it is late */
        o->kept[choice->post % ORK_OUTCOMES_KEPT] = outcome_of(choice);
}

static bool any_belongs(const struct ork_outcomes_of *of, const struct ork_order_rounds *rounds)
{
    bool any = false;

    for (uint32_t i = 0; i < rounds->round; i++)
        any |= belongs(of, &rounds->choice[i]);
    return any;
}

/* Rounds, if they are what comes next; those without such outcomes are passed over. */
static void begin_rounds(struct ork_outcomes *o, const struct ork_outcomes_of *of)
{
    while (o->left == 0 && ork_order_decode_rounds(o->reader.decoder, o->rounds)) {
        o->at = 0;
        if (any_belongs(of, o->rounds))
            o->left = (uint64_t)o->rounds->rounds * o->rounds->round;
    }
}

static void read_next(struct ork_outcomes *o, const struct ork_outcomes_of *of)
{
    struct ork_choice choice;

    if (o->left > 0) {
        struct ork_choice *next = &o->rounds->choice[o->at];
        keep(o, of, next);
        next->post += o->rounds->step[o->at];
        o->at = o->at + 1 == o->rounds->round ? 0 : o->at + 1;
        o->left--;
        return;
    }
    o->is_over = ork_order_read(&o->reader, of->stream, of->size, &choice) != ORK_OK;
    if (o->is_over)
        return;
    keep(o, of, &choice);
    begin_rounds(o, of);
}

static const struct ork_outcome *find_late(const struct ork_outcomes *o, uint64_t post)
{
    const struct ork_outcome wanted = {.post = post};

    return o->num_late == 0 ? NULL
                            : bsearch(&wanted, o->late, o->num_late, sizeof(wanted), compare);
}

/* RATIONALE: a thread asks for what it has posted long ago if it cancels that, which is rare. */
static void begin_again(struct ork_outcomes *o)
{
    ork_order_reader_release(&o->reader);
    o->most = 0;
    o->left = 0;
    o->is_over = false;
    for (uint32_t i = 0; i < ORK_OUTCOMES_KEPT; i++)
        o->kept[i] = (struct ork_outcome){.post = 0};
}

const struct ork_outcome *ork_outcomes_search(struct ork_outcomes *o,
                                              const struct ork_outcomes_of *of, uint64_t post)
{
    const struct ork_outcome *late = find_late(o, post);
    struct ork_outcome *place = &o->kept[post % ORK_OUTCOMES_KEPT];

    if (late != NULL || post == 0)
        return late;
    if (place->post > post)
        begin_again(o);
    while (place->post != post && !o->is_over && o->most <= post + ORK_OUTCOMES_AHEAD)
        read_next(o, of);
    return place->post == post ? place : NULL;
}
